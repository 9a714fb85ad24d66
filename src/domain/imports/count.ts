import { type Sentence, sentence } from '../sentence.ts'
import type { Counts } from './import.ts'
import { LINE_STATES, type LineState } from './plan.ts'
import { SOURCE_TABLES, type SourceTable } from './source.ts'

/** What people call the rows of a table. */
const NAMES: Readonly<Partial<Record<SourceTable, Sentence>>> = {
  users: sentence`People`,
  Team: sentence`Teams`,
  Membership: sentence`Invitations`,
  Schedule: sentence`Schedules`,
  Availability: sentence`Hours`,
  OutOfOfficeEntry: sentence`Time off`,
  TravelSchedule: sentence`Travel`,
  EventType: sentence`Event types`,
  HashedLink: sentence`Private links`,
  App_RoutingForms_Form: sentence`Forms`,
  Attribute: sentence`Attributes`,
  Webhook: sentence`Webhooks`,
  Workflow: sentence`Workflows`,
  WorkflowStep: sentence`Messages`,
  Watchlist: sentence`Blocked addresses`,
  Booking: sentence`Bookings`,
  Credential: sentence`Connected accounts`,
}

const STATES: Readonly<Record<LineState, (count: number) => Sentence>> = {
  new: (count) => sentence`${count} as they are`,
  changed: (count) => sentence`${count} changed`,
  same: (count) => sentence`${count} already here`,
  'left-out': (count) => sentence`${count} left out`,
}

/** The top of a plan, such as `Event types: 55 as they are, 6 changed, 1 left out.` */
export function tellCounts(counts: Counts): Sentence[] {
  return SOURCE_TABLES.flatMap((table) => {
    const own = counts[table] ?? {}
    const parts = LINE_STATES.flatMap((state) => (own[state] ? [STATES[state](own[state])] : []))
    return parts.length === 0 ? [] : [sentence`${NAMES[table] ?? table}: ${parts}.`]
  })
}
