import type { Repeat } from '../../src/domain/bookings/series.ts'
import { MINUTE } from '../../src/domain/interval.ts'
import { formatPrice, priceOf } from '../../src/domain/payments/price.ts'
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
  const people = 1 + new Set(guestsIn(typed)).size
  const amount = priceOf(price, minutes) * people * (repeat?.count ?? 1)
  return formatPrice({ amount, currency: price.currency }, tag)
}
