import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../../src/domain/webhooks/webhook.ts'
import { type Page as ApiPage, call, withQuery } from '../core/api.ts'
import { Action, Segments, Trouble } from '../core/controls.tsx'
import { useOne } from '../core/data.ts'
import { Sheet } from '../core/dialogs.tsx'
import { Empty, Loaded, RowsSkeleton, Section } from '../core/page.tsx'
import { useTimes } from '../core/times.ts'
import type { DeliverySummaryView, DeliveryView } from '../core/views.ts'
import { words } from '../words.ts'

const LOOK = { pending: '', succeeded: 'Confirmed', failed: 'Declined' } as const

const VIEWS = ['all', ...DELIVERY_STATUSES] as const

/** What was sent to a webhook, what it answered, and sending it again. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const path = `/webhooks/${webhookId}/deliveries`
  const times = useTimes()
  const client = useQueryClient()
  const [view, setView] = useState<'all' | DeliveryStatus>('all')
  const [shown, setShown] = useState<string>()
  const [progress, setProgress] = useState<{ readonly since: string; readonly total: number }>()
  const w = words.webhooks
  const list = useInfiniteQuery({
    queryKey: ['pages', path, view],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) =>
      (
        await call<ApiPage<DeliverySummaryView>>(
          withQuery(path, {
            limit: '20',
            status: view === 'all' ? undefined : view,
            cursor: pageParam === '' ? undefined : pageParam,
          }),
          { signal },
        )
      ).body,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey }) => String(queryKey[1]).startsWith(`/webhooks/${webhookId}`),
    })
  const test = useMutation({
    mutationFn: () => call<DeliveryView>(`/webhooks/${webhookId}/test`, { method: 'POST', body: {} }),
    onSuccess: ({ body }) => {
      setShown(body.id)
      client.setQueryData(['one', `${path}/${body.id}`], { body, version: undefined })
      return refresh()
    },
  })
  const replayAll = useMutation({
    mutationFn: async () => {
      // Deliveries are kept for 30 days: that is all that can have failed.
      const since = new Date(Date.now() - 31 * 86_400_000).toISOString()
      const { body } = await call<{ replayed: number }>(`/webhooks/${webhookId}/replay`, {
        method: 'POST',
        body: { since },
      })
      return { since, total: body.replayed }
    },
    onSuccess: (begun) => {
      setProgress(begun)
      return refresh()
    },
  })
  const found = list.data?.pages.flatMap(({ items }) => items)
  return (
    <Section
      title={w.deliveries}
      hint={w.deliveriesHint}
      actions={
        <div className="flex flex-wrap gap-2">
          <Action small busy={test.isPending} onPress={() => test.mutate()}>
            {w.test}
          </Action>
          <Action small busy={replayAll.isPending} onPress={() => replayAll.mutate()}>
            {w.replayAll}
          </Action>
        </div>
      }
    >
      <Trouble error={test.error ?? replayAll.error ?? list.error} />
      {progress !== undefined && (
        <Progress path={path} total={progress.total} onTick={() => void refresh()} />
      )}
      <Segments
        label={w.which}
        value={view}
        options={VIEWS.map((id) => ({ id, label: w.statuses[id] }))}
        onChange={setView}
      />
      {found === undefined && !list.isError && <RowsSkeleton rows={3} />}
      {found?.length === 0 && <Empty title={w.noDeliveries}>{w.noDeliveriesHint}</Empty>}
      {found !== undefined && found.length > 0 && (
        <ul className="rows rows-inner">
          {found.map((delivery) => (
            <li key={delivery.id} className="row">
              <div className="min-w-0 flex-1 basis-48">
                <button type="button" className="row-title text-start" onClick={() => setShown(delivery.id)}>
                  {delivery.event}
                </button>
                <p className="row-sub">
                  {times.moment(delivery.createdAt)}
                  {delivery.responseStatus !== null && ` · ${delivery.responseStatus}`}
                  {delivery.durationMs !== null && ` · ${delivery.durationMs} ms`}
                  {delivery.error !== '' && ` · ${delivery.error}`}
                </p>
              </div>
              <span className="status" data-status={LOOK[delivery.status]}>
                {w.statuses[delivery.status]}
              </span>
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div className="text-center">
          <Action busy={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            {words.more}
          </Action>
        </div>
      )}
      {shown !== undefined && (
        <Delivery
          path={`${path}/${shown}`}
          onClose={() => setShown(undefined)}
          onReplay={() => void refresh()}
        />
      )}
    </Section>
  )
}

/** How many of those replayed have been tried. */
function Progress(props: { readonly path: string; readonly total: number; readonly onTick: () => void }) {
  const { path, total, onTick } = props
  const w = words.webhooks
  const waiting = useQuery({
    queryKey: ['progress', path, total],
    queryFn: async ({ signal }) => {
      const { body } = await call<ApiPage<DeliverySummaryView>>(`${path}?status=pending&limit=100`, {
        signal,
      })
      onTick()
      return body.items.length
    },
    enabled: total > 0,
    refetchInterval: ({ state }) => (state.data === 0 ? false : 1500),
  })
  if (total === 0)
    return (
      <p className="m-0 text-muted" role="status">
        {w.nothingFailed}
      </p>
    )
  const left = Math.min(total, waiting.data ?? total)
  const done = total - left
  return (
    <div>
      <p className="m-0 mb-2" role="status">
        {left === 0 ? w.replayDone(total) : w.replaying(done, total)}
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

interface DeliveryProps {
  readonly path: string
  readonly onClose: () => void
  readonly onReplay: () => void
}

function Delivery({ path, onClose, onReplay }: DeliveryProps) {
  const delivery = useOne<DeliveryView>(path)
  const client = useQueryClient()
  const w = words.webhooks
  const replay = useMutation({
    mutationFn: () => call<DeliveryView>(`${path}/replay`, { method: 'POST', body: {} }),
    onSuccess: (answer) => {
      client.setQueryData(['one', path], answer)
      onReplay()
    },
  })
  return (
    <Sheet title={delivery.data?.body.event ?? w.delivery} onClose={onClose} wide>
      <Loaded query={delivery}>
        {({ body }) => (
          <>
            <p className="m-0">
              <span className="status" data-status={LOOK[body.status]}>
                {w.statuses[body.status]}
              </span>{' '}
              <span className="text-muted text-sm">{w.attempts(body.attempts)}</span>
            </p>
            {body.error !== '' && <p className="alert">{body.error}</p>}
            <Exchange title={w.request} headers={body.request.headers} body={body.request.body} />
            <Exchange
              title={body.responseStatus === null ? w.noAnswer : w.answered(body.responseStatus)}
              headers={body.response.headers}
              body={body.response.body}
            />
          </>
        )}
      </Loaded>
      <Trouble error={replay.error} />
      <div className="flex flex-wrap justify-end gap-3">
        {replay.isSuccess && (
          <p className="m-0 self-center text-muted" role="status">
            {w.replayed}
          </p>
        )}
        <Action busy={replay.isPending} onPress={() => replay.mutate()}>
          {w.replay}
        </Action>
        <Action kind="main" onPress={onClose}>
          {words.close}
        </Action>
      </div>
    </Sheet>
  )
}

interface ExchangeProps {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function Exchange({ title, headers, body }: ExchangeProps) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <div>
      <h3 className="m-0 mb-2 text-base font-semibold">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre className="code" tabIndex={0}>
        {[...lines, ...(lines.length > 0 ? [''] : []), pretty(body)].join('\n')}
      </pre>
    </div>
  )
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}
