import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Repeat } from '../../src/domain/bookings/series.ts'
import { answersTo } from '../../src/domain/event-types/questions.ts'
import type { BookingData, Slot } from '../../src/http/pages/page-data.ts'
import { ApiFailure, listSlots, post, under } from '../parts/api.ts'
import type { CaptchaState } from '../parts/captcha/captcha.tsx'
import { tellSite } from '../parts/embedding.ts'
import { checkField } from '../parts/fields/check-field.ts'
import { chosenIn } from '../parts/fields/several.ts'
import type { OwnLink } from '../parts/meeting/own-booking.ts'
import { useSpeech } from '../parts/texts.tsx'
import { dateIn } from '../parts/time/dates.ts'
import { slotsKey } from '../parts/time/slot-picker.tsx'
import type { Booked } from './booked.ts'

/** What the guest typed into the form. */
export interface Typed {
  readonly name: string
  readonly email: string
  readonly phone: string
  /** Whether they want text messages there. */
  readonly smsConsent: boolean
  readonly notes: string
  /** The chosen location; empty where there is nothing to choose. */
  readonly locationId: string
  /** Email addresses of others who come, as typed. */
  readonly guests: string
  readonly answers: Readonly<Record<string, string | boolean>>
}

interface BookingRequest {
  readonly data: BookingData
  readonly address: string
  readonly slot: Slot
  /** Its length, unless it is the default. */
  readonly duration: number | undefined
  readonly zone: string
  readonly utm: Readonly<Record<string, string>>
  readonly typed: Typed
  readonly honeypot: () => string
  readonly captcha: CaptchaState
  /** The hold that keeps the slot for this guest; undefined: nothing does. */
  readonly holdId: string | undefined
  /** Undefined: the meeting doesn't repeat. */
  readonly repeat: Repeat | undefined
  /** The code that proves the guest's address; undefined: none is needed. */
  readonly emailCode: string | undefined
}

/** Someone else booked the slot after it was chosen. */
export class SlotGone extends Error {}

interface Outcomes {
  readonly onBooked: (booked: Booked) => void
  readonly onGone: (slot: Slot) => void
}

/** Books the slot; fails with `SlotGone` when it is no longer free. */
export function useBooking(request: BookingRequest, { onBooked, onGone }: Outcomes) {
  const { data, address, slot, captcha } = request
  const { locale } = useSpeech()
  const client = useQueryClient()
  const lastTry = useRef({ body: '', key: '' })
  return useMutation({
    mutationFn: async (): Promise<Booked> => {
      const body = await bodyOf(request, locale.language)
      try {
        const answer = await post<Omit<Booked, 'link' | keyof ReturnType<typeof typedIn>>>(
          under(address, 'book'),
          body,
          {
            'idempotency-key': keyFor(lastTry.current, JSON.stringify(body)),
          },
        )
        return { ...answer.body, ...typedIn(request), link: readOwnLink(answer.location) }
      } catch (error) {
        // The server used up the solution, unless the connection broke before it decided. After 504 it may have
        // booked: only the same request finds out, and a new solution would make it another one.
        if (error instanceof ApiFailure && error.status >= 400 && error.status !== 504) captcha.reset()
        const refused = error instanceof ApiFailure && error.status === 400
        // What we hold is not listed, and still ours.
        if (refused && request.holdId === undefined && !(await isStillFree(request))) throw new SlotGone()
        throw error
      }
    },
    onSuccess: onBooked,
    onError: (error) => {
      const status = error instanceof SlotGone ? 400 : error instanceof ApiFailure ? error.status : 0
      tellSite('failed', { eventTypeId: data.eventType.id, status })
      if (!(error instanceof SlotGone)) return
      void client.invalidateQueries({ queryKey: slotsKey(address) })
      onGone(slot)
    },
  })
}

async function bodyOf(request: BookingRequest, language: string) {
  const { data, slot, zone, utm, typed, honeypot, captcha } = request
  return {
    startTime: slot.startTime,
    endTime: slot.endTime,
    inviteeName: typed.name.trim(),
    inviteeEmail: typed.email.trim(),
    ...(typed.phone.trim() !== '' && { inviteePhone: typed.phone.trim() }),
    ...(typed.smsConsent && { smsConsent: true }),
    inviteeTimezone: zone,
    inviteeLocale: language,
    ...(typed.locationId !== '' && { locationId: typed.locationId }),
    ...(guestsIn(typed).length > 0 && { guests: guestsIn(typed) }),
    customFields: answersOf(data, typed),
    ...(typed.notes.trim() !== '' && { inviteeNotes: typed.notes.trim() }),
    source: data.embed ? 'EmbedWidget' : 'BookingPage',
    ...(request.emailCode !== undefined && { emailCode: request.emailCode }),
    ...(request.holdId !== undefined && { holdId: request.holdId }),
    ...(request.repeat && { repeat: request.repeat }),
    ...(data.honeypot && { honeypotValue: honeypot() }),
    ...(Object.keys(utm).length > 0 && { utm }),
    ...(data.captcha.provider !== '' && { captchaToken: await captcha.token() }),
  }
}

/** What the response to `book` does not repeat. */
const typedIn = ({ data, typed }: BookingRequest) => ({
  guests: guestsIn(typed),
  answers: answersTo(data.eventType.questions, answersOf(data, typed)),
  notes: typed.notes.trim(),
})

/** The addresses of those whom the guest brings: separated by commas, spaces or lines. */
export const guestsIn = ({ guests }: Typed): string[] =>
  guests.split(/[\s,;]+/).filter((email) => email !== '')

/** Answers to the host's questions, without the empty ones. */
function answersOf({ eventType }: BookingData, { answers }: Typed): Record<string, unknown> {
  const fitting = eventType.questions.filter((question) => {
    // A link may answer a hidden question wrongly, and its guest can't change that.
    return !question.hidden || checkField(() => '', question, answers[question.key]) === undefined
  })
  const given = fitting.map(({ key, type, options }) => {
    const answer = answers[key]
    if (typeof answer !== 'string') return [key, answer === true] as const
    const text = answer.trim()
    if (text === '') return [key, text] as const
    return [
      key,
      type === 'number' ? Number(text) : type === 'multiselect' ? chosenIn(answer, options) : text,
    ] as const
  })
  return Object.fromEntries(given.filter(([, answer]) => answer !== ''))
}

/** The same request gets the same key, so that repeating it books only once. */
function keyFor(lastTry: { body: string; key: string }, body: string): string {
  if (lastTry.body !== body) {
    lastTry.body = body
    // Pages without https have no randomUUID.
    lastTry.key = [...crypto.getRandomValues(new Uint8Array(16))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
  }
  return lastTry.key
}

const isStillFree = async (request: BookingRequest): Promise<boolean> =>
  (await findSlot(request, Date.parse(request.slot.startTime))) !== undefined

/** The slot that begins then, if it is free. */
export async function findSlot(
  { address, zone, duration }: Pick<BookingRequest, 'address' | 'zone' | 'duration'>,
  startsAt: number,
): Promise<Slot | undefined> {
  const date = dateIn(zone, startsAt)
  const days = await listSlots(
    address,
    { from: date, to: date, timeZone: zone, duration },
    new AbortController().signal,
  )
  return days.flatMap(({ slots }) => slots).find(({ startTime }) => Date.parse(startTime) === startsAt)
}

/** The guest's own link, from the `Location` header of the answer. */
function readOwnLink(location: string | null): OwnLink | undefined {
  const [, id, token] = /\/api\/public\/bookings\/([\w-]+)\?token=([\w-]+)$/.exec(location ?? '') ?? []
  return id === undefined || token === undefined ? undefined : { id, token }
}
