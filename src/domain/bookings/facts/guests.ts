import { guestKey } from '../../people/guest-key.ts'
import type { Booking, BookingStatus } from '../booking.ts'
import type { BookingWrites } from './bookings.ts'
import { Fact } from './fact.ts'

/** What is known of another booking of a guest. */
export interface GuestBooking {
  readonly id: string
  /** What all addresses of the guest's mailbox share. */
  readonly guest: string
  readonly eventTypeId: string
  readonly status: BookingStatus
  readonly startsAt: number
  readonly createdAt: number
  readonly source: Booking['source']
  /** Null unless it was booked in a series. */
  readonly seriesId: string | null
  /** Which client booked; undefined: not known. */
  readonly client?: string | undefined
}

/** An invitation to someone whom a guest brings. */
export interface GuestMail {
  readonly bookingId: string
  /** Their place in the booking's list. */
  readonly position: number
  /** What all addresses of their mailbox share. */
  readonly guest: string
  readonly sentAt: number
  /** Which client caused it; undefined: not known. */
  readonly client?: string | undefined
}

interface Asked {
  /** Bookings of these guests, of any host, that begin at `from` or later, and mails that they got as others' guests. */
  readonly guests?: { readonly keys: readonly string[]; readonly from: number }
}

interface Written extends BookingWrites {
  /** Mails to those whom a guest brings. */
  readonly guestMails?: readonly GuestMail[]
}

/** What guests have booked elsewhere, and which mails they got. */
export class Guests extends Fact<Asked, Written> {
  readonly #bookings = new Map<string, GuestBooking>()
  readonly #mails: GuestMail[] = []

  addBooking(booking: GuestBooking): void {
    this.#bookings.set(booking.id, booking)
  }

  addMail(mail: GuestMail): void {
    this.#mails.push(mail)
  }

  /** This guest's bookings, of any host. */
  bookingsOf(guest: string): GuestBooking[] {
    return [...this.#bookings.values()].filter((booking) => booking.guest === guest)
  }

  /** Mails that this guest got because others brought them. */
  mailsTo(guest: string): GuestMail[] {
    return this.#mails.filter((mail) => mail.guest === guest)
  }

  override apply({ bookings = [], guestMails = [] }: Written): void {
    for (const { booking, client } of bookings) {
      const { id, eventTypeId, status, startsAt, createdAt, source } = booking
      const guest = guestKey(booking.invitee.email)
      const seriesId = booking.series?.id ?? null
      this.addBooking({ id, guest, eventTypeId, status, startsAt, createdAt, source, seriesId, client })
    }
    for (const mail of guestMails) this.addMail(mail)
  }
}

/** These bookings, with one for each series. */
export function oncePerSeries(bookings: readonly GuestBooking[]): GuestBooking[] {
  return [...new Map(bookings.map((booking) => [booking.seriesId ?? booking.id, booking])).values()]
}
