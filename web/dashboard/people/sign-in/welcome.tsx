import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { EVENT_TYPE_DEFAULTS } from '../../../../src/domain/event-types/event-type.ts'
import { LOCATION_TYPES } from '../../../../src/domain/event-types/location.ts'
import { isSlug } from '../../../../src/domain/people/slug.ts'
import { CopyButton, SubmitButton } from '../../core/buttons.tsx'
import { call, type ListPage, type Request, type Versioned } from '../../core/data/api.ts'
import { useAll, useMe } from '../../core/data/data.ts'
import { HostApiFailure } from '../../core/data/errors.ts'
import type {
  CalendarView,
  CreateEventType,
  CreateSchedule,
  EventTypeView,
  MeView,
  ScheduleView,
} from '../../core/data/views.ts'
import { NumberInput, Select, TextInput } from '../../core/fields/fields.tsx'
import { FieldError, FormError, FormErrors } from '../../core/fields/form-errors.tsx'
import { SlugInput, slugOf } from '../../core/fields/slug.tsx'
import { TimeSelect } from '../../core/fields/time-select.tsx'
import { ZoneField } from '../../core/fields/zone-field.tsx'
import { Loaded, Page, Section } from '../../core/page.tsx'
import { Link } from '../../core/router.tsx'
import { usePublicUrl } from '../../core/share/public-url.ts'
import { shortWeekday, useTimes, useWeekdays } from '../../core/time/times.ts'
import { words } from '../../words.ts'

/** From the first sign-in to a link that can be shared. */
export default function WelcomePage() {
  const me = useMe()
  return (
    <Page title={words.welcome.title} lead={words.welcome.lead}>
      <Loaded query={me}>{({ body }) => <Setup me={body} />}</Loaded>
    </Page>
  )
}

interface Person {
  readonly name: string
  readonly slug: string
}

interface Hours {
  readonly zone: string
  readonly opens: string
  readonly closes: string
  /** ISO weekdays: 1 is Monday. */
  readonly days: readonly number[]
}

interface FirstEvent {
  readonly name: string
  readonly minutes: number | null
  readonly location: EventTypeView['location']
}

const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

function Setup({ me }: { readonly me: MeView }) {
  const publicUrl = usePublicUrl()
  const client = useQueryClient()
  const [person, setPerson] = useState<Person>({ name: me.name, slug: me.slug })
  const [hours, setHours] = useState<Hours>(() => ({
    zone: ownZone(),
    opens: '09:00',
    closes: '17:00',
    days: [1, 2, 3, 4, 5],
  }))
  const [event, setEvent] = useState<FirstEvent>({
    name: words.welcome.eventDefault,
    minutes: EVENT_TYPE_DEFAULTS.durationMinutes,
    location: { type: 'Video', value: '' },
  })
  const finish = useMutation({
    mutationFn: () => setUp(person, hours, event),
    onSuccess: () => client.invalidateQueries(),
  })
  if (finish.data !== undefined) {
    const { slug, eventType } = finish.data
    return <Ready link={`${publicUrl}/${slug}/${eventType.slug}`} id={eventType.id} />
  }
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    if (!finish.isPending) finish.mutate()
  }
  return (
    <FormErrors error={finish.error}>
      <form onSubmit={submit} noValidate>
        <PersonSection person={person} onChange={setPerson} />
        <HoursSection hours={hours} onChange={setHours} />
        <EventSection event={event} onChange={setEvent} />
        <div className="block stack">
          <FormError />
          <div className="actions actions-centred">
            <SubmitButton busy={finish.isPending}>{words.welcome.finish}</SubmitButton>
            <Link className="text-button" to="/app/bookings">
              {words.welcome.skip}
            </Link>
          </div>
        </div>
      </form>
    </FormErrors>
  )
}

/** Saves all three steps. After a failure it can run again: what was saved is changed, not added twice. */
async function setUp(person: Person, hours: Hours, event: FirstEvent) {
  const { zone: timezone, opens, closes, days } = hours
  const page = await save<MeView>('person', '/me', { method: 'PATCH', body: { ...person, timezone } })
  const weekly = Object.fromEntries(days.map((day) => [String(day), [{ opens, closes }]]))
  const { body } = await call<ListPage<ScheduleView>>('/schedules?limit=100')
  const schedule = body.items.find(({ isDefault }) => isDefault)
  if (schedule === undefined) {
    const created: CreateSchedule = { name: words.welcome.scheduleName, timezone, weekly, isDefault: true }
    await save('hours', '/schedules', { method: 'POST', body: created })
  } else {
    await save('hours', `/schedules/${schedule.id}`, { method: 'PATCH', body: { timezone, weekly } })
  }
  const created: CreateEventType = {
    name: event.name,
    slug: isSlug(slugOf(event.name)) ? slugOf(event.name) : 'meeting',
    durationMinutes: event.minutes ?? EVENT_TYPE_DEFAULTS.durationMinutes,
    location: event.location,
  }
  const eventType = await save<EventTypeView>('event', '/event-types', { method: 'POST', body: created })
  return { slug: page.body.slug, eventType: eventType.body }
}

/** Puts the step before the refused field: all three have a name. */
async function save<T>(step: string, path: string, request: Request): Promise<Versioned<T>> {
  try {
    return await call<T>(path, request)
  } catch (error) {
    if (!(error instanceof HostApiFailure) || error.field === undefined) throw error
    throw new HostApiFailure(error.status, error.message, `${step}.${error.field}`)
  }
}

interface StepProps<T> {
  readonly onChange: (value: T) => void
}

function PersonSection({ person, onChange }: StepProps<Person> & { readonly person: Person }) {
  const w = words.welcome
  return (
    <Section title={w.you} hint={w.youHint}>
      <div className="columns">
        <TextInput
          label={w.name}
          field="person.name"
          autoComplete="name"
          maxLength={200}
          value={person.name}
          onChange={(name) => onChange({ ...person, name })}
        />
        <SlugInput
          field="person.slug"
          value={person.slug}
          onChange={(slug) => onChange({ ...person, slug })}
        />
      </div>
    </Section>
  )
}

function HoursSection({ hours, onChange }: StepProps<Hours> & { readonly hours: Hours }) {
  const w = words.welcome
  const { zone, opens, closes, days } = hours
  const weekdays = useWeekdays()
  const { tag } = useTimes()
  return (
    <Section title={w.hours} hint={w.hoursHint}>
      <ZoneField
        label={w.zone}
        field="person.timezone"
        zone={zone}
        onChange={(next) => onChange({ ...hours, zone: next })}
      />
      <fieldset>
        <legend className="label">{w.days}</legend>
        <div className="day-ticks">
          {weekdays.map((weekday) => (
            <label key={weekday} className="day-tick">
              <input
                type="checkbox"
                checked={days.includes(weekday)}
                onChange={({ target }) => {
                  const others = days.filter((day) => day !== weekday)
                  onChange({ ...hours, days: target.checked ? [...others, weekday] : others })
                }}
              />
              <span className="day-face" aria-hidden="true">
                {shortWeekday(tag, weekday)}
              </span>
              <span className="sr-only">{words.weekdays[weekday - 1]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="pair">
        <TimeSelect label={w.from} value={opens} onChange={(next) => onChange({ ...hours, opens: next })} />
        <TimeSelect
          label={w.until}
          closing
          value={closes}
          onChange={(next) => onChange({ ...hours, closes: next })}
        />
      </div>
      <FieldError field="hours" />
    </Section>
  )
}

function EventSection({ event, onChange }: StepProps<FirstEvent> & { readonly event: FirstEvent }) {
  const w = words.welcome
  const e = words.eventTypes
  const { location } = event
  return (
    <Section title={w.event} hint={w.eventHint}>
      <div className="columns">
        <TextInput
          label={w.eventName}
          field="event.name"
          maxLength={200}
          value={event.name}
          onChange={(name) => onChange({ ...event, name })}
        />
        <NumberInput
          label={e.duration}
          field="event.durationMinutes"
          unit={words.units.minutes}
          value={event.minutes}
          onChange={(minutes) => onChange({ ...event, minutes })}
        />
        <Select
          label={e.location}
          field="event.location.type"
          value={location.type}
          options={LOCATION_TYPES.map((id) => ({ id, label: words.locations[id] }))}
          onChange={(chosen) => {
            const type = LOCATION_TYPES.find((one) => one === chosen) ?? 'Video'
            onChange({ ...event, location: { ...location, type } })
          }}
        />
        <TextInput
          label={e.locationValues[location.type]}
          field="event.location.value"
          maxLength={2000}
          value={location.value}
          onChange={(value) => onChange({ ...event, location: { ...location, value } })}
        />
      </div>
    </Section>
  )
}

function Ready({ link, id }: { readonly link: string; readonly id: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const calendars = useAll<CalendarView>('/calendars')
  const w = words.welcome
  return (
    <>
      <section className="panel section ready">
        <h2 ref={heading} tabIndex={-1}>
          {w.doneTitle}
        </h2>
        <p className="muted">{w.doneLead}</p>
        <p className="link-box">
          <code>{link}</code>
          <CopyButton text={link}>{words.copyLink}</CopyButton>
        </p>
        <div className="actions">
          <a className="button" href={link} target="_blank" rel="noreferrer">
            {words.eventTypes.open}
          </a>
          <Link className="button button-quiet" to={`/app/event-types/${id}`}>
            {w.toEvent}
          </Link>
          <Link className="button button-quiet" to="/app/bookings">
            {w.toBookings}
          </Link>
        </div>
      </section>
      {calendars.data?.length === 0 && (
        <Section title={w.calendar} hint={w.calendarHint}>
          <div className="actions actions-centred">
            <Link className="button" to="/app/calendars?connect">
              {words.calendars.add}
            </Link>
            <Link className="text-button" to="/app/bookings">
              {w.skip}
            </Link>
          </div>
        </Section>
      )}
    </>
  )
}
