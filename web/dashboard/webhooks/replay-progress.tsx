import { useQuery } from '@tanstack/react-query'
import { call, type ListPage } from '../core/data/api.ts'
import type { DeliverySummaryView } from '../core/data/views.ts'
import { tell, words } from '../words.ts'

interface Props {
  readonly path: string
  readonly total: number
  readonly onTick: () => void
}

/** How many of the replayed deliveries have been attempted. */
export function ReplayProgress({ path, total, onTick }: Props) {
  const w = words.webhooks
  const pending = useQuery({
    queryKey: ['progress', path, total],
    queryFn: async ({ signal }) => {
      const { body } = await call<ListPage<DeliverySummaryView>>(`${path}?status=pending&limit=100`, {
        signal,
      })
      onTick()
      return body.items.length
    },
    enabled: total > 0,
    refetchInterval: ({ state }) => (state.data === 0 ? false : 1500),
  })
  if (total === 0) {
    return (
      <p className="muted" role="status">
        {w.noneFailed}
      </p>
    )
  }
  const left = Math.min(total, pending.data ?? total)
  const done = total - left
  return (
    <div>
      <p role="status">
        {left === 0 ? tell(w.replayDone, { count: total }) : tell(w.replaying, { done, total })}
      </p>
      <div
        className="progress"
        role="progressbar"
        aria-label={w.replayAll}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        <span className="progress-done" style={{ inlineSize: `${(done / total) * 100}%` }} />
      </div>
    </div>
  )
}
