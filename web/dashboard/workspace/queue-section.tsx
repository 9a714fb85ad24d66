import type { SystemView } from '../core/data/views.ts'
import { EmptyState, Section } from '../core/page.tsx'
import { words } from '../words.ts'
import { writeCount } from './counts.ts'
import { useMoments } from './moments.ts'

const COUNTS = ['waiting', 'running', 'scheduled', 'failing', 'givenUp'] as const

/** What waits to be done, by kind. */
export function QueueSection({ queue }: Pick<SystemView, 'queue'>) {
  const moments = useMoments()
  const s = words.system
  const shown = queue.filter((queued) => COUNTS.some((count) => queued[count] > 0))
  return (
    <Section title={s.queue} hint={s.queueHint}>
      {shown.length === 0 ? (
        <EmptyState title={s.idle}>{s.idleHint}</EmptyState>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: nothing can be filled in, so it is no fieldset
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach what scrolls
        <div className="table-scroll" role="group" tabIndex={0} aria-label={s.queue}>
          <table className="table table-stacked table-counts">
            <thead>
              <tr>
                <th scope="col">{s.kind}</th>
                {COUNTS.map((count) => (
                  <th key={count} scope="col">
                    {s.counts[count]}
                  </th>
                ))}
                <th scope="col">{s.oldest}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((queued) => (
                <tr key={queued.kind}>
                  <th scope="row">{s.kinds[queued.kind]}</th>
                  {COUNTS.map((count) => (
                    <td key={count} data-label={s.counts[count]} data-zero={queued[count] === 0 || undefined}>
                      {writeCount(moments.tag, queued[count])}
                    </td>
                  ))}
                  <td
                    data-label={s.oldest}
                    title={queued.oldestAt ? moments.moment(queued.oldestAt) : undefined}
                  >
                    {queued.oldestAt && moments.distance(queued.oldestAt)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  )
}
