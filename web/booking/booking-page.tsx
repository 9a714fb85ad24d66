import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { askedDate } from '../../src/domain/calendar-date.ts'
import { isChoice } from '../../src/domain/event-types/questions.ts'
import { returnAddress } from '../../src/domain/event-types/return-url.ts'
import { writeLength } from '../../src/format/price.ts'
import type { BookingData, Slot } from '../../src/http/pages/page-data.ts'
import { addressWith, slotInAddress, writeAddress } from '../parts/address.ts'
import { eventAddress } from '../parts/api.ts'
import { factsOf, tellSite, useSetup, withCarriedQuery } from '../parts/embedding.ts'
import { chosenIn } from '../parts/fields/several.ts'
import { useFocusedHeading } from '../parts/focused-heading.ts'
import { Frame, Host } from '../parts/frame.tsx'
import { Lazy, lazyPart, usePreloaded } from '../parts/lazy-part.tsx'
import { Facts } from '../parts/meeting/facts.tsx'
import { carryJustBooked } from '../parts/meeting/just-booked.ts'
import { rememberBooking } from '../parts/meeting/link-bookings.ts'
import type { NewBooking } from '../parts/meeting/own-booking.ts'
import { handOver, inOurWords, readArrival } from '../parts/prefill.ts'
import { Queries } from '../parts/queries.tsx'
import { RichText } from '../parts/rich-text.ts'
import { useSpeech } from '../parts/texts.tsx'
import { dateIn } from '../parts/time/dates.ts'
import { SlotPicker, slotsKey } from '../parts/time/slot-picker.tsx'
import { useWhen } from '../parts/time/when.tsx'
import { useZone } from '../parts/time/zones.ts'
import { BookingForm, repeatChoice } from './booking-form.tsx'
import { Confirmation, unpaidConfirmation } from './confirmation.tsx'
import { findSlot, type Typed } from './use-booking.ts'
import { type Step, useSteps } from './use-steps.ts'

const unpaidNotice = lazyPart('unpaid', async () => ({
  default: (await import('./paying.tsx')).UnpaidNotice,
}))

// Read before rendering, because reading removes it from the URL.
const arrival = readArrival()
const ownPath = location.pathname + location.search

export function BookingPage({ data }: { readonly data: BookingData }) {
  const carryBooked = useRef<() => void>(undefined)
  return (
    <Queries>
      <Frame {...data} onLanguage={() => carryBooked.current?.()}>
        <Steps data={data} carryBooked={carryBooked} />
      </Frame>
    </Queries>
  )
}

interface StepsProps {
  readonly data: BookingData
  /** For the page in another language. */
  readonly carryBooked: RefObject<(() => void) | undefined>
}

function Steps({ data, carryBooked }: StepsProps) {
  const { host, eventType, base } = data
  const client = useQueryClient()
  usePreloaded(...(eventType.price ? [unpaidConfirmation] : []), ...(eventType.series ? [repeatChoice] : []))
  const [zone, setZone] = useZone()
  const [duration, chooseDuration] = useDuration(data.duration)
  const otherDuration = duration === eventType.durationMinutes ? undefined : duration
  const address = eventAddress(base, host.slug, eventType.slug, data.access?.tokens)
  const { step, ...steps } = useSteps({
    data,
    findSlot: (startsAt) => findSlot({ address, zone, duration: otherDuration }, startsAt),
  })
  const { typed, setTyped, utm } = useTyped(data, step)
  carryBooked.current = () => step.name === 'done' && carryJustBooked(step.booked.id)
  const [lastDate, setLastDate] = useState(() => firstDate(zone) ?? data.opensOn)
  const heading = useFocusedHeading(step)

  const pick = (slot: Slot) => {
    setLastDate(dateIn(zone, Date.parse(slot.startTime)))
    steps.pick(slot)
    tellSite('slotSelected', { eventTypeId: eventType.id }, { eventTypeSlug: eventType.slug })
  }
  const refresh = () => client.invalidateQueries({ queryKey: slotsKey(address) })
  const tellBooked = (booked: NewBooking) =>
    tellSite('booked', { eventTypeId: eventType.id, bookingId: booked.id }, factsOf(eventType.slug, booked))

  return (
    <main className="card booking">
      <About data={data} duration={duration} />
      {step.name === 'times' && (
        <SlotPicker
          address={address}
          duration={otherDuration}
          above={
            <>
              {eventType.price && (
                <Lazy part={unpaidNotice}>
                  {(UnpaidNotice) => (
                    <UnpaidNotice
                      base={base}
                      eventTypeId={eventType.id}
                      zone={zone}
                      isEmbedded={data.embed !== false}
                      onPaid={tellBooked}
                      onEnded={() => void refresh()}
                    />
                  )}
                </Lazy>
              )}
              <DurationChoice eventType={eventType} chosen={duration} onChoose={chooseDuration} />
            </>
          }
          hostName={host.name}
          hostZone={host.timeZone}
          zone={zone}
          onZone={setZone}
          onPick={pick}
          {...(duration === data.duration && { first: data.slots })}
          startAt={lastDate}
          headingRef={heading}
          notice={step.notice && <ChooseAnother {...step.notice} zone={zone} />}
        />
      )}
      {step.name === 'form' && (
        <BookingForm
          data={data}
          address={address}
          slot={step.slot}
          duration={otherDuration}
          zone={zone}
          utm={utm}
          typed={typed}
          onType={setTyped}
          headingRef={heading}
          onBack={steps.changeTime}
          onGone={steps.lose}
          onBooked={(booked) => {
            steps.finish(booked)
            if (eventType.price)
              void import('./paying.tsx').then(({ keepUnpaid }) => keepUnpaid(data, booked))
            if (booked.payBy !== undefined) return void refresh()
            const used = data.access?.tokens.link
            if (used !== undefined && booked.link) rememberBooking(used, booked.link)
            tellBooked(booked)
            if (eventType.returnUrl !== '') leaveFor(returnAddress(eventType.returnUrl, booked))
            void refresh()
          }}
        />
      )}
      {step.name === 'done' && (
        <Confirmation
          data={data}
          booked={step.booked}
          headingRef={heading}
          onPaid={(paid) => {
            tellBooked(paid)
            if (eventType.returnUrl !== '') leaveFor(returnAddress(eventType.returnUrl, paid))
          }}
          onEnded={() => {
            steps.startOver(pathWith(otherDuration))
            void refresh()
          }}
          onAgain={data.access ? undefined : () => steps.startOver(pathWith(otherDuration))}
        />
      )}
    </main>
  )
}

/** What the guest has typed, beginning with what the link or the site around the page fills in. */
function useTyped(data: BookingData, { name: step }: Step) {
  const [typed, setTyped] = useState<Typed>(() =>
    typedFrom(data, { ...linkAnswers(data), ...arrival.prefill }),
  )
  const [utm, setUtm] = useState(arrival.utm)
  useSetup((setup) => {
    setTyped((present) => fillIn(present, typedFrom(data, setup.prefill), data.eventType.locations[0]?.id))
    setUtm({ ...setup.utm, ...arrival.utm })
  })
  // For a reload, and for the page in another language.
  const leave = useEffectEvent(() => {
    if (step !== 'done') handOver(location.pathname, { prefill: prefillFrom(typed), utm })
  })
  useEffect(() => {
    const hear = () => leave()
    addEventListener('pagehide', hear)
    return () => removeEventListener('pagehide', hear)
  }, [])
  return { typed, setTyped, utm }
}

/** The date that the calendar opens at, if the address names one. */
function firstDate(zone: string): string | undefined {
  const startsAt = slotInAddress()
  if (startsAt !== undefined) return dateIn(zone, startsAt)
  return askedDate(Object.fromEntries(new URLSearchParams(location.search)))
}

/** The length of the meeting, kept in the address for a reload and for a link to share. */
function useDuration(first: number): readonly [number, (minutes: number) => void] {
  const [duration, setDuration] = useState(first)
  const choose = (minutes: number) => {
    setDuration(minutes)
    writeAddress(addressWith({ duration: String(minutes) }), { state: history.state })
  }
  return [duration, choose]
}

/** What can be booked here, and with whom. */
function About({ data, duration }: { readonly data: BookingData; readonly duration: number }) {
  const { host, eventType, base } = data
  return (
    <section className="about">
      <Host
        host={host}
        {...(data.embed === false && { profile: withCarriedQuery(`${base}/${host.slug}`) })}
      />
      <h1>{eventType.name}</h1>
      <Facts eventType={{ ...eventType, durations: [duration] }} members={data.members} />
      {eventType.description !== '' && <RichText text={eventType.description} />}
      {data.standIns.map(({ away, book, path }) => (
        <p key={away} className="stand-in">
          {away}{' '}
          <a className="link" href={withCarriedQuery(base + path)}>
            {book}
          </a>
        </p>
      ))}
    </section>
  )
}

/** Says why the guest has to choose another time. */
function ChooseAnother(props: {
  readonly why: 'taken' | 'missing'
  readonly startsAt: number
  readonly zone: string
}) {
  const { tell } = useSpeech()
  const { day, start } = useWhen()(props.startsAt, props.startsAt, props.zone)
  return (
    <p className="alert" role="alert">
      {props.why === 'taken'
        ? tell('slotGone', { time: start })
        : tell('slotMissing', { time: `${day}, ${start}` })}
    </p>
  )
}

/** The lengths of a meeting that the guest chooses from. */
function DurationChoice(props: {
  readonly eventType: Pick<BookingData['eventType'], 'durations' | 'price'>
  readonly chosen: number
  readonly onChoose: (minutes: number) => void
}) {
  const { locale, tell } = useSpeech()
  const { durations } = props.eventType
  if (durations.length < 2) return null
  return (
    <fieldset className="segments durations" aria-label={tell('duration')}>
      {durations.map((minutes) => (
        <button
          key={minutes}
          type="button"
          aria-pressed={minutes === props.chosen}
          onClick={() => props.onChoose(minutes)}
        >
          {writeLength(props.eventType, minutes, locale.tag)}
        </button>
      ))}
    </fieldset>
  )
}

/** The address of this page, with the length that is chosen. */
function pathWith(duration: number | undefined): string {
  const url = new URL(ownPath, location.href)
  url.searchParams.delete('slot')
  if (duration === undefined) url.searchParams.delete('duration')
  else url.searchParams.set('duration', String(duration))
  return url.pathname + url.search
}

/** Leaves for the host's page; in a frame, the site around it goes there. The confirmation shows meanwhile. */
function leaveFor(address: string): void {
  try {
    ;(window.top ?? window).location.href = address
  } catch {
    // A sandboxed frame must not move its site: the confirmation stays.
  }
}

/** The initial form: empty, except for prefilled answers. */
function typedFrom({ eventType }: BookingData, known: Readonly<Record<string, string>>): Typed {
  const prefill = inOurWords(known, eventType.questions)
  const own = eventType.questions.map(({ key, type, options }) => {
    const given = prefill[key] ?? ''
    if (type === 'checkbox') return [key, /^(?:true|1|yes|on)$/i.test(given)] as const
    return [key, isChoice(type) ? chosenIn(given, options).join('\n') : given] as const
  })
  const { locations } = eventType
  const offered = locations.find(({ id }) => id === prefill.locationId) ?? locations[0]
  return {
    name: prefill.name ?? '',
    email: prefill.email ?? '',
    phone: prefill.phone ?? '',
    // Nobody agrees for the guest.
    smsConsent: false,
    notes: prefill.notes ?? '',
    locationId: offered?.id ?? '',
    guests: eventType.maxGuests > 0 ? (prefill.guests ?? '') : '',
    answers: Object.fromEntries(own),
  }
}

/** What was typed, as the next page of this tab takes it over. */
function prefillFrom({ answers, smsConsent: _, ...own }: Typed): Readonly<Record<string, string>> {
  const given = Object.entries(answers).map(([key, answer]) => [key, String(answer)])
  return { ...Object.fromEntries(given), ...own }
}

/** What the guest's private link fills in. */
const linkAnswers = ({ access }: BookingData): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(access?.answers ?? {}).map(([key, answer]) => [key, String(answer)]))

/** Fills in only the fields that are still empty. */
function fillIn(typed: Typed, known: Typed, first: string | undefined): Typed {
  const answers = Object.entries(known.answers).map(([key, answer]) => [key, typed.answers[key] || answer])
  return {
    name: typed.name || known.name,
    email: typed.email || known.email,
    phone: typed.phone || known.phone,
    smsConsent: typed.smsConsent,
    notes: typed.notes || known.notes,
    guests: typed.guests || known.guests,
    // The first is chosen from the start: only another one was chosen by someone.
    locationId: typed.locationId === first ? known.locationId : typed.locationId,
    answers: Object.fromEntries(answers),
  }
}
