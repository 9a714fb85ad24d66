import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { LOCATION_TYPES } from '../../../src/domain/event-types/event-type.ts'
import { isSlug } from '../../../src/domain/people/slug.ts'
import { ZonePicker } from '../../parts/zone-picker.tsx'
import { type Page as ApiPage, call } from '../core/api.ts'
import { CopyButton, NumberInput, Select, TextInput, Trouble } from '../core/controls.tsx'
import { useMe } from '../core/data.ts'
import { Loaded, Page, Section } from '../core/page.tsx'
import { usePublicUrl } from '../core/public-url.ts'
import { Link } from '../core/router.tsx'
import { slugOf } from '../core/slug-of.ts'
import type { EventTypeView, MeView, ScheduleView } from '../core/views.ts'
import { TimeSelect } from '../event-types/ranges.tsx'
import { words } from '../words.ts'

/** From the first sign-in to a link that can be shared. */
export default function WelcomePage() {
  const me = useMe()
  return (
    <Page title={words.welcome.title} lead={words.welcome.lead}>
      <Loaded query={me}>{({ body }) => <Steps me={body} />}</Loaded>
    </Page>
  )
}

const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

function Steps({ me }: { readonly me: MeView }) {
  const publicUrl = usePublicUrl()
  const client = useQueryClient()
  const [name, setName] = useState(me.name)
  const [slug, setSlug] = useState(me.slug)
  const [zone, setZone] = useState(ownZone)
  const [opens, setOpens] = useState('09:00')
  const [closes, setCloses] = useState('17:00')
  const [days, setDays] = useState<readonly number[]>([1, 2, 3, 4, 5])
  const [event, setEvent] = useState<string>(words.welcome.eventDefault)
  const [minutes, setMinutes] = useState<number | null>(30)
  const [place, setPlace] = useState<(typeof LOCATION_TYPES)[number]>('Video')
  const [value, setValue] = useState('')

  const finish = useMutation({
    mutationFn: async () => {
      // Each step may be repeated: what was done before a failure is not done twice.
      const page = await call<MeView>('/me', { method: 'PATCH', body: { name, slug, timezone: zone } })
      const weekly = Object.fromEntries(days.map((day) => [String(day), [{ opens, closes }]]))
      const { body } = await call<ApiPage<ScheduleView>>('/schedules?limit=100')
      const schedule = body.items.find(({ isDefault }) => isDefault)
      if (schedule === undefined) {
        const made = { name: words.welcome.hours, timezone: zone, weekly, isDefault: true }
        await call('/schedules', { method: 'POST', body: made })
      } else {
        await call(`/schedules/${schedule.id}`, { method: 'PATCH', body: { timezone: zone, weekly } })
      }
      const made = await call<EventTypeView>('/event-types', {
        method: 'POST',
        body: {
          name: event,
          slug: isSlug(slugOf(event)) ? slugOf(event) : 'meeting',
          durationMinutes: minutes ?? 30,
          location: { type: place, value },
        },
      })
      return { slug: page.body.slug, eventType: made.body }
    },
    onSuccess: () => client.invalidateQueries(),
  })
  if (finish.data !== undefined) {
    return (
      <Ready
        link={`${publicUrl}/${finish.data.slug}/${finish.data.eventType.slug}`}
        id={finish.data.eventType.id}
      />
    )
  }
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault()
    if (!finish.isPending) finish.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Section title={words.welcome.you} hint={words.welcome.youHint}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextInput
            label={words.welcome.name}
            autoComplete="name"
            maxLength={200}
            value={name}
            onChange={setName}
          />
          <TextInput
            label={words.welcome.address}
            prefix={`${publicUrl.replace(/^https?:\/\//, '')}/`}
            maxLength={64}
            value={slug}
            onChange={setSlug}
          />
        </div>
      </Section>
      <Section title={words.welcome.hours} hint={words.welcome.hoursHint}>
        <div>
          <p className="label m-0">{words.welcome.zone}</p>
          <ZonePicker zone={zone} onChange={setZone} at={Date.now()} />
        </div>
        <fieldset className="m-0 border-0 p-0">
          <legend className="label mb-2">{words.welcome.days}</legend>
          <div className="flex flex-wrap gap-2">
            {words.weekdays.map((weekday, index) => (
              <label key={weekday} className="day-tick">
                <input
                  type="checkbox"
                  checked={days.includes(index + 1)}
                  onChange={({ target }) =>
                    setDays(target.checked ? [...days, index + 1] : days.filter((day) => day !== index + 1))
                  }
                />
                <span className="day-face" aria-hidden="true">
                  {weekday.slice(0, 2)}
                </span>
                <span className="sr-only">{weekday}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <div className="grid grid-cols-2 gap-4 max-w-sm">
          <TimeSelect label={words.welcome.from} value={opens} onChange={setOpens} />
          <TimeSelect label={words.welcome.until} value={closes} onChange={setCloses} closing />
        </div>
      </Section>
      <Section title={words.welcome.event} hint={words.welcome.eventHint}>
        <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
          <TextInput label={words.welcome.eventName} maxLength={200} value={event} onChange={setEvent} />
          <NumberInput
            label={words.welcome.minutes}
            unit={words.units.minutes}
            value={minutes}
            onChange={setMinutes}
          />
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label={words.welcome.link}
            value={place}
            options={LOCATION_TYPES.map((id) => ({ id, label: words.locations[id] }))}
            onChange={(id) => setPlace(LOCATION_TYPES.find((one) => one === id) ?? 'Video')}
          />
          <TextInput
            label={words.eventTypes.locationValues[place]}
            maxLength={2000}
            value={value}
            onChange={setValue}
          />
        </div>
      </Section>
      <Trouble error={finish.error} />
      <div className="mt-6 flex flex-wrap items-center gap-4">
        <button type="submit" className="button" aria-disabled={finish.isPending}>
          {finish.isPending && <span className="spinner" aria-hidden="true" />}
          {words.welcome.finish}
        </button>
        <Link className="text-button" to="/app/bookings">
          {words.welcome.skip}
        </Link>
      </div>
    </form>
  )
}

function Ready({ link, id }: { readonly link: string; readonly id: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="panel section ready">
      <h2 ref={heading} tabIndex={-1}>
        {words.welcome.doneTitle}
      </h2>
      <p className="m-0 text-muted">{words.welcome.doneLead}</p>
      <p className="link-box">
        <code>{link}</code>
        <CopyButton text={link}>{words.copyLink}</CopyButton>
      </p>
      <div className="flex flex-wrap gap-3">
        <a className="button" href={link} target="_blank" rel="noreferrer">
          {words.welcome.open}
        </a>
        <Link className="button button-quiet" to={`/app/event-types/${id}`}>
          {words.welcome.toEvent}
        </Link>
        <Link className="button button-quiet" to="/app/bookings">
          {words.welcome.toBookings}
        </Link>
      </div>
    </section>
  )
}
