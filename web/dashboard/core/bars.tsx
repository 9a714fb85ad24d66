interface Bar {
  readonly label: string
  readonly count: number
  readonly note?: string
  /** Another count to compare with, drawn as a line across the bar. */
  readonly mark?: number
}

/** A bar chart as a list, with its numbers as text. */
export function Bars({ bars }: { readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.flatMap(({ count, mark = 0 }) => [count, mark]))
  return (
    <ul className="bars">
      {bars.map(({ label, count, note, mark }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: labels can repeat
        <li key={index}>
          <span>
            {label}
            {note && <span className="muted small"> · {note}</span>}
          </span>
          <strong>{count}</strong>
          <span className="track" aria-hidden="true">
            <span style={{ inlineSize: `${(count / most) * 100}%` }} />
            {mark !== undefined && <i style={{ insetInlineStart: `${(mark / most) * 100}%` }} />}
          </span>
        </li>
      ))}
    </ul>
  )
}
