import type { Repeat } from '../../src/domain/bookings/series.ts'
import { MINUTE } from '../../src/domain/interval.ts'
import { formatPrice, priceOf } from '../../src/domain/payments/price.ts'
import type { BookingData, Slot } from '../../src/http/pages/page-data.ts'
import { useInstant } from '../parts/meeting/deadlines.tsx'
import { type Speech, useSpeech } from '../parts/texts.tsx'
import { guestsIn, type Typed } from './use-booking.ts'

interface Bought {
  readonly data: BookingData
  readonly slot: Slot
  readonly typed: Typed
  readonly repeat: Repeat | undefined
}

/** What all of it costs: each person, each meeting. Undefined: it is free. */
export function totalOf({ data, slot, typed, repeat }: Bought, tag: string): string | undefined {
  const { price } = data.eventType
  if (price === null) return undefined
  const minutes = (Date.parse(slot.endTime) - Date.parse(slot.startTime)) / MINUTE
  const people = 1 + new Set(guestsIn(typed)).size
  const amount = priceOf(price, minutes) * people * (repeat?.count ?? 1)
  return formatPrice({ amount, currency: price.currency }, tag)
}

/** What the guest pays, and what they get back if they cancel. */
export function PriceSummary(bought: Bought & { readonly zone: string }) {
  const { tell, locale } = useSpeech()
  const write = useInstant(bought.zone)
  const { host, eventType } = bought.data
  const total = totalOf(bought, locale.tag)
  if (total === undefined || eventType.refund === null) return null
  return (
    <div className="price-summary">
      <p>
        <strong>{tell('total', { price: total })}</strong>
      </p>
      <p className="muted small">
        {[
          tell('payHint'),
          eventType.requiresApproval && tell('reservedOnly', { name: host.name }),
          refundSentence(eventType.refund, Date.parse(bought.slot.startTime), { tell, locale, write }),
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
    </div>
  )
}

/** The rule for the chosen time. */
function refundSentence(
  { fullUntilMinutes, laterPercent }: NonNullable<BookingData['eventType']['refund']>,
  startsAt: number,
  { tell, locale, write }: Pick<Speech, 'tell' | 'locale'> & { readonly write: (instant: number) => string },
): string {
  if (laterPercent === 100 || fullUntilMinutes === 0) return tell('refundAll')
  const until = startsAt - fullUntilMinutes * MINUTE
  const percent = new Intl.NumberFormat(locale.tag, { style: 'percent' }).format(laterPercent / 100)
  if (until <= Date.now())
    return laterPercent === 0 ? tell('refundNothing') : tell('refundShare', { percent })
  const later = laterPercent === 0 ? tell('refundNothingLater') : tell('refundLater', { percent })
  return `${tell('refundUntil', { time: write(until) })} ${later}`
}
