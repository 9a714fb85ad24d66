import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isChoice } from '../../../src/domain/event-types/questions.ts'
import { MINUTE } from '../../../src/domain/interval.ts'
import { eventAddress } from '../../parts/api.ts'
import { withBase } from '../core/base.ts'
import { call } from '../core/data/api.ts'
import { useChange, useEventTypes, useOwners } from '../core/data/data.ts'
import { HostApiFailure } from '../core/data/errors.ts'
import type { BookingView, EventTypeView } from '../core/data/views.ts'
import { CreateSheet } from '../core/dialogs.tsx'
import { Checkboxes, ListArea, Select, Switch, TextArea, TextInput } from '../core/fields/fields.tsx'
import { ZoneField } from '../core/fields/zone-field.tsx'
import { navigate } from '../core/router.tsx'
import { useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'
import { TimeChoice } from './time-choice.tsx'

interface Props {
  /** Chosen first; else the first of all. */
  readonly eventTypeId?: string
  /** Whose details are filled in. */
  readonly guest?: BookingView['invitee']
  /** Chosen first, as a custom time. */
  readonly startAt?: number
  readonly onClose: () => void
}

const inviteeFrom = (guest: Props['guest'], zone: string): Invitee => ({
  name: guest?.name ?? '',
  email: guest?.email ?? '',
  phone: guest?.phone ?? '',
  timezone: guest?.timezone ?? zone,
})

/** Books for a guest, as the host. */
export function BookSheet({ eventTypeId, guest, startAt, onClose }: Props) {
  const times = useTimes()
  const eventTypes = useEventTypes().data ?? []
  const owners = useOwners()
  const [chosenId, setChosenId] = useState(eventTypeId)
  const eventType = eventTypes.find(({ id }) => id === chosenId) ?? eventTypes[0]
  const owner = owners.find(({ id }) => id === eventType?.ownerId)
  const [minutes, setMinutes] = useState<number>()
  const [zone, setZone] = useState(times.zone)
  const [startTime, setStartTime] = useState(
    startAt === undefined ? undefined : new Date(startAt).toISOString(),
  )
  const [missing, setMissing] = useState<HostApiFailure>()
  const [invitee, setInvitee] = useState(inviteeFrom(guest, times.zone))
  const [notes, setNotes] = useState('')
  const [locationId, setLocationId] = useState<string>()
  const [guests, setGuests] = useState<readonly string[]>([])
  const [answers, setAnswers] = useState<Given>({})
  const client = useQueryClient()
  const b = words.bookings
  const duration = eventType?.durations.find((one) => one === minutes) ?? eventType?.durationMinutes ?? 0
  const location = eventType?.locations.find(({ id }) => id === locationId)
  const book = useChange(() => {
    const body = {
      eventTypeId: eventType?.id ?? '',
      startTime: startTime ?? '',
      endTime: startTime ? new Date(Date.parse(startTime) + duration * MINUTE).toISOString() : '',
      inviteeName: invitee.name,
      inviteeEmail: invitee.email,
      inviteePhone: invitee.phone,
      inviteeTimezone: invitee.timezone,
      ...(guest?.locale && { inviteeLocale: guest.locale }),
      inviteeNotes: notes,
      ...(location && { locationId: location.id }),
      ...(eventType && eventType.maxGuests > 0 && { guests }),
      customFields: answers,
    }
    return call<BookingView>('/bookings', { method: 'POST', body })
  }, ['/bookings'])
  return (
    <CreateSheet
      title={b.bookForGuest}
      submit={b.book}
      busy={book.isPending}
      error={missing ?? book.error}
      wide
      onClose={onClose}
      onSubmit={() => {
        setMissing(startTime === undefined ? new HostApiFailure(400, b.chooseTime) : undefined)
        if (startTime === undefined) return
        book.mutate(undefined, {
          onSuccess: (made) => {
            const path = `/bookings/${made.body.id}`
            // Someone else may host it, so that this is the only time that it can be seen.
            client.setQueryData(['one', path], made)
            navigate(`/app${path}`)
          },
        })
      }}
    >
      <Select
        label={b.what}
        field="eventTypeId"
        value={eventType?.id ?? ''}
        options={eventTypes.map(({ id, name }) => ({ id, label: name }))}
        onChange={(id) => {
          setChosenId(id)
          setStartTime(startAt === undefined ? undefined : new Date(startAt).toISOString())
          setAnswers({})
        }}
      />
      {eventType && eventType.durations.length > 1 && (
        <Select
          label={words.eventTypes.duration}
          field="endTime"
          value={String(duration)}
          options={eventType.durations.map((one) => ({
            id: String(one),
            label: tell(b.minutes, { count: one }),
          }))}
          onChange={(id) => {
            setMinutes(Number(id))
            setStartTime(undefined)
          }}
        />
      )}
      {eventType && owner && (
        <TimeChoice
          // Other slots, and none of the former ones is chosen.
          key={`${eventType.id} ${duration}`}
          address={eventAddress(withBase(''), owner.slug, eventType.slug)}
          duration={duration === eventType.durationMinutes ? undefined : duration}
          zone={zone}
          onZone={setZone}
          startAt={startAt ?? Date.now()}
          custom={startAt !== undefined}
          onChoose={setStartTime}
        />
      )}
      <strong role="status">{startTime !== undefined && times.moment(startTime, zone)}</strong>
      <GuestFields
        invitee={invitee}
        onChange={(part) => setInvitee((present) => ({ ...present, ...part }))}
      />
      <LocationChoice locations={eventType?.locations ?? []} chosen={location?.id} onChoose={setLocationId} />
      {eventType && eventType.maxGuests > 0 && (
        <ListArea
          label={b.additionalGuests}
          hint={b.guestsHint}
          field="guests"
          values={guests}
          onChange={setGuests}
        />
      )}
      <Answers eventType={eventType} answers={answers} onChange={setAnswers} />
      <TextArea label={b.notes} field="inviteeNotes" maxLength={5000} value={notes} onChange={setNotes} />
    </CreateSheet>
  )
}

type Invitee = Pick<BookingView['invitee'], 'name' | 'email' | 'phone' | 'timezone'>

interface GuestFieldsProps {
  readonly invitee: Invitee
  readonly onChange: (part: Partial<Invitee>) => void
}

/** Who the guest is, and where. */
function GuestFields({ invitee, onChange }: GuestFieldsProps) {
  const b = words.bookings
  return (
    <div className="columns">
      <TextInput
        label={words.name}
        field="inviteeName"
        maxLength={200}
        value={invitee.name}
        onChange={(name) => onChange({ name })}
      />
      <TextInput
        label={words.email}
        field="inviteeEmail"
        type="email"
        maxLength={254}
        value={invitee.email}
        onChange={(email) => onChange({ email })}
      />
      <TextInput
        label={b.phone}
        field="inviteePhone"
        type="tel"
        maxLength={40}
        value={invitee.phone}
        onChange={(phone) => onChange({ phone })}
      />
      <ZoneField
        label={b.guestZone}
        field="inviteeTimezone"
        zone={invitee.timezone}
        onChange={(timezone) => onChange({ timezone })}
      />
    </div>
  )
}

interface LocationChoiceProps {
  readonly locations: EventTypeView['locations']
  readonly chosen: string | undefined
  readonly onChoose: (id: string) => void
}

/** Where the meeting takes place, if there is a choice. */
function LocationChoice({ locations, chosen, onChoose }: LocationChoiceProps) {
  if (locations.length < 2) return null
  return (
    <Select
      label={words.bookings.where}
      field="locationId"
      value={chosen ?? locations[0]?.id ?? ''}
      options={locations.map(({ id, label, type }) => ({ id, label: label || words.locations[type] }))}
      onChange={onChoose}
    />
  )
}

interface AnswersProps {
  readonly eventType: EventTypeView | undefined
  readonly answers: Given
  readonly onChange: (answers: Given) => void
}

type Given = Readonly<Record<string, string | boolean | readonly string[]>>

/** The event type's own questions. */
function Answers({ eventType, answers, onChange }: AnswersProps) {
  return eventType?.questions.map(({ key, label, type, options }) => {
    const value = answers[key]
    const set = (answer: Given[string]) => onChange({ ...answers, [key]: answer })
    if (type === 'checkbox') return <Switch key={key} label={label} on={value === true} onChange={set} />
    if (type === 'multiselect') {
      const choices = options.map((id) => ({ id, label: id }))
      const chosen = options.filter((option) => Array.isArray(value) && value.includes(option))
      return <Checkboxes key={key} label={label} options={choices} chosen={chosen} onChange={set} />
    }
    const text = typeof value === 'string' ? value : ''
    if (isChoice(type)) {
      const choices = ['', ...options].map((id) => ({ id, label: id || '–' }))
      return <Select key={key} label={label} value={text} options={choices} onChange={set} />
    }
    return <TextInput key={key} label={label} value={text} onChange={set} />
  })
}
