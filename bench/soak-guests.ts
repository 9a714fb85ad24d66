import { setTimeout as sleep } from 'node:timers/promises'
import { formatDate } from '../src/domain/calendar-date.ts'
import { eventType, FIRST_DAY } from './calendar.ts'
import { slugOf } from './seed.ts'

/** What a guest was told about a booking. */
export interface Acknowledged {
  readonly id: string
  readonly host: number
  /** Where it is managed, and the token for that. */
  readonly path: string
  readonly token: string
  readonly email: string
  startTime: string
  cancelled: boolean
  /** The last answer about it was lost, so it may be in either state. */
  unsure: boolean
}

export type Kind = 'list' | 'book' | 'cancel' | 'reschedule' | 'evaluate'

interface Slot {
  readonly startTime: string
  readonly endTime: string
}

/** Shares of all requests; the rest are listings. */
const SHARES: readonly (readonly [Kind, number])[] = [
  ['book', 0.15],
  ['cancel', 0.05],
  ['reschedule', 0.05],
  ['evaluate', 0.02],
]

/** Milliseconds between an answer and the guest's next request, so that the load is bounded. */
const PAUSE = 50
const MONTHS = 12

/** Guests who list, book, cancel, reschedule and answer forms, and remember what they were told. */
export class Guests {
  readonly acknowledged = new Map<string, Acknowledged>()
  /** Bookings whose answer was lost: they may exist. */
  readonly unsureEmails = new Set<string>()
  /** Milliseconds of each request since they were last taken. */
  latencies: Record<Kind, number[]> = { list: [], book: [], cancel: [], reschedule: [], evaluate: [] }
  refused = 0
  failed = 0
  readonly #origin: string
  readonly #hosts: number
  readonly #random: () => number
  readonly #busy = new Set<string>()
  #clients = 0

  constructor(port: number, hosts: number, random: () => number) {
    this.#origin = `http://127.0.0.1:${port}`
    this.#hosts = hosts
    this.#random = random
  }

  /** One guest after another, until then. */
  async visitUntil(end: number): Promise<void> {
    while (Date.now() < end) {
      await this.#act(this.#chooseKind())
      await sleep(PAUSE)
    }
  }

  #chooseKind(): Kind {
    let left = this.#random()
    for (const [kind, share] of SHARES) {
      left -= share
      if (left < 0) return kind
    }
    return 'list'
  }

  async #act(kind: Kind): Promise<void> {
    const host = 1 + Math.floor(this.#random() * this.#hosts)
    if (kind === 'list') await this.#list(host)
    else if (kind === 'book') await this.#book(host)
    else if (kind === 'evaluate') await this.#evaluate(host)
    else await this.#change(kind)
  }

  async #list(host: number): Promise<Slot[]> {
    const first = FIRST_DAY + 28 * Math.floor(this.#random() * MONTHS)
    const query = `dateFrom=${formatDate(first)}&dateTo=${formatDate(first + 27)}&timezone=Europe/Berlin`
    const answer = await this.#send(
      'list',
      'GET',
      `/api/public/scheduling/${slugOf(host)}/${eventType.slug}/slots?${query}`,
    )
    const days = answer?.status === 200 ? (answer.body as { slots: Slot[] }[]) : []
    return days.flatMap(({ slots }) => slots)
  }

  async #book(host: number): Promise<void> {
    const slot = this.#pick(await this.#list(host))
    if (slot === undefined) return
    const email = `guest-${++this.#clients}@guests.example`
    const guest = { inviteeName: 'Grace Guest', inviteeEmail: email, inviteeTimezone: 'Europe/Berlin' }
    const { startTime, endTime } = slot
    const path = `/api/public/scheduling/${slugOf(host)}/${eventType.slug}/book`
    const answer = await this.#send('book', 'POST', path, { startTime, endTime, ...guest })
    if (answer === undefined || answer.status >= 500) this.unsureEmails.add(email)
    if (answer?.status !== 201) return
    const { id } = answer.body as { id: string }
    const { pathname, search } = new URL(answer.location)
    const about = { id, host, path: pathname, token: search, email, startTime }
    this.acknowledged.set(id, { ...about, cancelled: false, unsure: false })
  }

  async #change(kind: 'cancel' | 'reschedule'): Promise<void> {
    const booking = this.#pick(
      [...this.acknowledged.values()].filter(({ id, cancelled }) => !cancelled && !this.#busy.has(id)),
    )
    if (booking === undefined) return
    this.#busy.add(booking.id)
    try {
      const url = `${booking.path}/${kind}${booking.token}`
      const slot = kind === 'reschedule' ? this.#pick(await this.#list(booking.host)) : undefined
      if (kind === 'reschedule' && slot === undefined) return
      const answer = await this.#send(
        kind,
        'POST',
        url,
        slot === undefined ? {} : { startTime: slot.startTime },
      )
      if (answer === undefined || answer.status >= 500) booking.unsure = true
      if (answer?.status !== 200) return
      if (slot === undefined) booking.cancelled = true
      else booking.startTime = slot.startTime
    } finally {
      this.#busy.delete(booking.id)
    }
  }

  async #evaluate(host: number): Promise<void> {
    const path = `/api/public/routing/${slugOf(host)}/start/evaluate`
    await this.#send('evaluate', 'POST', path, { answers: { size: 'large' } })
  }

  /** Undefined if no answer came. */
  async #send(kind: Kind, method: string, path: string, body?: object) {
    const client = ++this.#clients
    const began = performance.now()
    try {
      const response = await fetch(`${this.#origin}${path}`, {
        method,
        headers: {
          'x-forwarded-for': `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (response.status >= 500) this.failed++
      else if (response.status >= 400) this.refused++
      const location = response.headers.get('location') ?? ''
      return { status: response.status, body: JSON.parse(text) as unknown, location }
    } catch {
      this.failed++
      return undefined
    } finally {
      this.latencies[kind].push(performance.now() - began)
    }
  }

  #pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.#random() * items.length)]
  }
}
