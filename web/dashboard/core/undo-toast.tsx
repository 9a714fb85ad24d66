import { useEffect, useEffectEvent } from 'react'
import { UNDO_WINDOW } from '../../../src/domain/bookings/states.ts'
import { words } from '../words.ts'
import { Button } from './buttons.tsx'

/** A second less than the server waits: requests take time. */
export const UNDO_OFFERED = UNDO_WINDOW - 1000

interface Props {
  /** What was done. */
  readonly text: string
  /** What the button undoes, for screen readers. */
  readonly label: string
  readonly busy: boolean
  /** Undefined: it can't be undone. */
  readonly onUndo: (() => void) | undefined
}

/** Says what was done, and offers to undo it. */
export function UndoToast({ text, label, busy, onUndo }: Props) {
  return (
    <div className="toast fade-in">
      <span role="status">{text}</span>
      {onUndo && (
        <Button small busy={busy} label={label} onPress={onUndo}>
          {words.bookings.undo}
        </Button>
      )}
    </div>
  )
}

interface TimedProps extends Props {
  readonly onEnd: () => void
}

/** The same, for as long as it can be undone. */
export function TimedUndoToast({ onEnd, ...props }: TimedProps) {
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    const timer = setTimeout(() => end(), UNDO_OFFERED)
    return () => clearTimeout(timer)
  }, [])
  return <UndoToast {...props} />
}
