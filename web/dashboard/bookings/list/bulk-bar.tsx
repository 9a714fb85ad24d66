import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../core/buttons.tsx'
import { call, withQuery } from '../../core/data/api.ts'
import { saveFile } from '../../core/data/save-file.ts'
import { useTeamHosts } from '../../core/data/team-hosts.ts'
import type { ChangedBookingsView, ListedBookingView } from '../../core/data/views.ts'
import { Confirm, ConfirmWithReason } from '../../core/dialogs.tsx'
import { Select } from '../../core/fields/fields.tsx'
import { ErrorAlert } from '../../core/fields/form-errors.tsx'
import { TimedUndoToast } from '../../core/undo-toast.tsx'
import { tell, words } from '../../words.ts'

const ACTIONS = ['approve', 'decline', 'cancel', 'hand-over', 'no-show'] as const

type BulkAction = (typeof ACTIONS)[number]

interface Asked {
  readonly action: BulkAction
  readonly bookings: readonly ListedBookingView[]
  readonly reason?: string
  readonly hostId?: string
}

/** What a single booking has in its own dialog, too. */
const UNDONE_BY: Partial<Record<BulkAction, (id: string) => Promise<unknown>>> = {
  approve: (id) => call(`/bookings/${id}/undo`, { method: 'POST', body: {} }),
  decline: (id) => call(`/bookings/${id}/undo`, { method: 'POST', body: {} }),
  'no-show': (id) => call(`/bookings/${id}/no-show`, { method: 'DELETE' }),
}

interface Props {
  readonly selected: readonly ListedBookingView[]
  readonly onClear: () => void
}

/** Changes all selected bookings: asks once, and says what became of each. */
export function BulkBar({ selected, onClear }: Props) {
  const [asking, setAsking] = useState<BulkAction>()
  const { change, undo, reset } = useBulk(() => {
    setAsking(undefined)
    onClear()
  })
  const download = useMutation({
    mutationFn: () =>
      saveFile(withQuery('/bookings.csv', { id: selected.map(({ id }) => id).join(',') }), 'bookings.csv'),
  })
  const b = words.bookings
  const done = change.data
  const possible = ACTIONS.filter((action) => selected.some((one) => isPossible(action, one)))
  return (
    <>
      {selected.length > 0 && (
        <section className="bulk" aria-label={b.bulkLabel}>
          <strong role="status">{tell(b.selected, { count: selected.length })}</strong>
          <div className="actions actions-tight">
            {possible.map((action) => (
              <Button key={action} small onPress={() => setAsking(action)}>
                {b.bulkActions[action]}
              </Button>
            ))}
            <Button small busy={download.isPending} onPress={() => download.mutate()}>
              {b.exportSelected}
            </Button>
            <Button small onPress={onClear}>
              {b.clearSelection}
            </Button>
          </div>
          <ErrorAlert error={download.error} />
        </section>
      )}
      {done && done.failed.length > 0 && (
        <div className="alert" role="alert">
          <p>{tell(b.bulkFailed, { count: done.failed.length })}</p>
          <ul className="failures">
            {done.failed.map(({ booking, error }) => (
              <li key={booking.id}>
                {booking.invitee.name}: {error}
              </li>
            ))}
          </ul>
        </div>
      )}
      {done && done.changed.length > 0 && (
        <TimedUndoToast
          key={change.submittedAt}
          text={tell(b.bulkDone[done.action], { count: done.changed.length })}
          label={b.undo}
          busy={undo.isPending}
          onUndo={done.action in UNDONE_BY ? () => undo.mutate(done) : undefined}
          onEnd={reset}
        />
      )}
      <ErrorAlert error={undo.error} />
      {asking !== undefined && (
        <BulkQuestion
          action={asking}
          bookings={selected.filter((one) => isPossible(asking, one))}
          busy={change.isPending}
          error={change.error}
          onClose={() => {
            setAsking(undefined)
            reset()
          }}
          onConfirm={change.mutate}
        />
      )}
    </>
  )
}

/** Whether it makes sense to ask: the server decides. */
function isPossible(action: BulkAction, { status, startTime }: ListedBookingView): boolean {
  const started = Date.parse(startTime) <= Date.now()
  if (action === 'no-show') return started && (status === 'Confirmed' || status === 'Completed')
  if (started) return false
  if (action === 'approve' || action === 'decline') return status === 'PendingApproval'
  return status === 'Confirmed' || (action === 'hand-over' && status === 'PendingApproval')
}

interface Outcome {
  readonly action: BulkAction
  readonly changed: readonly ListedBookingView[]
  readonly failed: readonly { readonly booking: ListedBookingView; readonly error: string }[]
}

function useBulk(onDone: () => void) {
  const client = useQueryClient()
  const reload = () =>
    client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/bookings') })
  const change = useMutation({
    mutationFn: async ({ bookings, ...asked }: Asked): Promise<Outcome> => {
      const ids = bookings.map(({ id }) => id)
      const { body } = await call<ChangedBookingsView>('/bookings/bulk', {
        method: 'POST',
        body: { ...asked, ids, undoable: true },
      })
      const results = bookings.map((booking, index) => ({ booking, ...body.results[index] }))
      return {
        action: asked.action,
        changed: results.filter(({ ok }) => ok).map(({ booking }) => booking),
        failed: results
          .filter(({ ok }) => !ok)
          .map(({ booking, error }) => ({ booking, error: error ?? words.serverTrouble })),
      }
    },
    onSuccess: onDone,
    onSettled: reload,
  })
  const undo = useMutation({
    mutationFn: async ({ action, changed }: Outcome) => {
      for (const { id } of changed) await UNDONE_BY[action]?.(id)
    },
    onSuccess: () => change.reset(),
    onSettled: reload,
  })
  return { change, undo, reset: change.reset }
}

interface QuestionProps {
  readonly action: BulkAction
  readonly bookings: readonly ListedBookingView[]
  readonly busy: boolean
  readonly error: unknown
  readonly onClose: () => void
  readonly onConfirm: (asked: Asked) => void
}

/** Says what will happen to how many guests, once for all. */
function BulkQuestion({ action, bookings, onConfirm, ...dialog }: QuestionProps) {
  const hosts = useTeamHosts()
  const [chosen, setChosen] = useState<string>()
  const b = words.bookings
  const about = {
    ...dialog,
    title: tell(b.bulkTitles[action], { count: bookings.length }),
    confirm: b.bulkActions[action],
    cancel: words.close,
  }
  const withReason = (reason: string) => (reason.trim() === '' ? {} : { reason })
  if (action === 'approve' || action === 'no-show') {
    return (
      <Confirm {...about} danger={false} onConfirm={() => onConfirm({ action, bookings })}>
        {b.bulkHints[action]}
      </Confirm>
    )
  }
  const hostId = chosen ?? hosts[0]?.id ?? ''
  return (
    <ConfirmWithReason
      {...about}
      danger={action === 'cancel'}
      hint={b.bulkHints[action]}
      onConfirm={(reason) =>
        onConfirm({ action, bookings, ...withReason(reason), ...(action === 'hand-over' && { hostId }) })
      }
    >
      {action === 'hand-over' && (
        <Select field="hostId" label={b.handOverTo} value={hostId} options={hosts} onChange={setChosen} />
      )}
    </ConfirmWithReason>
  )
}
