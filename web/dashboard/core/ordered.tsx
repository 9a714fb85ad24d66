import { words } from '../words.ts'
import { CrossIcon, DownIcon, UpIcon } from './icons.tsx'

interface Props<T> {
  readonly items: readonly T[]
  readonly index: number
  /** What a screen reader calls the item. */
  readonly named: string
  readonly onChange: (items: readonly T[]) => void
}

/** Buttons that move an item of a list up or down, or take it out. */
export function OrderButtons<T>({ items, index, named, onChange }: Props<T>) {
  const others = items.filter((_, at) => at !== index)
  const moveTo = (place: number) => onChange(others.toSpliced(place, 0, items[index] as T))
  return (
    <div className="nested-tools">
      <button
        type="button"
        className="round"
        aria-label={words.moveUp(named)}
        disabled={index === 0}
        onClick={() => moveTo(index - 1)}
      >
        <UpIcon size={16} />
      </button>
      <button
        type="button"
        className="round"
        aria-label={words.moveDown(named)}
        disabled={index === items.length - 1}
        onClick={() => moveTo(index + 1)}
      >
        <DownIcon size={16} />
      </button>
      <button
        type="button"
        className="round"
        aria-label={words.removeOf(named)}
        onClick={() => onChange(others)}
      >
        <CrossIcon size={16} />
      </button>
    </div>
  )
}
