import { useOne } from '../../core/data/data.ts'
import type { HistoryView } from '../../core/data/views.ts'
import { Loaded, RowsSkeleton, Section } from '../../core/page.tsx'
import { useTimes } from '../../core/time/times.ts'
import { list, words } from '../../words.ts'

/** Who did what to a booking, and what followed. */
export function History({ id }: { readonly id: string }) {
  const history = useOne<HistoryView>(`/bookings/${id}/history`)
  const times = useTimes()
  const b = words.bookings
  return (
    <Section title={b.history}>
      <Loaded query={history} skeleton={<RowsSkeleton rows={2} />}>
        {({ body: { items } }) => (
          <ol className="history">
            {items.map(({ at, kind, what, by, state }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they have no id, and only grow
              <li key={index} data-kind={kind} data-state={state}>
                <p>{what}</p>
                <p className="muted small">
                  {list([
                    times.moment(at),
                    ...(by === null ? [] : [by]),
                    ...(state === 'done' ? [] : [b.historyStates[state]]),
                  ])}
                </p>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  )
}
