import { type FormEvent, type Ref, useRef, useState } from 'react'
import type { BookingData, Slot } from '../../src/http/pages/page-data.ts'
import { ApiFailure } from '../parts/api.ts'
import { checkField } from '../parts/check-field.ts'
import { tellSite } from '../parts/embedding.ts'
import { Field, focusFirstError } from '../parts/field.tsx'
import { BackIcon, CalendarIcon } from '../parts/icons.tsx'
import { type Tell, useSpeech } from '../parts/texts.tsx'
import { writeTime } from '../parts/time/clock.ts'
import { useWhen } from '../parts/time/when.tsx'
import { Captcha, useCaptcha } from './captcha.tsx'
import type { Booked } from './confirmation.tsx'
import { SlotGone, type Typed, useBooking } from './use-booking.ts'

interface Props {
  readonly data: BookingData
  readonly address: string
  readonly slot: Slot
  readonly zone: string
  readonly utm: Readonly<Record<string, string>>
  /** Kept by the page, so that choosing another slot loses nothing. */
  readonly typed: Typed
  readonly onType: (typed: Typed) => void
  readonly headingRef: Ref<HTMLHeadingElement>
  readonly onBack: () => void
  readonly onGone: (slot: Slot) => void
  readonly onBooked: (booked: Booked) => void
}

const OWN_FIELDS = [
  { name: 'name', type: 'text', text: 'name', required: true, autoComplete: 'name', most: 200 },
  { name: 'email', type: 'email', text: 'email', required: true, autoComplete: 'email', most: 254 },
  { name: 'phone', type: 'phone', text: 'phoneNumber', required: false, autoComplete: 'tel', most: 40 },
] as const

export function BookingForm(props: Props) {
  const { data, address, slot, zone, utm, typed, onType, headingRef, onBack, onGone, onBooked } = props
  const { locale, tell } = useSpeech()
  const { eventType } = data
  const form = useRef<HTMLFormElement>(null)
  const honeypot = useRef<HTMLInputElement>(null)
  const [errors, setErrors] = useState<Mistakes>({})
  const captcha = useCaptcha(data.captcha, address)
  const { day, hours } = useWhen()(Date.parse(slot.startTime), Date.parse(slot.endTime), zone)

  const booking = useBooking(
    { data, address, slot, zone, utm, typed, honeypot: () => honeypot.current?.value ?? '', captcha },
    { onBooked, onGone },
  )

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (booking.isPending) return
    const found = mistakesIn(tell, typed, eventType.questions)
    setErrors(found)
    if (Object.keys(found).length === 0) {
      tellSite('submitting', { eventTypeId: eventType.id })
      booking.mutate()
    } else {
      // After React has marked the mistakes.
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
          // Only for bots: hidden from people, screen readers, keyboards and autofill.
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

type Mistakes = Readonly<Record<string, string>>

/** What is wrong with each field, in words. */
function mistakesIn(tell: Tell, typed: Typed, questions: BookingData['eventType']['questions']): Mistakes {
  const own = OWN_FIELDS.map(({ name, most, ...field }) => [name, checkField(tell, field, typed[name], most)])
  const asked = questions.map((question) => [
    `answers.${question.key}`,
    checkField(tell, question, typed.answers[question.key]),
  ])
  return Object.fromEntries([...own, ...asked].filter(([, mistake]) => mistake !== undefined))
}
