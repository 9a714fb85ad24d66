import { useEffect, useEffectEvent, useState } from 'react'
import type { Slot } from '../../src/http/pages/page-data.ts'
import { addressWith, slotInAddress, writeAddress } from '../parts/address.ts'
import type { OwnBooking } from '../parts/meeting/own-booking.ts'

export type View =
  | { readonly name: 'details' }
  | { readonly name: 'times' }
  | { readonly name: 'confirm'; readonly slot: Slot }

const DETAILS: View = { name: 'details' }

/**
 * Which step of rescheduling the guest is at. It is in the address, so that the browser's own buttons and a reload
 * keep it.
 */
export function useView(booking: OwnBooking, isEmbedded: boolean) {
  const [view, setView] = useState<View>(() => viewInAddress(booking))

  const read = useEffectEvent(() => setView(viewInAddress(booking)))
  useEffect(() => {
    const hear = () => read()
    addEventListener('popstate', hear)
    return () => removeEventListener('popstate', hear)
  }, [])

  // A frame shares its history with the site around it, which may have added entries.
  const show = (next: View, push = false) => {
    const state = { ...history.state, ...(push && { depth: depthOf() + 1 }) }
    writeAddress(addressOf(next), { push, state })
    setView(next)
  }
  /** Goes back over entries of this page alone. */
  const goBack = (steps: number, otherwise: View) => {
    if (steps > 0 && steps <= depthOf()) history.go(-steps)
    else show(otherwise)
  }

  return {
    view,
    chooseTime: () => show({ name: 'times' }, !isEmbedded),
    confirm: (slot: Slot) => show({ name: 'confirm', slot }, !isEmbedded),
    back: () => goBack(1, view.name === 'confirm' ? { name: 'times' } : DETAILS),
    showDetails: () => goBack(depthOf(), DETAILS),
  }
}

/** How many entries of this page lie before this one. */
const depthOf = (): number => history.state?.depth ?? 0

const addressOf = (view: View): string =>
  addressWith({
    step: view.name === 'details' ? undefined : 'reschedule',
    slot: view.name === 'confirm' ? view.slot.startTime : undefined,
  })

function viewInAddress({ canReschedule, startTime, endTime }: OwnBooking): View {
  if (!canReschedule || new URLSearchParams(location.search).get('step') !== 'reschedule') return DETAILS
  const startsAt = slotInAddress()
  if (startsAt === undefined) return { name: 'times' }
  // A booking moves at its own length.
  const endsAt = startsAt + Date.parse(endTime) - Date.parse(startTime)
  const [start, end] = [startsAt, endsAt].map((at) => new Date(at).toISOString())
  return { name: 'confirm', slot: { startTime: start ?? '', endTime: end ?? '' } }
}
