import type { Ref } from 'react'
import type { ScopeOfChange } from '../../src/domain/bookings/series.ts'
import type { Slot } from '../../src/http/pages/page-data.ts'
import { BackIcon } from '../parts/icons.tsx'
import { isFollowed, type OwnBooking } from '../parts/meeting/own-booking.ts'
import { useSpeech } from '../parts/texts.tsx'
import { dateIn } from '../parts/time/dates.ts'
import { SlotPicker } from '../parts/time/slot-picker.tsx'
import { useWhen } from '../parts/time/when.tsx'
import { useFailureText } from './failure-text.ts'
import { ScopeChoice } from './scope-choice.tsx'

interface StepProps {
  readonly booking: OwnBooking
  readonly zone: string
  readonly headingRef: Ref<HTMLHeadingElement>
  readonly onBack: () => void
}

interface ChooseProps extends StepProps {
  /** The address of the booking, which lists where it may move. */
  readonly address: string
  readonly onZone: (zone: string) => void
  readonly onPick: (slot: Slot) => void
}

/** The first step of rescheduling. */
export function ChooseTime({ booking, address, zone, onZone, headingRef, onBack, onPick }: ChooseProps) {
  const { tell } = useSpeech()
  return (
    <main className="card booking-move">
      <div className="move-head">
        <BackButton onClick={onBack} />
        <h1 ref={headingRef} tabIndex={-1}>
          {tell('chooseNewTime')}
        </h1>
        <CurrentTime booking={booking} zone={zone} />
      </div>
      <SlotPicker
        address={address}
        hostName={booking.host.name}
        zone={zone}
        onZone={onZone}
        startAt={startDate(booking, zone)}
        onPick={onPick}
      />
    </main>
  )
}

interface ConfirmProps extends StepProps {
  readonly slot: Slot
  readonly scope: ScopeOfChange
  readonly onScope: (scope: ScopeOfChange) => void
  readonly busy: boolean
  readonly error: Error | null
  readonly onConfirm: () => void
  readonly onKeep: () => void
}

/** The second step of rescheduling. */
export function ConfirmTime(props: ConfirmProps) {
  const { booking, slot, zone, headingRef, busy, error, onBack, onConfirm, onKeep } = props
  const { tell } = useSpeech()
  const failureText = useFailureText()
  const { day, hours } = useWhen()(Date.parse(slot.startTime), Date.parse(slot.endTime), zone)
  return (
    <main className="card manage">
      <BackButton onClick={onBack} />
      <h1 ref={headingRef} tabIndex={-1}>
        {tell('confirmMove', { time: `${day}, ${hours}` })}
      </h1>
      <CurrentTime booking={booking} zone={zone} />
      {isFollowed(booking) && <ScopeChoice scope={props.scope} onChange={props.onScope} />}
      <div role="alert">{error && <p className="alert">{failureText(error)}</p>}</div>
      <div className="actions">
        <button type="button" className="button" aria-disabled={busy} onClick={() => busy || onConfirm()}>
          {busy && <span className="spinner" aria-hidden="true" />}
          {tell(busy ? 'sending' : 'move')}
        </button>
        <button type="button" className="button button-quiet" onClick={onKeep}>
          {tell('keepTime')}
        </button>
      </div>
    </main>
  )
}

function CurrentTime({ booking, zone }: Pick<StepProps, 'booking' | 'zone'>) {
  const { tell } = useSpeech()
  const { day, hours } = useWhen()(Date.parse(booking.startTime), Date.parse(booking.endTime), zone)
  return <p className="muted">{tell('currentTime', { time: `${day}, ${hours}` })}</p>
}

function BackButton({ onClick }: { readonly onClick: () => void }) {
  const { tell } = useSpeech()
  return (
    <button type="button" className="text-button" onClick={onClick}>
      <BackIcon size={16} />
      {tell('back')}
    </button>
  )
}

/** The calendar opens on the day of the booking, unless it is over. */
function startDate({ startTime }: OwnBooking, zone: string): string | undefined {
  const startsAt = Date.parse(startTime)
  return startsAt > Date.now() ? dateIn(zone, startsAt) : undefined
}
