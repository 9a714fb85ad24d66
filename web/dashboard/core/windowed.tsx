import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useDrag } from './fields/ordered.tsx'

/** What a row puts on its element: where it is in the whole list, and where it is while it is dragged. */
export interface RowPlace {
  readonly index: number
  readonly props: {
    readonly 'aria-setsize'?: number
    readonly 'aria-posinset'?: number
    readonly 'data-dragged'?: true | undefined
    readonly style?: CSSProperties | undefined
  }
  readonly onDragStart: (pointerId: number, y: number) => void
}

interface Props<T> {
  readonly items: readonly T[]
  readonly className: string
  readonly label?: string
  readonly onMove?: (from: number, to: number) => void
  /** Called when the last rows are drawn. */
  readonly onEnd?: (() => void) | undefined
  readonly children: (item: T, place: RowPlace) => ReactNode
}

/** Shorter lists are drawn whole. */
const WINDOWED_FROM = 60

/** How far beyond the window rows are drawn, so that scrolling shows no gap. */
const MARGIN = 500

/** Rows are added and removed this many at a time. */
const STEP = 10

interface Drawn {
  readonly first: number
  readonly end: number
  readonly rowHeight: number
}

/** Before anything was measured. */
const AT_FIRST: Drawn = { first: 0, end: 20, rowHeight: 70 }

/** A list of which only the rows near the window are drawn, however long it is. */
export function WindowedList<T>({ items, className, label, onMove, onEnd, children }: Props<T>) {
  const list = useRef<HTMLUListElement>(null)
  const [drawn, setDrawn] = useState(AT_FIRST)
  const windowed = items.length > WINDOWED_FROM
  const [first, end] = windowed
    ? [Math.min(drawn.first, Math.max(0, items.length - STEP)), Math.min(drawn.end, items.length)]
    : [0, items.length]
  // The space above is a child of the list, too.
  const firstChild = windowed ? 1 : 0
  const indexOf = (child: number) => Math.min(Math.max(child - firstChild, 0) + first, end - 1)
  const drag = useDrag(list, (from, to) => onMove?.(indexOf(from), indexOf(to)))
  const dragging = drag.dragged !== undefined

  useLayoutEffect(() => {
    // What is dragged must not lose its place.
    if (!windowed || dragging) return
    const look = () => list.current && setDrawn((before) => drawnIn(list.current as HTMLElement, before))
    look()
    const options = { passive: true }
    addEventListener('scroll', look, options)
    addEventListener('resize', look, options)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [windowed, dragging])
  const atEnd = end === items.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when there is more
  useEffect(() => {
    if (atEnd) onEnd?.()
  }, [atEnd, items.length])

  const space = (rows: number) => (
    <li aria-hidden="true" className="row-space" style={{ blockSize: rows * drawn.rowHeight }} />
  )
  return (
    <ul className={className} ref={list} aria-label={label}>
      {windowed && space(first)}
      {items.slice(first, end).map((item, child) => {
        const index = first + child
        const shift = drag.offsetOf(child + firstChild)
        return children(item, {
          index,
          props: {
            ...(windowed && { 'aria-setsize': items.length, 'aria-posinset': index + 1 }),
            'data-dragged': drag.dragged === child + firstChild || undefined,
            style: shift === 0 ? undefined : { transform: `translateY(${shift}px)` },
          },
          onDragStart: (pointerId, y) => drag.start(child + firstChild, pointerId, y),
        })
      })}
      {windowed && space(items.length - end)}
    </ul>
  )
}

/** The rows that the window needs. Rows are about equally high; the browser keeps the scroll position where they differ. */
function drawnIn(list: HTMLElement, before: Drawn): Drawn {
  const [firstRow, lastRow] = [list.children[1], list.children[list.children.length - 2]]
  const rows = list.children.length - 2
  if (firstRow === undefined || lastRow === undefined || rows < 1) return before
  const height = (lastRow.getBoundingClientRect().bottom - firstRow.getBoundingClientRect().top) / rows
  // Small differences would only move what is shown.
  const rowHeight = Math.abs(height - before.rowHeight) > before.rowHeight / 10 ? height : before.rowHeight
  const { top } = list.getBoundingClientRect()
  const first = Math.max(0, Math.floor((-top - MARGIN) / rowHeight / STEP) * STEP)
  const end = Math.max(first + STEP, Math.ceil((innerHeight - top + MARGIN) / rowHeight / STEP) * STEP)
  const isSame = first === before.first && end === before.end && rowHeight === before.rowHeight
  return isSame ? before : { first, end, rowHeight }
}
