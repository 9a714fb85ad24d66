import type { Repeat } from '../../src/domain/bookings/series.ts'
import { MINUTE } from '../../src/domain/interval.ts'
import { formatPrice, priceOf } from '../../src/domain/payments/price.ts'
import { canonicalEmail } from '../../src/domain/people/contact.ts'
import type { BookingData, Slot } from '../../src/http/pages/page-data.ts'
import { guestsIn, type Typed } from './use-booking.ts'

export interface Bought {
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
  const { people, meetings } = countsOf({ typed, repeat })
  const amount = priceOf(price, minutes) * people * meetings
  return formatPrice({ amount, currency: price.currency }, tag)
}

/** How many people come, and how often. Whoever names themselves or someone else twice pays for nobody else. */
export const countsOf = ({ typed, repeat }: Pick<Bought, 'typed' | 'repeat'>) => ({
  people: new Set([typed.email, ...guestsIn(typed)].map(canonicalEmail)).size,
  meetings: repeat?.count ?? 1,
})
