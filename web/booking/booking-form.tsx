import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type Ref, useRef, useState } from 'react'
import type { BookingData, Slot } from '../../src/http/pages/page-data.ts'
import { ApiFailure, listSlots, post } from '../parts/api.ts'
import { checkField } from '../parts/check-field.ts'
import { writeTime } from '../parts/clock.ts'
import { dateIn } from '../parts/dates.ts'
import { tellSite } from '../parts/embedding.ts'
import { Field, focusFirstError } from '../parts/field.tsx'
import { BackIcon, CalendarIcon } from '../parts/icons.tsx'
import type { OwnLink } from '../parts/own-booking.ts'
import { slotsKey } from '../parts/slot-picker.tsx'
import { useSpeech } from '../parts/texts.tsx'
import { useWhen } from '../parts/when.tsx'
import { Captcha, useCaptcha } from './captcha.tsx'
import type { Booked } from './confirmation.tsx'

export interface Typed {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly notes: string
  readonly answers: Readonly<Record<string, string | boolean>>
}

interface Props {
  readonly data: BookingData
  readonly address: string
  readonly slot: Slot
  readonly zone: string
  readonly utm: Readonly<Record<string, string>>
  /** Kept by the page: a guest who has to choose again types nothing twice. */
  readonly typed: Typed
  readonly onType: (typed: Typed) => void
  readonly headingRef: Ref<HTMLHeadingElement>
  readonly onBack: () => void
  readonly onGone: (slot: Slot) => void
  readonly onBooked: (booked: Booked) => void
}

/** The slot was free when it was chosen, and is not any more. */
class SlotGone extends Error {}

const OWN_FIELDS = [
  { name: 'name', type: 'text', text: 'name', required: true, autoComplete: 'name', most: 200 },
  { name: 'email', type: 'email', text: 'email', required: true, autoComplete: 'email', most: 254 },
  { name: 'phone', type: 'phone', text: 'phoneNumber', required: false, autoComplete: 'tel', most: 40 },
] as const

export function BookingForm(props: Props) {
  const { data, address, slot, zone, utm, typed, onType, headingRef, onBack, onGone, onBooked } = props
  const { locale, tell } = useSpeech()
  const { eventType } = data
  const client = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const honeypot = useRef<HTMLInputElement>(null)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const captcha = useCaptcha(data.captcha, address)
  const lastTry = useRef({ body: '', key: '' })
  const { day, hours } = useWhen()(Date.parse(slot.startTime), Date.parse(slot.endTime), zone)

  const booking = useMutation({
    mutationFn: async (): Promise<Booked> => {
      const body = {
        startTime: slot.startTime,
        endTime: slot.endTime,
        inviteeName: typed.name.trim(),
        inviteeEmail: typed.email.trim(),
        ...(typed.phone.trim() !== '' && { inviteePhone: typed.phone.trim() }),
        inviteeTimezone: zone,
        inviteeLocale: locale.language,
        customFields: answersOf(data, typed),
        ...(typed.notes.trim() !== '' && { inviteeNotes: typed.notes.trim() }),
        source: data.embed ? 'EmbedWidget' : 'BookingPage',
        ...(data.honeypot && { honeypotValue: honeypot.current?.value ?? '' }),
        ...(Object.keys(utm).length > 0 && { utm }),
        ...(data.captcha.provider !== '' && { captchaToken: await captcha.token() }),
      }
      try {
        const answer = await post<Omit<Booked, 'link'>>(`${address}/book`, body, {
          'idempotency-key': keyFor(lastTry.current, JSON.stringify(body)),
        })
        return { ...answer.body, link: readOwnLink(answer.location) }
      } catch (error) {
        // Decided, so this solution is used up; a connection that broke may be tried with it again.
        if (error instanceof ApiFailure && error.status >= 400) captcha.reset()
        if (
          error instanceof ApiFailure &&
          error.status === 400 &&
          !(await isStillFree(address, slot, zone))
        ) {
          throw new SlotGone()
        }
        throw error
      }
    },
    onSuccess: onBooked,
    onError: (error) => {
      const status = error instanceof SlotGone ? 400 : error instanceof ApiFailure ? error.status : 0
      tellSite('failed', { eventTypeId: eventType.id, status })
      if (!(error instanceof SlotGone)) return
      void client.invalidateQueries({ queryKey: slotsKey(address) })
      onGone(slot)
    },
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (booking.isPending) return
    const found: Record<string, string> = {}
    for (const { name, most, ...field } of OWN_FIELDS) {
      const wrong = checkField(tell, field, typed[name], most)
      if (wrong !== undefined) found[name] = wrong
    }
    for (const question of eventType.questions) {
      const wrong = checkField(tell, question, typed.answers[question.key])
      if (wrong !== undefined) found[`answers.${question.key}`] = wrong
    }
    setErrors(found)
    if (Object.keys(found).length === 0) {
      tellSite('submitting', { eventTypeId: eventType.id })
      booking.mutate()
    } else {
      // Once the mistakes are marked.
      setTimeout(() => form.current && focusFirstError(form.current))
    }
  }

  return (
    <section className="details fade-in">
      <button type="button" className="text-button" onClick={onBack}>
        <BackIcon size={16} />
        {tell('changeTime')}
      </button>
      <div className="chosen-time">
        <span className="icon">
          <CalendarIcon />
        </span>
        <p>
          <strong className="capitalised">{day}</strong>
          <br />
          {hours}
        </p>
      </div>
      <h2 ref={headingRef} tabIndex={-1}>
        {tell('yourDetails')}
      </h2>
      <form ref={form} noValidate onSubmit={submit} className="fields">
        {OWN_FIELDS.map(({ name, type, text, required, autoComplete }) => (
          <Field
            key={name}
            name={name}
            label={tell(text)}
            type={type}
            required={required}
            autoComplete={autoComplete}
            value={typed[name]}
            error={errors[name]}
            onChange={(value) => onType({ ...typed, [name]: value })}
          />
        ))}
        {eventType.questions.map(({ key, label, type, required, options }) => (
          <Field
            key={key}
            name={key}
            label={label}
            type={type}
            required={required}
            options={options.map((option) => ({ id: option, label: option }))}
            value={typed.answers[key] ?? ''}
            error={errors[`answers.${key}`]}
            onChange={(value) => onType({ ...typed, answers: { ...typed.answers, [key]: value } })}
          />
        ))}
        <Field
          name="notes"
          label={tell('notes')}
          type="textarea"
          required={false}
          maxLength={5000}
          value={typed.notes}
          onChange={(value) => onType({ ...typed, notes: String(value) })}
        />
        {data.honeypot && (
          // For machines only: not shown, not read out, not reached by keyboard, not filled by the browser.
          <div aria-hidden="true" className="honeypot">
            <label>
              {tell('leaveEmpty')}
              <input ref={honeypot} type="text" name="fax-extension" tabIndex={-1} autoComplete="off" />
            </label>
          </div>
        )}
        {data.captcha.provider !== '' && <Captcha state={captcha} />}
        <div role="alert">
          {booking.error !== null && !(booking.error instanceof SlotGone) && (
            <p className="alert">{sentenceFor(booking.error)}</p>
          )}
        </div>
        <button type="submit" className="button" aria-disabled={booking.isPending}>
          {booking.isPending && <span className="spinner" aria-hidden="true" />}
          {tell(booking.isPending ? 'sending' : eventType.requiresApproval ? 'request' : 'confirm')}
        </button>
      </form>
    </section>
  )

  function sentenceFor(error: Error): string {
    if (!(error instanceof ApiFailure)) return error.message
    if (error.status === 429) {
      const at = error.retryAt ?? Date.now() + 60_000
      return tell('tooOften', { time: writeTime(locale.tag, zone, at + 59_999, false) })
    }
    if (error.status === 404) return tell('notOffered')
    if (error.status === 0 || error.status >= 500) return tell('notReached')
    return error.message
  }
}

/** Answers to the host's questions, without the empty ones. */
function answersOf({ eventType }: BookingData, { answers }: Typed): Record<string, unknown> {
  const given = eventType.questions.map(({ key, type }) => {
    const answer = answers[key]
    if (typeof answer !== 'string') return [key, answer === true] as const
    return [key, type === 'number' && answer.trim() !== '' ? Number(answer) : answer.trim()] as const
  })
  return Object.fromEntries(given.filter(([, answer]) => answer !== ''))
}

/** The same request gets the same key, so that repeating it books once; another request gets another. */
function keyFor(lastTry: { body: string; key: string }, body: string): string {
  if (lastTry.body !== body) {
    lastTry.body = body
    // Not randomUUID: a page without https has none.
    lastTry.key = [...crypto.getRandomValues(new Uint8Array(16))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
  }
  return lastTry.key
}

async function isStillFree(address: string, slot: Slot, zone: string): Promise<boolean> {
  const date = dateIn(zone, Date.parse(slot.startTime))
  const days = await listSlots(address, date, date, zone, new AbortController().signal)
  return days.some((day) => day.slots.some(({ startTime }) => startTime === slot.startTime))
}

/** The guest's own link, from the `Location` header of the answer. */
function readOwnLink(location: string | null): OwnLink | undefined {
  const [, id, token] = /\/api\/public\/bookings\/([\w-]+)\?token=([\w-]+)$/.exec(location ?? '') ?? []
  return id === undefined || token === undefined ? undefined : { id, token }
}
