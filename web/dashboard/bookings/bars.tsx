interface Bar {
  readonly label: string
  readonly count: number
  readonly note?: string
}

/** A bar chart as a list, with its numbers as text. */
export function Bars({ bars }: { readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <ul className="bars">
      {bars.map(({ label, count, note }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: labels can repeat
        <li key={index}>
          <span>
            {label}
            {note && <span className="muted small"> · {note}</span>}
          </span>
          <strong>{count}</strong>
          <span className="track" aria-hidden="true">
            <span style={{ inlineSize: `${(count / most) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  )
}
