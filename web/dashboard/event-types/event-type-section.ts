import type { EventTypeView } from '../core/data/views.ts'

/** The fields that each section of the event type editor changes. */
interface SectionFields {
  basics:
    | 'name'
    | 'slug'
    | 'description'
    | 'durationMinutes'
    | 'durations'
    | 'location'
    | 'locations'
    | 'hidden'
  times:
    | 'scheduleId'
    | 'bufferBeforeMinutes'
    | 'bufferAfterMinutes'
    | 'noticeMinutes'
    | 'window'
    | 'limits'
    | 'limitMinutes'
  guests:
    | 'requiresApproval'
    | 'confirmEmail'
    | 'seats'
    | 'maxGuests'
    | 'series'
    | 'cancelNoticeMinutes'
    | 'rescheduleNoticeMinutes'
    | 'reminderMinutes'
  price: 'price'
  hosts: 'hosts' | 'assignment'
  questions: 'questions'
  protection: 'abuse'
  advanced:
    | 'linkOnly'
    | 'holds'
    | 'liveCheck'
    | 'writeToCalendarId'
    | 'intervalMinutes'
    | 'keepPersonalDataDays'
    | 'returnUrl'
    | 'allowedOrigins'
  /** The list of event types changes the position, and nothing changes the others. */
  none: 'id' | 'ownerId' | 'position'
}

type Nothing<Left extends never> = Left

/** The fields without a section. There are none: a new field is a type error here. */
type Forgotten = Nothing<Exclude<keyof EventTypeView, SectionFields[keyof SectionFields]>>

/** What a section of the event type editor works on. */
export interface EventTypeSection<Name extends keyof SectionFields> {
  readonly draft: Pick<EventTypeView, SectionFields[Name] | Forgotten>
  readonly set: (part: Partial<Pick<EventTypeView, SectionFields[Name]>>) => void
}
