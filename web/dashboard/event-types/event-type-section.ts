import type { EventTypeView } from '../core/views.ts'

/** What every section of the event type editor works on. */
export interface EventTypeSection {
  readonly draft: EventTypeView
  readonly set: (part: Partial<EventTypeView>) => void
}
