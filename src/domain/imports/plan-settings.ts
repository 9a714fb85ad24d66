import { Draft } from './draft.ts'
import { planEventTypes } from './event-types/plan-event-types.ts'
import { planForms } from './forms/plan-forms.ts'
import { planMessages } from './messages/plan-messages.ts'
import { planWebhooks } from './messages/plan-webhooks.ts'
import { findOldLinks } from './old-links.ts'
import { planAbsences, planSchedules } from './people/plan-hours.ts'
import { planPeople } from './people/plan-people.ts'
import type { Choices, Here, SettingsPlan } from './plan.ts'
import { planBlocklist, planConnections, planLinks } from './plan-access.ts'
import type { SourceSettings } from './source.ts'

/** What becomes of everything but bookings. Whatever the rows hold, it is a line, never an error. */
export function planSettings(source: SourceSettings, here: Here, choices: Choices): SettingsPlan {
  const draft = new Draft(source, here, choices)
  planPeople(draft)
  planSchedules(draft)
  planAbsences(draft)
  planEventTypes(draft)
  planForms(draft)
  planMessages(draft)
  planWebhooks(draft)
  planLinks(draft)
  planBlocklist(draft)
  planConnections(draft)
  findOldLinks(draft)
  return {
    lines: draft.lines,
    choices: draft.offered,
    settings: draft.settings(),
    oldLinks: draft.oldLinks,
  }
}
