import { offeredDurations } from '../../../../src/domain/event-types/durations.ts'
import type { EventType } from '../../../../src/domain/event-types/event-type.ts'
import { withLocations } from '../../../../src/domain/event-types/location.ts'
import { publicEventType } from '../../../../src/domain/event-types/public-event-type.ts'
import type { PreviewedPage } from '../../../parts/preview-messages.ts'
import type { EventTypeView } from '../../core/data/views.ts'

const MOST_NAMES = 8

interface Surroundings {
  /** The names of the hosts, where a team owns the event type. */
  readonly names: readonly string[]
  readonly timeZone: string
  /** Each change of the settings has another one: the page then lists the times again. */
  readonly revision: number
}

/** What guests would see of an event type with these settings. */
export function previewedPage(
  draft: EventTypeView,
  { names, timeZone, revision }: Surroundings,
): PreviewedPage {
  const { ownerId, hosts: _, ...settings } = draft
  const eventType: EventType = {
    ...settings,
    ...withLocations({ location: draft.location, locations: [] }, draft),
    schedulerId: ownerId,
  }
  return {
    eventType: {
      ...publicEventType(eventType),
      slug: `${draft.slug}-${revision}`,
      questions: eventType.questions,
      series: eventType.series && { ...eventType.series, timeZone },
      cancelNoticeMinutes: eventType.cancelNoticeMinutes,
      rescheduleNoticeMinutes: eventType.rescheduleNoticeMinutes,
      // Nobody leaves the preview.
      returnUrl: '',
      sms: false,
      refund: eventType.price?.refund ?? null,
    },
    members: { names: names.length > MOST_NAMES ? [] : names, all: eventType.assignment === 'collective' },
    standIns: [],
    honeypot: false,
    // The service would load its own frame, for a form that is never sent.
    captcha: { provider: '', siteKey: '' },
    holds: false,
    confirmEmail: eventType.confirmEmail,
    duration: offeredDurations(eventType).includes(draft.durationMinutes)
      ? draft.durationMinutes
      : (draft.durations[0] ?? draft.durationMinutes),
    // None: the page asks for them.
    slots: { from: '', to: '', days: [] },
  }
}
