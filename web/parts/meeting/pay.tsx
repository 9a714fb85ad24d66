import { useMutation } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import { formatPrice } from '../../../src/domain/payments/price.ts'
import { post } from '../api.ts'
import { useSpeech } from '../texts.tsx'
import { useHour12, writeTime } from '../time/clock.ts'
import { type NewBooking, type OwnLink, ownAddress } from './own-booking.ts'
import { openBeside, openInstead } from './pay-elsewhere.ts'
import { forgetUnpaid } from './unpaid.ts'

interface Props {
  readonly base: string
  readonly booking: Pick<NewBooking, 'payment' | 'paymentUrl' | 'payBy' | 'amountDue'>
  readonly link: OwnLink
  readonly zone: string
  /** In a frame, the payment opens beside it: the site around it stays. */
  readonly isEmbedded: boolean
  /** The first time is free again. */
  readonly onEnded: () => void
}

/** Where the guest pays for a time that is kept for them, or gives it back. */
export function PayPanel({ base, booking, link, zone, isEmbedded, onEnded }: Props) {
  const { tell, locale } = useSpeech()
  const [hour12] = useHour12(locale.tag)
  const end = useMutation({
    mutationFn: () => post(ownAddress(base, link, '/cancel'), {}),
    onSuccess: () => {
      forgetUnpaid(link.id)
      onEnded()
    },
  })
  const [blocked, setBlocked] = useState(false)
  const { payment, paymentUrl, payBy, amountDue } = booking
  const leave = (event: MouseEvent, address: string) => {
    if (!isEmbedded || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (!openBeside(address) && !openInstead(address)) setBlocked(true)
  }
  const price =
    payment && formatPrice({ amount: amountDue ?? payment.amount, currency: payment.currency }, locale.tag)
  return (
    <div className="pay">
      {payBy !== undefined && (
        <p>{tell('payBy', { time: writeTime(locale.tag, zone, Date.parse(payBy), hour12) })}</p>
      )}
      <div className="actions">
        {paymentUrl !== undefined && price && (
          <a
            className="button"
            href={paymentUrl}
            rel="noreferrer"
            {...(isEmbedded && { target: '_blank' })}
            onClick={(event) => leave(event, paymentUrl)}
          >
            {tell('pay', { price })}
          </a>
        )}
        <button
          type="button"
          className="button button-quiet"
          aria-disabled={end.isPending}
          onClick={() => end.isPending || end.mutate()}
        >
          {tell('chooseAnother')}
        </button>
      </div>
      <div role="status">
        {/* This frame can open nothing: the guest's own browser can. */}
        {blocked && (
          <p className="small">
            {tell('toYourBooking')}: <code className="pay-address">{ownPage(base, link)}</code>
          </p>
        )}
      </div>
      <div role="alert">{end.isError && <p className="alert">{tell('endingFailed')}</p>}</div>
    </div>
  )
}

/** The whole address of the guest's own booking, outside of any frame. */
const ownPage = (base: string, { id, token }: OwnLink): string =>
  new URL(`${base}/booking/${id}?token=${token}`, location.href).href
