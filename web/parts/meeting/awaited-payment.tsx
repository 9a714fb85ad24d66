import { useQueryClient } from '@tanstack/react-query'
import type { Ref } from 'react'
import { useSpeech } from '../texts.tsx'
import type { NewBooking, OwnLink } from './own-booking.ts'
import { PayPanel } from './pay.tsx'

interface Props {
  readonly base: string
  readonly booking: NewBooking
  readonly link: OwnLink
  readonly zone: string
  readonly isEmbedded: boolean
  /** Left out where the page has one that says it. */
  readonly headingRef?: Ref<HTMLHeadingElement>
  readonly onEnded: () => void
}

/** A booking that is not paid yet, or was not in time. */
export function AwaitedPayment({ base, booking, link, zone, isEmbedded, headingRef, onEnded }: Props) {
  const { tell } = useSpeech()
  const client = useQueryClient()
  const isOver = booking.status === 'Expired'
  const isSlow = booking.payBy !== undefined && Date.parse(booking.payBy) < Date.now()
  return (
    <>
      {headingRef && (
        <h2 ref={headingRef} tabIndex={-1}>
          {tell(isOver ? 'statusExpired' : 'paymentAwaited')}
        </h2>
      )}
      <p className="muted" role="status">
        {tell(isOver ? 'expiredHint' : isSlow ? 'paymentSlow' : 'paymentAwaitedHint')}
      </p>
      {isOver || isSlow ? (
        <div className="actions">
          {isSlow && !isOver && (
            <button
              type="button"
              className="button"
              onClick={() => void client.invalidateQueries({ queryKey: ['booking'] })}
            >
              {tell('checkAgain')}
            </button>
          )}
          {isOver && (
            <button type="button" className="button" onClick={onEnded}>
              {tell('chooseAnother')}
            </button>
          )}
        </div>
      ) : (
        <PayPanel
          base={base}
          booking={booking}
          link={link}
          zone={zone}
          isEmbedded={isEmbedded}
          onEnded={onEnded}
        />
      )}
    </>
  )
}
