import { Lazy, lazyPart } from '../../parts/lazy-part.tsx'
import type { Owner } from '../core/data/data.ts'
import { loadRefusals } from '../core/data/refusals.ts'
import type { EventTypeView, FormView } from '../core/data/views.ts'
import { RowsSkeleton } from '../core/page.tsx'
import { loadMessageWords } from '../words.ts'

/** A part with the words of messages, and the sentences of the rules that it runs itself. */
async function withWords<Part>(part: Promise<Part>): Promise<Part> {
  const [loaded] = await Promise.all([part, loadMessageWords(), loadRefusals()])
  return loaded
}

const timeline = lazyPart('timeline', () => withWords(import('./timeline.tsx')))
const formMessages = lazyPart('form-messages', () => withWords(import('./form-messages.tsx')))
const bookingMessages = lazyPart('booking-messages', () => withWords(import('./booking-messages.tsx')))

interface EventTypeProps {
  readonly eventType: EventTypeView
  readonly owner: Owner
}

/** All that guests and hosts of an event type get. */
export const EventTypeMessages = (props: EventTypeProps) => (
  <Lazy part={timeline} waiting={<RowsSkeleton rows={5} />}>
    {(Timeline) => <Timeline {...props} />}
  </Lazy>
)

interface FormProps {
  readonly form: FormView
  readonly owner: Owner
}

/** What people get who answered a form and did not book. */
export const FormMessages = (props: FormProps) => (
  <Lazy part={formMessages}>{(Messages) => <Messages {...props} />}</Lazy>
)

/** What became of the messages of a booking. */
export const BookingMessages = (props: { readonly id: string }) => (
  <Lazy part={bookingMessages}>{(Messages) => <Messages {...props} />}</Lazy>
)
