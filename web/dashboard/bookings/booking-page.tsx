import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Slot } from '../../../src/http/pages/page-data.ts'
import { eventAddress } from '../../parts/api.ts'
import { dateIn } from '../../parts/dates.ts'
import { Live } from '../../parts/live.tsx'
import { SlotPicker } from '../../parts/slot-picker.tsx'
import { cityOf } from '../../parts/zones.ts'
import { call, type Versioned } from '../core/api.ts'
import { Action, TextInput, Trouble } from '../core/controls.tsx'
import { isConflict, useEventTypes, useMe, useOne, useOwners } from '../core/data.ts'
import { Confirm, ConfirmWithReason, Sheet } from '../core/dialogs.tsx'
import { Conflict, Loaded, Page, RowsSkeleton, Section } from '../core/page.tsx'
import { addressOf, Link } from '../core/router.tsx'
import { instantAt, useTimes } from '../core/times.ts'
import type { BookingView, MemberView } from '../core/views.ts'
import { words } from '../words.ts'

export default function BookingPage({ id }: { readonly id: string }) {
  const booking = useOne<BookingView>(`/bookings/${id}`)
  return (
    <Page
      title={booking.data?.body.invitee.name ?? words.bookings.title}
      back={{ to: '/app/bookings', label: words.bookings.title }}
    >
      <Loaded query={booking} skeleton={<RowsSkeleton rows={5} />}>
        {(found) => <Booking found={found} reload={() => void booking.refetch()} />}
      </Loaded>
    </Page>
  )
}

type Asking = 'decline' | 'cancel' | 'no-show' | 'reschedule' | undefined

interface Wish {
  readonly action: 'approve' | 'decline' | 'cancel' | 'reschedule' | 'no-show'
  readonly body?: object
}

const SAID = {
  approve: words.bookings.approved,
  decline: words.bookings.declined,
  cancel: words.bookings.cancelledNow,
  reschedule: words.bookings.movedNow,
  'no-show': words.bookings.noShowNow,
}

interface BookingProps {
  readonly found: Versioned<BookingView>
  readonly reload: () => void
}

function Booking({ found, reload }: BookingProps) {
  const booking = found.body
  const times = useTimes()
  const client = useQueryClient()
  const me = useMe().data?.body
  const owner = useOwners().find(({ id }) => id === booking.ownerId)
  const eventType = useEventTypes().data?.find(({ id }) => id === booking.eventTypeId)
  const members = useOne<{ items: readonly MemberView[] }>(
    `/teams/${booking.ownerId}/members?limit=100`,
    owner?.team === true,
  )
  const [asking, setAsking] = useState<Asking>()
  const change = useMutation({
    mutationFn: ({ action, body = {} }: Wish) =>
      call<BookingView>(`/bookings/${booking.id}/${action}`, {
        method: 'POST',
        body,
        version: found.version,
      }),
    onSuccess: (answer) => {
      setAsking(undefined)
      client.setQueryData(['one', `/bookings/${booking.id}`], answer)
      return client.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/bookings'),
      })
    },
    onError: (error) => isConflict(error) && setAsking(undefined),
  })
  const [startsAt, endsAt] = [Date.parse(booking.startTime), Date.parse(booking.endTime)]
  const over = startsAt <= Date.now()
  const live = booking.status === 'Confirmed' || booking.status === 'PendingApproval'
  const mayChange = owner?.manages === true || (me !== undefined && booking.hostIds.includes(me.id))
  const mayMiss = over && (booking.status === 'Confirmed' || booking.status === 'Completed')
  const guestZone = booking.invitee.timezone
  const hostNames = booking.hostIds.map(
    (id) =>
      members.data?.body.items.find(({ userId }) => userId === id)?.name ??
      (id === me?.id ? me.name : undefined),
  )
  const close = () => {
    setAsking(undefined)
    change.reset()
  }
  const said =
    change.data === undefined || change.variables === undefined ? '' : SAID[change.variables.action]
  return (
    <>
      <Live>{said}</Live>
      {isConflict(change.error) && (
        <Conflict
          onReload={() => {
            change.reset()
            reload()
          }}
        />
      )}
      {said !== '' && (
        <p className="notice-good" aria-hidden="true">
          {said}
        </p>
      )}
      <Section
        title={words.bookings.details}
        actions={
          <span className="status" data-status={booking.status}>
            {words.statuses[booking.status]}
          </span>
        }
      >
        <dl className="facts-list">
          <Fact name={words.bookings.when}>
            <strong className="font-semibold">{times.day(startsAt)}</strong>
            <br />
            {times.time(startsAt)} – {times.time(endsAt)} ({cityOf(times.zone)})
            {guestZone !== times.zone && (
              <span className="block text-muted text-sm">
                {words.bookings.guestClock(times.moment(booking.startTime, guestZone), cityOf(guestZone))}
              </span>
            )}
          </Fact>
          <Fact name={words.bookings.what}>
            <Link className="link" to={`/app/event-types/${booking.eventTypeId}`}>
              {eventType?.name ?? booking.eventTypeId}
            </Link>
            {owner?.team && <span className="text-muted"> · {owner.name}</span>}
          </Fact>
          <Fact name={words.bookings.where}>
            {words.locations[booking.location.type]}
            {booking.location.value !== '' && (
              <span className="block wrap-anywhere">{booking.location.value}</span>
            )}
          </Fact>
          <Fact name={words.email}>
            <a className="link wrap-anywhere" href={`mailto:${booking.invitee.email}`}>
              {booking.invitee.email}
            </a>
          </Fact>
          {booking.invitee.phone !== '' && <Fact name={words.bookings.phone}>{booking.invitee.phone}</Fact>}
          {owner?.team && (
            <Fact name={words.bookings.host}>{hostNames.filter(Boolean).join(', ') || '…'}</Fact>
          )}
          {booking.seats > 1 && (
            <Fact name={words.bookings.seatLabel}>{words.bookings.seat(booking.seat, booking.seats)}</Fact>
          )}
          {booking.notes !== '' && (
            <Fact name={words.bookings.notes}>
              <span className="whitespace-pre-line wrap-anywhere">{booking.notes}</span>
            </Fact>
          )}
          {Object.entries(booking.customFields).map(([key, value]) => (
            <Fact
              key={key}
              name={eventType?.questions.find((question) => question.key === key)?.label ?? key}
            >
              <span className="whitespace-pre-line wrap-anywhere">{answerText(value)}</span>
            </Fact>
          ))}
          {booking.reason !== '' && <Fact name={words.bookings.reason}>{booking.reason}</Fact>}
          <Fact name={words.bookings.bookedAt}>
            {times.moment(booking.createdAt)}, {words.bookings.sources[booking.source]}
          </Fact>
          <Fact name={words.bookings.id}>
            <code className="text-sm wrap-anywhere">{booking.id}</code>
          </Fact>
        </dl>
        {asking === undefined && !isConflict(change.error) && <Trouble error={change.error} />}
        {mayChange && (live || mayMiss) && (
          <div className="flex flex-wrap gap-3">
            {booking.status === 'PendingApproval' && !over && (
              <>
                <Action
                  kind="main"
                  busy={change.isPending && change.variables.action === 'approve'}
                  onPress={() => change.mutate({ action: 'approve' })}
                >
                  {words.bookings.approve}
                </Action>
                <Action onPress={() => setAsking('decline')}>{words.bookings.decline}</Action>
              </>
            )}
            {live && !over && (
              <Action onPress={() => setAsking('reschedule')}>{words.bookings.reschedule}</Action>
            )}
            {booking.status === 'Confirmed' && !over && (
              <Action onPress={() => setAsking('cancel')}>{words.bookings.cancelBooking}</Action>
            )}
            {mayMiss && <Action onPress={() => setAsking('no-show')}>{words.bookings.noShow}</Action>}
          </div>
        )}
      </Section>
      {asking === 'decline' && (
        <ConfirmWithReason
          title={words.bookings.declineTitle(booking.invitee.name)}
          hint={words.bookings.declineHint}
          confirm={words.bookings.decline}
          busy={change.isPending}
          error={change.error}
          onClose={close}
          onConfirm={(reason) => change.mutate({ action: 'decline', body: reason ? { reason } : {} })}
        />
      )}
      {asking === 'cancel' && (
        <ConfirmWithReason
          title={words.bookings.cancelTitle(booking.invitee.name)}
          hint={words.bookings.cancelHint}
          confirm={words.bookings.cancelBooking}
          busy={change.isPending}
          error={change.error}
          onClose={close}
          onConfirm={(reason) => change.mutate({ action: 'cancel', body: reason ? { reason } : {} })}
        />
      )}
      {asking === 'no-show' && (
        <Confirm
          title={words.bookings.noShowTitle}
          confirm={words.bookings.noShow}
          danger={false}
          busy={change.isPending}
          error={change.error}
          onClose={close}
          onConfirm={() => change.mutate({ action: 'no-show' })}
        >
          {words.bookings.noShowHint}
        </Confirm>
      )}
      {asking === 'reschedule' && owner && eventType && (
        <Reschedule
          booking={booking}
          slots={eventAddress(addressOf(''), owner.slug, eventType.slug)}
          busy={change.isPending}
          error={change.error}
          onClose={close}
          onMove={(startTime) => change.mutate({ action: 'reschedule', body: { startTime } })}
        />
      )}
    </>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function answerText(value: unknown): string {
  if (typeof value === 'boolean') return value ? words.bookings.yes : words.bookings.no
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}

interface RescheduleProps {
  readonly booking: BookingView
  readonly slots: string
  readonly busy: boolean
  readonly error: unknown
  readonly onClose: () => void
  readonly onMove: (startTime: string) => void
}

function Reschedule({ booking, slots, busy, error, onClose, onMove }: RescheduleProps) {
  const times = useTimes()
  const [zone, setZone] = useState(times.zone)
  const [slot, setSlot] = useState<Pick<Slot, 'startTime'>>()
  const [free, setFree] = useState(false)
  const [date, setDate] = useState(dateIn(times.zone, Date.parse(booking.startTime)))
  const [clock, setClock] = useState('09:00')
  const chosen = free ? new Date(instantAt(zone, date, clock)).toISOString() : slot?.startTime
  return (
    <Sheet title={words.bookings.rescheduleTitle} onClose={onClose} wide>
      <p className="m-0 text-muted">
        {words.bookings.rescheduleNow}: {times.moment(booking.startTime, zone)}
      </p>
      {free ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextInput label={words.bookings.when} type="date" value={date} onChange={setDate} />
          <TextInput
            label={words.bookings.rescheduleTo}
            hint={cityOf(zone)}
            type="time"
            value={clock}
            onChange={setClock}
          />
        </div>
      ) : (
        <div className="picker">
          <SlotPicker
            address={slots}
            hostName=""
            zone={zone}
            onZone={setZone}
            startAt={dateIn(zone, Math.max(Date.parse(booking.startTime), Date.now()))}
            onPick={setSlot}
          />
        </div>
      )}
      <div>
        <button type="button" className="text-button" onClick={() => setFree(!free)}>
          {free ? words.back : words.bookings.otherTime}
        </button>
        {free && <p className="hint">{words.bookings.otherTimeHint}</p>}
      </div>
      {chosen !== undefined && (
        <p className="m-0 font-semibold" role="status">
          {words.bookings.rescheduleTo}: {times.moment(chosen, zone)}
        </p>
      )}
      <Trouble error={error} />
      <div className="flex flex-wrap justify-end gap-3">
        <Action onPress={onClose}>{words.bookings.keep}</Action>
        {chosen !== undefined && (
          <Action kind="main" busy={busy} onPress={() => onMove(chosen)}>
            {words.bookings.move}
          </Action>
        )}
      </div>
    </Sheet>
  )
}
