import { useAll, useOne } from '../core/data/data.ts'
import type { BookingMessagesView, MessageView } from '../core/data/views.ts'
import { Section } from '../core/page.tsx'
import { useTimes } from '../core/time/times.ts'
import { list, messageWords } from '../words.ts'

/** What became of the messages of a booking, and what is still planned. */
export default function BookingMessages({ id }: { readonly id: string }) {
  const found = useOne<BookingMessagesView>(`/bookings/${id}/messages`).data?.body ?? []
  const messages = useAll<MessageView>('/messages', found.length > 0).data
  const times = useTimes()
  const m = messageWords
  if (found.length === 0) return null
  return (
    <Section title={m.booking.title}>
      <ol className="history">
        {found.map(({ messageId, to, state, at, reason }) => (
          <li key={[messageId, to, at].join()} data-state={state}>
            <p>{messages?.find((one) => one.id === messageId)?.name ?? m.booking.deleted}</p>
            <p className="muted small">
              {list([
                m.booking.states[state],
                times.moment(at),
                m.recipients[to],
                ...(reason === '' ? [] : [reason]),
              ])}
            </p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
