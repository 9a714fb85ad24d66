import { type FormEvent, type Ref, useRef, useState } from 'react'
import type { Repeat } from '../../src/domain/bookings/series.ts'
import { cancelUntil, rescheduleUntil } from '../../src/domain/bookings/states.ts'
import type { BookingData, Slot } from '../../src/http/pages/page-data.ts'
import { ApiFailure, isUnconfirmed } from '../parts/api.ts'
import { Captcha, useCaptcha } from '../parts/captcha/captcha.tsx'
import { tellSite } from '../parts/embedding.ts'
import { stillShown } from '../parts/fields/check-field.ts'
import { focusFirstError } from '../parts/fields/field.tsx'
import { Honeypot } from '../parts/fields/honeypot.tsx'
import { BackIcon, CalendarIcon } from '../parts/icons.tsx'
import { Lazy, lazyPart } from '../parts/lazy-part.tsx'
import { Deadlines } from '../parts/meeting/deadlines.tsx'
import { type Speech, type Tell, useSpeech } from '../parts/texts.tsx'
import { useHour12, writeTime } from '../parts/time/clock.ts'
import { useWhen } from '../parts/time/when.tsx'
import type { Booked } from './booked.ts'
import { EmailCodeField, useEmailCode } from './email-code.tsx'
import { FormFields, type Mistakes, mistakesIn } from './form-fields.tsx'
import { totalOf } from './total.ts'
import { SlotGone, type Typed, useBooking } from './use-booking.ts'
import { useHold } from './use-hold.ts'

const priceSummary = lazyPart('price', async () => ({
  default: (await import('./paying.tsx')).PriceSummary,
}))

export const repeatChoice = lazyPart('repeat', () => import('./repeat-choice.tsx'))

interface Props {
  readonly data: BookingData
  readonly address: string
  readonly slot: Slot
  /** Its length, unless it is the default. */
  readonly duration: number | undefined
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

export function BookingForm(props: Props) {
  const { data, address, slot, duration, zone, utm, typed, onType, headingRef, onBack } = props
  const speech = useSpeech()
  const { locale, tell } = speech
  const { eventType } = data
  const [hour12] = useHour12(locale.tag)
  const form = useRef<HTMLFormElement>(null)
  const honeypot = useRef<HTMLInputElement>(null)
  const [errors, setErrors] = useState<Mistakes>({})
  const retype = (next: Typed) => {
    onType(next)
    setErrors((shown) => stillShown(shown, mistakesIn(tell, next, eventType), (field) => field !== 'code'))
  }
  const captcha = useCaptcha(data.captcha, address, 'book')

  const proof = useEmailCode(address, typed.email.trim(), data.confirmEmail, captcha)
  // With a CAPTCHA, a hold would need a solution before the form is filled in.
  const held = useHold(address, slot, data.holds && data.captcha.provider === '', props.onGone)

  const [repeat, setRepeat] = useState<Repeat>()
  const writeDate = (date: string) => writeDay(locale.tag, date)
  const explain = (error: Error) =>
    failureText(error, { tell, writeClock, writeDate, isInvited: data.access !== undefined })
  const writeClock = (at: number) => writeTime(locale.tag, zone, at, hour12)
  const booking = useBooking(
    {
      data,
      address,
      slot,
      duration,
      zone,
      utm,
      typed,
      honeypot: () => honeypot.current?.value ?? '',
      captcha,
      holdId: held?.id,
      repeat,
      emailCode: proof.code,
    },
    props,
  )

  const wrongCode =
    proof.code !== undefined && isUnconfirmed(booking.error) ? booking.error.message : undefined

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (booking.isPending || proof.request.isPending) return
    const mistakes = mistakesIn(tell, typed, eventType)
    if (proof.missing && Object.keys(mistakes).length === 0) {
      setErrors({})
      return proof.request.mutate(locale.language)
    }
    const found = proof.isWrong ? { ...mistakes, code: tell('codeMissing') } : mistakes
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
      <ChosenTime slot={slot} zone={zone} />
      {data.holds && <HoldNotice held={held} writeClock={writeClock} />}
      <h2 ref={headingRef} tabIndex={-1}>
        {tell('yourDetails')}
      </h2>
      <form ref={form} noValidate onSubmit={submit} className="fields">
        {eventType.series && (
          <Lazy part={repeatChoice}>
            {(RepeatChoice) => (
              <RepeatChoice
                data={data}
                slot={slot}
                typed={typed}
                repeat={repeat}
                zone={zone}
                onChange={setRepeat}
              />
            )}
          </Lazy>
        )}
        <FormFields
          questions={eventType.questions}
          locations={eventType.locations}
          maxGuests={eventType.maxGuests}
          sms={eventType.sms}
          typed={typed}
          errors={errors}
          onType={retype}
        />
        {proof.code !== undefined && (
          <EmailCodeField
            proof={proof}
            error={errors.code ?? wrongCode}
            onChange={() => {
              setErrors(({ code: _, ...others }) => others)
              if (wrongCode !== undefined) booking.reset()
            }}
          />
        )}
        {data.honeypot && <Honeypot inputRef={honeypot} />}
        {data.captcha.provider !== '' && <Captcha state={captcha} />}
        <OfferedDeadlines slot={slot} eventType={eventType} zone={zone} />
        <div role="alert">
          {booking.error !== null && wrongCode === undefined && !(booking.error instanceof SlotGone) && (
            <p className="alert">{explain(booking.error)}</p>
          )}
          {proof.request.isError && <p className="alert">{explain(proof.request.error)}</p>}
        </div>
        {data.eventType.price && (
          <Lazy part={priceSummary}>
            {(PriceSummary) => (
              <PriceSummary data={data} slot={slot} typed={typed} repeat={repeat} zone={zone} />
            )}
          </Lazy>
        )}
        <SubmitButton
          isBooking={booking.isPending}
          isSending={booking.isPending || proof.request.isPending}
          text={submitText({ data, slot, typed, repeat }, proof.missing, speech)}
        />
      </form>
    </section>
  )
}

/** What the button does: it pays, where that is what comes next. */
function submitText(
  bought: Parameters<typeof totalOf>[0],
  isCodeMissing: boolean,
  { tell, locale }: Speech,
): string {
  if (isCodeMissing) return tell('getCode')
  const { requiresApproval } = bought.data.eventType
  const price = totalOf(bought, locale.tag)
  if (price !== undefined) return tell(requiresApproval ? 'payAndRequest' : 'pay', { price })
  return tell(requiresApproval ? 'request' : 'confirm')
}

function SubmitButton(props: {
  readonly isBooking: boolean
  readonly isSending: boolean
  readonly text: string
}) {
  const { tell } = useSpeech()
  return (
    <button type="submit" className="button" aria-disabled={props.isBooking}>
      {props.isBooking && <span className="spinner" aria-hidden="true" />}
      {props.isSending ? tell('sending') : props.text}
    </button>
  )
}

function HoldNotice(props: {
  readonly held: ReturnType<typeof useHold>
  readonly writeClock: (at: number) => string
}) {
  const { tell } = useSpeech()
  const { held, writeClock } = props
  return (
    <p className="muted" role="status">
      {held && (held.id === undefined ? tell('holdOver') : tell('held', { time: writeClock(held.until) }))}
    </p>
  )
}

/** Until when this meeting could be changed, if it were booked. */
function OfferedDeadlines({
  slot,
  eventType,
  zone,
}: Pick<Props, 'slot' | 'zone'> & Pick<BookingData, 'eventType'>) {
  const startsAt = Date.parse(slot.startTime)
  return (
    <Deadlines
      startsAt={startsAt}
      cancelUntil={cancelUntil({ startsAt }, eventType)}
      rescheduleUntil={rescheduleUntil({ startsAt }, eventType)}
      zone={zone}
    />
  )
}

function ChosenTime({ slot, zone }: Pick<Props, 'slot' | 'zone'>) {
  const { day, hours } = useWhen()(Date.parse(slot.startTime), Date.parse(slot.endTime), zone)
  return (
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
  )
}

/** A date of a refusal, as the guest writes it. */
const writeDay = (tag: string, date: string) =>
  new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(date))

interface Writers {
  readonly tell: Tell
  readonly writeClock: (at: number) => string
  readonly writeDate: (date: string) => string
  /** Whether they came with a private link, or from a form. */
  readonly isInvited: boolean
}

/** Says why the booking failed, and what to do next. */
function failureText(error: Error, { tell, writeClock, writeDate, isInvited }: Writers): string {
  if (!(error instanceof ApiFailure)) return error.message
  if (error.status === 429) {
    const at = error.retryAt ?? Date.now() + 60_000
    return tell('tooOften', { time: writeClock(at + 59_999) })
  }
  // With a link, the sentence says what happened to it.
  if (error.status === 404) return isInvited ? error.message : tell('notOffered')
  if (error.code === 'start_again') return tell('startFromForm')
  if (error.code === 'email_unconfirmed') return tell('codeNeeded')
  // In English; in other languages the sentence itself has dates that people write.
  const dates = error.message.match(/\d{4}-\d\d-\d\d/g)
  if (error.status === 400 && dates !== null)
    return tell('seriesTaken', { dates: dates.map(writeDate).join('; ') })
  if (error.status === 0 || error.status >= 500) return tell('notReached')
  return error.message
}
