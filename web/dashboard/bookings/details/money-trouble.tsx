import { useQuery } from '@tanstack/react-query'
import { call } from '../../core/data/api.ts'
import type { AttentionView, ListedBookingView } from '../../core/data/views.ts'
import { words } from '../../words.ts'

type Kind = keyof typeof words.bookings.moneyTrouble

const isMoney = (kind: string): kind is Kind => kind in words.bookings.moneyTrouble

/** What needs attention about the money of a booking, the newest first. */
export function useMoneyTrouble({ id, payment }: Pick<ListedBookingView, 'id' | 'payment'>) {
  const { data } = useQuery({
    queryKey: ['one', '/attention'],
    enabled: payment !== null,
    // Rows come and go while one scrolls.
    staleTime: 60_000,
    queryFn: ({ signal }) => call<AttentionView>('/attention', { signal }),
  })
  return (data?.body.items ?? []).flatMap(({ kind, sentence, url }) =>
    isMoney(kind) && url === `/app/bookings/${id}` ? [{ kind, sentence }] : [],
  )
}

/** Refunds that did not arrive: a person has to give the money back another way. */
export function FailedRefunds({ booking }: { readonly booking: ListedBookingView }) {
  return useMoneyTrouble(booking)
    .filter(({ kind }) => kind === 'refund-failed')
    .map(({ sentence }) => (
      <p key={sentence} className="alert">
        {sentence}
      </p>
    ))
}
