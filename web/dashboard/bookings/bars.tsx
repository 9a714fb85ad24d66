interface Item {
  readonly label: string
  readonly count: number
  readonly note: string
}

/** A few things by how often they were. It is a list with its numbers: nothing is in the bars alone. */
export function Bars({ items }: { readonly items: readonly Item[] }) {
  const most = Math.max(1, ...items.map(({ count }) => count))
  return (
    <ul className="bars">
      {items.map(({ label, count, note }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name
        <li key={index}>
          <span className="min-w-0 wrap-anywhere">
            {label}
            {note !== '' && <span className="text-muted text-sm"> · {note}</span>}
          </span>
          <strong className="font-semibold">{count}</strong>
          <span className="track" aria-hidden="true">
            <span style={{ inlineSize: `${(count / most) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  )
}
