import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../../src/domain/webhooks/webhook.ts'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { usePages } from '../core/data/data.ts'
import type { DeliverySummaryView, DeliveryView, ReplayedView } from '../core/data/views.ts'
import { Segments } from '../core/fields/fields.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { EmptyState, RowsSkeleton, Section, ShowMore } from '../core/page.tsx'
import { useTimes } from '../core/time/times.ts'
import { words } from '../words.ts'
import { DeliverySheet } from './delivery-sheet.tsx'
import { DeliveryState, eventName } from './delivery-state.tsx'
import { ReplayProgress } from './replay-progress.tsx'

const VIEWS = ['all', ...DELIVERY_STATUSES] as const

/** What was sent to a webhook and what it answered; failed deliveries can be sent again. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const path = `/webhooks/${webhookId}/deliveries`
  const client = useQueryClient()
  const [view, setView] = useState<'all' | DeliveryStatus>('all')
  const [shown, setShown] = useState<string>()
  const w = words.webhooks
  const list = usePages<DeliverySummaryView>(path, {
    limit: '20',
    status: view === 'all' ? undefined : view,
  })
  // Not the progress itself, which calls this after each of its own requests.
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey }) =>
        queryKey[0] !== 'progress' && String(queryKey[1]).startsWith(`/webhooks/${webhookId}`),
    })
  const test = useMutation({
    mutationFn: () => call<DeliveryView>(`/webhooks/${webhookId}/test`, { method: 'POST', body: {} }),
    onSuccess: ({ body }) => {
      setShown(body.id)
      client.setQueryData(['one', `${path}/${body.id}`], { body, version: undefined })
      return refresh()
    },
  })
  const replay = useMutation({ mutationFn: () => replayFailed(webhookId), onSuccess: refresh })
  const { items } = list
  return (
    <Section
      title={w.deliveries}
      hint={w.deliveriesHint}
      actions={
        <div className="actions actions-tight">
          <Button small busy={test.isPending} onPress={() => test.mutate()}>
            {w.test}
          </Button>
          <Button small busy={replay.isPending} onPress={() => replay.mutate()}>
            {w.replayAll}
          </Button>
        </div>
      }
    >
      <ErrorAlert error={test.error ?? replay.error ?? list.error} />
      {replay.data !== undefined && (
        <ReplayProgress path={path} total={replay.data} onTick={() => void refresh()} />
      )}
      <Segments
        label={w.which}
        value={view}
        options={VIEWS.map((id) => ({ id, label: w.statuses[id] }))}
        onChange={setView}
      />
      {items === undefined && !list.isError && <RowsSkeleton rows={3} />}
      {items?.length === 0 && <EmptyState title={w.noDeliveries}>{w.noDeliveriesHint}</EmptyState>}
      {items !== undefined && items.length > 0 && (
        <ul className="rows-inner">
          {items.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} onOpen={() => setShown(delivery.id)} />
          ))}
        </ul>
      )}
      <ShowMore list={list} />
      {shown !== undefined && (
        <DeliverySheet
          path={`${path}/${shown}`}
          onClose={() => setShown(undefined)}
          onReplay={() => void refresh()}
        />
      )}
    </Section>
  )
}

/** Sends everything that failed again; returns how many that were. */
async function replayFailed(webhookId: string): Promise<number> {
  // Deliveries are kept for 30 days: nothing older can have failed.
  const since = new Date(Date.now() - 31 * 86_400_000).toISOString()
  const path = `/webhooks/${webhookId}/replay`
  return (await call<ReplayedView>(path, { method: 'POST', body: { since } })).body.replayed
}

interface RowProps {
  readonly delivery: DeliverySummaryView
  readonly onOpen: () => void
}

function DeliveryRow({ delivery, onOpen }: RowProps) {
  const times = useTimes()
  const { event, test, createdAt, responseStatus, durationMs, error, status } = delivery
  const w = words.webhooks
  return (
    <li className="row">
      <div className="row-main">
        <button type="button" className="row-title" onClick={onOpen}>
          {eventName(event)}
        </button>
        <p className="row-sub">
          {test && `${w.testDelivery} · `}
          {times.moment(createdAt)}
          {responseStatus !== null && ` · ${responseStatus}`}
          {durationMs !== null && ` · ${durationMs} ms`}
          {error !== '' && ` · ${error}`}
        </p>
      </div>
      <DeliveryState status={status} />
    </li>
  )
}
