import type { ImportView } from '../core/data/views.ts'
import { useTimes } from '../core/time/times.ts'
import { list, moveInWords, tell } from '../words.ts'
import { countIn, LINE_STATES, tableName, thingsIn } from './imports.ts'
import { LINES, type LineFilter, NO_FILTER } from './plan-lines.tsx'

interface Props {
  readonly given: ImportView
  /** A number was chosen: its lines are to be shown. */
  readonly onChoose: (filter: LineFilter) => void
}

/** The plan in a sentence, and its numbers by kind. */
export function PlanSummary({ given: { plan, report }, onChoose }: Props) {
  const { counts = {} } = plan ?? {}
  const { plan: p } = moveInWords
  const numbers = new Intl.NumberFormat(useTimes().tag)
  const told = LINE_STATES.map((state) => ({ state, count: countIn(counts, [state]) })).filter(
    ({ count }) => count > 0,
  )
  const tables = Object.keys(moveInWords.tables)
    .concat(Object.keys(counts))
    .filter((table, index, all) => all.indexOf(table) === index && Object.hasOwn(counts, table))
  return (
    <div className="stack">
      <p className="plan-summary">
        {told.length === 0
          ? p.nothing
          : tell(p.summary, {
              things: thingsIn(counts, LINE_STATES),
              states: list(told.map(({ state, count }) => tell(p.told[state], { count }))),
            })}
      </p>
      {tables.length > 0 && (
        <table className="table table-stacked table-counts">
          <caption className="sr-only">{p.title}</caption>
          <thead>
            <tr>
              <th scope="col">{p.kind}</th>
              {LINE_STATES.map((state) => (
                <th key={state} scope="col">
                  {p.states[state]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tables.map((table) => (
              <tr key={table}>
                <th scope="row">{tableName(table)}</th>
                {LINE_STATES.map((state) => {
                  const count = counts[table]?.[state] ?? 0
                  return (
                    <td key={state} data-label={p.states[state]} data-zero={count === 0 || undefined}>
                      {count === 0 ? (
                        0
                      ) : (
                        <button
                          type="button"
                          className="text-button"
                          aria-label={tell(p.countOf, {
                            table: tableName(table),
                            number: numbers.format(count),
                            state: p.states[state],
                          })}
                          onClick={() => {
                            onChoose({ ...NO_FILTER, table, state })
                            const lines = document.getElementById(LINES)
                            lines?.scrollIntoView({ block: 'start' })
                            lines?.focus({ preventScroll: true })
                          }}
                        >
                          {numbers.format(count)}
                        </button>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {report !== null && report.notes.length > 0 && (
        <details>
          <summary>{p.notes}</summary>
          <ul className="promises">
            {report.notes.map((note, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same can be noted twice
              <li key={index}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
