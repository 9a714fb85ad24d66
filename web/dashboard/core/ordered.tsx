import { words } from '../words.ts'
import { IconButton } from './buttons.tsx'
import { CrossIcon, DownIcon, UpIcon } from './icons.tsx'

interface Props<T> {
  readonly items: readonly T[]
  readonly index: number
  /** The item's name, for screen readers. */
  readonly name: string
  readonly onChange: (items: readonly T[]) => void
}

/** Buttons that move an item of a list up or down, or remove it. */
export function OrderButtons<T>({ items, index, name, onChange }: Props<T>) {
  const others = items.filter((_, at) => at !== index)
  const moveTo = (position: number) => onChange(others.toSpliced(position, 0, items[index] as T))
  return (
    <div className="nested-tools">
      <IconButton label={words.moveUp(name)} disabled={index === 0} onPress={() => moveTo(index - 1)}>
        <UpIcon size={16} />
      </IconButton>
      <IconButton
        label={words.moveDown(name)}
        disabled={index === items.length - 1}
        onPress={() => moveTo(index + 1)}
      >
        <DownIcon size={16} />
      </IconButton>
      <IconButton label={words.removeOf(name)} onPress={() => onChange(others)}>
        <CrossIcon size={16} />
      </IconButton>
    </div>
  )
}
