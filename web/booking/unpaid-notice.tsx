import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { loadOwnBooking } from '../parts/meeting/own-booking.ts'
import { PayPanel, untilNextLook } from '../parts/meeting/pay.tsx'
import { findUnpaid } from '../parts/meeting/unpaid.ts'
import { useSpeech } from '../parts/texts.tsx'
import { useWhen } from '../parts/time/when.tsx'

interface Props {
  readonly base: string
  readonly eventTypeId: string
  readonly zone: string
  readonly isEmbedded: boolean
  /** Its time is free again. */
  readonly onEnded: () => void
}

/** Reminds a guest who came back without paying: the time is still theirs. */
export function UnpaidNotice({ base, eventTypeId, zone, isEmbedded, onEnded }: Props) {
  const { tell } = useSpeech()
  const when = useWhen()
  const [openedAt] = useState(() => Date.now())
  const [unpaid, setUnpaid] = useState(() => findUnpaid(eventTypeId))
  const own = useQuery({
    queryKey: ['booking', unpaid?.id],
    enabled: unpaid !== undefined,
    queryFn: ({ signal }) => loadOwnBooking(base, { id: '', token: '', ...unpaid }, signal),
    // It may be paid in another tab.
    refetchInterval: ({ state }) => (state.data ? untilNextLook(state.data, openedAt) : false),
  })
  if (unpaid === undefined || own.data?.status !== 'PendingPayment') return null
  const { day, start } = when(Date.parse(own.data.startTime), Date.parse(own.data.endTime), zone)
  return (
    <section className="unpaid" aria-label={tell('statusPendingPayment')}>
      <p>
        <strong>{tell('unpaid', { time: `${day}, ${start}` })}</strong>
      </p>
      <PayPanel
        base={base}
        booking={own.data}
        link={unpaid}
        zone={zone}
        isEmbedded={isEmbedded}
        onEnded={() => {
          setUnpaid(undefined)
          onEnded()
        }}
      />
    </section>
  )
}
