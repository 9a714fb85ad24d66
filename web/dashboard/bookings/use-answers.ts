import { useCallback, useEffect, useRef, useState } from 'react'
import type { ListedBookingView } from '../core/data/views.ts'
import { UNDO_OFFERED } from '../core/undo-toast.tsx'

export type Answer = 'approve' | 'decline'

/**
 * Keeps the rows of answered requests in their place, so that a second click never hits another guest.
 *
 * They leave once the last answer can't be undone, the pointer is off the list, and the focus is elsewhere.
 */
export function useAnswers(bookings: readonly ListedBookingView[]) {
  const [held, setHeld] = useState<readonly ListedBookingView[]>([])
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answer>>(new Map())
  const [undoable, setUndoable] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const hovered = useRef(false)

  const letGo = useCallback(() => {
    if (undoable !== undefined || hovered.current || list.current?.querySelector(':focus-visible')) return
    setHeld([])
    setAnswers(new Map())
  }, [undoable])
  useEffect(() => {
    if (undoable === undefined) return letGo()
    const timer = setTimeout(() => {
      const toast = document.activeElement?.closest('.toast')
      if (toast) focusRow(toast.closest('li'))
      setUndoable(undefined)
    }, UNDO_OFFERED)
    return () => clearTimeout(timer)
  }, [undoable, letGo])

  const heldIds = new Set(held.map(({ id }) => id))
  return {
    shown: [...held, ...bookings.filter(({ id }) => !heldIds.has(id))],
    answers,
    undoable,
    answered: (id: string, answer: Answer) => {
      if (held.length === 0) setHeld(bookings)
      setAnswers((before) => new Map(before).set(id, answer))
      setUndoable(id)
    },
    undone: (id: string) => {
      setAnswers((before) => new Map([...before].filter(([other]) => other !== id)))
      setUndoable(undefined)
    },
    listProps: {
      ref: list,
      onPointerEnter: () => {
        hovered.current = true
      },
      onPointerLeave: ({ pointerType }: { readonly pointerType: string }) => {
        // A finger leaves with every tap, and comes back for the next.
        if (pointerType === 'touch') return
        hovered.current = false
        letGo()
      },
      onBlur: ({ relatedTarget }: { readonly relatedTarget: EventTarget | null }) => {
        if (!list.current?.contains(relatedTarget as Node | null)) letGo()
      },
    },
  }
}

/** Focuses the row itself when a button in it is about to go. */
export function focusRow(row: HTMLElement | null): void {
  const focused = document.activeElement
  if (focused === null || focused === document.body || row?.contains(focused)) {
    row?.querySelector('a')?.focus()
  }
}
