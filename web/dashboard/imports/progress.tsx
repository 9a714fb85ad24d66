import { useTimes } from '../core/time/times.ts'

interface Props {
  readonly label: string
  readonly done: number
  /** 0: not known yet. */
  readonly total: number
}

/** How far something is. */
export function Progress({ label, done, total }: Props) {
  const { tag } = useTimes()
  const part = total === 0 ? 0 : Math.min(1, done / total)
  const percent = new Intl.NumberFormat(tag, { style: 'percent' }).format(part)
  return (
    <div>
      {total > 0 && (
        <p className="muted small" aria-hidden="true">
          {percent}
        </p>
      )}
      <div
        className="progress"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(total > 0 && { 'aria-valuenow': Math.round(part * 100), 'aria-valuetext': percent })}
      >
        <span className="progress-done" style={{ inlineSize: `${part * 100}%` }} />
      </div>
    </div>
  )
}
