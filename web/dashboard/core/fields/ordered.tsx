import { type RefObject, useEffect, useRef, useState } from 'react'
import { tell, words } from '../../words.ts'
import { IconButton } from '../buttons.tsx'
import { CrossIcon, DownIcon, GripIcon, UpIcon } from '../icons.tsx'

interface Props<T> {
  readonly items: readonly T[]
  readonly index: number
  /** The item's name, for screen readers. */
  readonly name: string
  readonly onChange: (items: readonly T[]) => void
}

/** Buttons that move an item of a list up or down, or remove it. */
export function OrderButtons<T>({ items, index, name, onChange }: Props<T>) {
  return (
    <MoveButtons
      index={index}
      count={items.length}
      name={name}
      onMove={(to) => onChange(moved(items, index, to))}
      onRemove={() => onChange(items.toSpliced(index, 1))}
    />
  )
}

interface MoveProps {
  readonly index: number
  readonly count: number
  readonly name: string
  readonly onMove: (to: number) => void
  readonly onRemove: () => void
}

/** The same for a list that knows how its items move. */
export function MoveButtons({ index, count, name, onMove, onRemove }: MoveProps) {
  return (
    <div className="nested-tools">
      <IconButton
        label={tell(words.moveUp, { name })}
        disabled={index === 0}
        onPress={() => onMove(index - 1)}
      >
        <UpIcon size={16} />
      </IconButton>
      <IconButton
        label={tell(words.moveDown, { name })}
        disabled={index === count - 1}
        onPress={() => onMove(index + 1)}
      >
        <DownIcon size={16} />
      </IconButton>
      <IconButton label={tell(words.removeOf, { name })} onPress={onRemove}>
        <CrossIcon size={16} />
      </IconButton>
    </div>
  )
}

interface GripProps {
  /** Says that it drags, and that arrow keys do the same. */
  readonly label: string
  readonly onDragStart: (pointerId: number, y: number) => void
  /** Moves by one, up (-1) or down (1). */
  readonly onStep: (step: number) => void
}

/** The handle by which an item is dragged, or moved with the arrow keys. */
export function Grip({ label, onDragStart, onStep }: GripProps) {
  return (
    <button
      type="button"
      className="round grip"
      aria-label={label}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        // Otherwise a mouse would select text while it drags.
        event.preventDefault()
        event.currentTarget.focus()
        onDragStart(event.pointerId, event.clientY)
      }}
      onKeyDown={(event) => {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
        if (step === undefined) return
        event.preventDefault()
        onStep(step)
      }}
    >
      <GripIcon size={16} />
    </button>
  )
}

export const moved = <T,>(items: readonly T[], from: number, to: number): readonly T[] =>
  items.toSpliced(from, 1).toSpliced(to, 0, items[from] as T)

/** Keys that stay with the items of a list that have no ids: their state and the focus move with them. */
export function useKeys<T>(items: readonly T[], onChange: (items: readonly T[]) => void) {
  const [keys, setKeys] = useState<readonly number[]>(() => items.map((_, index) => index))
  const next = useRef(items.length)
  const known =
    keys.length === items.length ? keys : items.map((_, index) => keys[index] ?? next.current + index)
  if (known !== keys) {
    // The list was loaded anew, or an edit was discarded.
    next.current += items.length
    setKeys(known)
  }
  return {
    keys: known,
    add: (item: T): number => {
      const key = next.current++
      setKeys([...known, key])
      onChange([...items, item])
      return key
    },
    move: (from: number, to: number) => {
      setKeys(moved(known, from, to))
      onChange(moved(items, from, to))
    },
    remove: (index: number) => {
      setKeys(known.toSpliced(index, 1))
      onChange(items.toSpliced(index, 1))
    },
  }
}

interface Drag {
  readonly from: number
  readonly to: number
  /** How far the item has been dragged, in pixels. */
  readonly by: number
}

/** Within this many pixels of an edge of the window, dragging scrolls. */
const SCROLL_ZONE = 64
const SCROLL_STEP = 12

/**
 * Items of a list that are dragged by a handle, with mouse, pen or finger.
 *
 * They only look moved until the handle is let go, so nothing in the page changes its place meanwhile.
 * Escape puts the item back.
 */
export function useDrag(list: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Drag>()
  const end = useRef<() => void>(undefined)
  useEffect(() => () => end.current?.(), [])

  const start = (from: number, pointerId: number, startY: number) => {
    const items = [...(list.current?.children ?? [])].map((item) => item.getBoundingClientRect())
    const own = items[from]
    if (own === undefined) return
    const startScroll = scrollY
    let y = startY
    let present: Drag = { from, to: from, by: 0 }
    const follow = () => {
      const by = y - startY + scrollY - startScroll
      // An item makes room when the dragged one covers half of it.
      const above = items.filter((item, index) => {
        const edge = index < from ? own.top + by : own.bottom + by
        return index !== from && item.top + item.height / 2 < edge
      })
      present = { from, to: above.length, by }
      setDrag(present)
    }
    const scroll = () => {
      const step = y < SCROLL_ZONE ? -SCROLL_STEP : y > innerHeight - SCROLL_ZONE ? SCROLL_STEP : 0
      if (step !== 0) {
        scrollBy(0, step)
        follow()
      }
      frame = requestAnimationFrame(scroll)
    }
    let frame = requestAnimationFrame(scroll)
    const listening = new AbortController()
    const stop = () => {
      cancelAnimationFrame(frame)
      listening.abort()
      setDrag(undefined)
    }
    const options = { signal: listening.signal }
    const ours = (act: (event: PointerEvent) => void) => (event: PointerEvent) => {
      if (event.pointerId === pointerId) act(event)
    }
    addEventListener(
      'pointermove',
      ours((event) => {
        y = event.clientY
        follow()
      }),
      options,
    )
    addEventListener(
      'pointerup',
      ours(() => {
        stop()
        if (present.to !== from) onMove(from, present.to)
      }),
      options,
    )
    addEventListener('pointercancel', ours(stop), options)
    addEventListener('keydown', (event) => event.key === 'Escape' && stop(), options)
    end.current = stop
  }

  /** How far an item is from its place, in pixels. Items make room for the one that is dragged. */
  const offsetOf = (index: number): number => {
    if (drag === undefined) return 0
    const { from, to, by } = drag
    if (index === from) return by
    const rows = list.current?.children
    const [own, next] = [rows?.[from], rows?.[from + 1] ?? rows?.[from - 1]]
    if (!(own instanceof HTMLElement) || !(next instanceof HTMLElement)) return 0
    const [first, second] = own.offsetTop < next.offsetTop ? [own, next] : [next, own]
    const room = own.offsetHeight + second.offsetTop - first.offsetTop - first.offsetHeight
    if (index > from && index <= to) return -room
    return index < from && index >= to ? room : 0
  }
  return { dragged: drag?.from, start, offsetOf }
}
