import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { BookingData, Slot } from '../../src/http/pages/page-data.ts'
import { addressWith, slotInAddress, writeAddress } from '../parts/address.ts'
import { withCarriedQuery } from '../parts/embedding.ts'
import type { Booked } from './booked.ts'

export type Step =
  | { readonly name: 'times'; readonly notice?: Notice }
  | { readonly name: 'form'; readonly slot: Slot }
  | { readonly name: 'done'; readonly booked: Booked }

/** Why the guest has to choose another time. */
interface Notice {
  /** `taken`: while they filled in the form; `missing`: the link that they opened names a time that isn't offered. */
  readonly why: 'taken' | 'missing'
  readonly startsAt: number
}

interface Way {
  readonly data: BookingData
  /** The slot that begins then, if it is free. */
  readonly findSlot: (startsAt: number) => Promise<Slot | undefined>
}

const TIMES: Step = { name: 'times' }

/**
 * The step that the guest is at. The chosen time is in the address, so that a reload, a shared link and the browser's
 * own buttons keep it.
 */
export function useSteps({ data, findSlot }: Way) {
  const [step, setStep] = useState<Step>(stepInHistory)
  const done = useRef<Step>(undefined)
  // A frame shares its history with the site around it, which may have added entries.
  const push = data.embed === false

  const showTimes = (notice?: Notice) => {
    const { arrival } = history.state ?? {}
    writeAddress(addressWith({ slot: undefined }), { state: { arrival } })
    setStep(notice === undefined ? TIMES : { name: 'times', notice })
  }
  const showForm = (slot: Slot, pushed: boolean) => {
    const state = { ...history.state, step: 'form', slot, pushed }
    writeAddress(addressWith({ slot: slot.startTime }), { push: pushed, state })
    setStep({ name: 'form', slot })
  }

  useAskedSlot(step, findSlot, (startsAt, slot) => {
    if (slot === undefined) showTimes({ why: 'missing', startsAt })
    else showForm(slot, false)
  })

  const go = useEffectEvent(({ state }: PopStateEvent) => {
    // After a reload, only the server knows what was booked; and whether a private link still works.
    const isStale =
      state?.step === 'booked' ? done.current === undefined : done.current && data.access?.tokens
    if (isStale) return location.reload()
    setStep(state?.step === 'booked' ? (done.current ?? TIMES) : stepInHistory())
  })
  useEffect(() => {
    const hear = (event: PopStateEvent) => go(event)
    addEventListener('popstate', hear)
    return () => removeEventListener('popstate', hear)
  }, [])

  return {
    step,
    pick: (slot: Slot) => showForm(slot, push),
    changeTime: () => (history.state?.pushed ? history.back() : showTimes()),
    /** Someone else has taken the time meanwhile. */
    lose: (slot: Slot) => showTimes({ why: 'taken', startsAt: Date.parse(slot.startTime) }),
    finish: (booked: Booked) => {
      done.current = { name: 'done', booked }
      // The address of the guest's own booking: it can be reloaded and kept.
      if (booked.link) {
        const { id, token } = booked.link
        const path = withCarriedQuery(`${data.base}/booking/${id}?token=${token}`)
        writeAddress(path, { state: { step: 'booked' } })
      }
      setStep(done.current)
    },
    startOver: (path: string) => {
      writeAddress(path, { push, state: null })
      setStep(TIMES)
    },
  }
}

/** The history has the slot that was chosen at this address. Its time may be held for the guest, and so not be listed. */
function stepInHistory(): Step {
  const slot: Slot | undefined = history.state?.slot
  return slot !== undefined && Date.parse(slot.startTime) === slotInAddress() ? { name: 'form', slot } : TIMES
}

/** Looks up the time that the link asks for, once, unless the guest chooses another one meanwhile. */
function useAskedSlot(
  step: Step,
  findSlot: Way['findSlot'],
  onFound: (startsAt: number, slot: Slot | undefined) => void,
): void {
  const present = useRef(step)
  present.current = step
  const find = useEffectEvent(findSlot)
  const found = useEffectEvent(onFound)
  useEffect(() => {
    const startsAt = slotInAddress()
    const first = present.current
    if (startsAt === undefined || first.name !== 'times') return
    let left = false
    find(startsAt).then(
      (slot) => left || present.current !== first || found(startsAt, slot),
      // The list of times says that it can't be loaded.
      () => {},
    )
    return () => {
      left = true
    }
  }, [])
}
