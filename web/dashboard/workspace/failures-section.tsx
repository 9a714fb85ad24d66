import { useRef } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useChange } from '../core/data/data.ts'
import type { RetriedView, SystemView } from '../core/data/views.ts'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { EmptyState, Section } from '../core/page.tsx'
import { tell, words } from '../words.ts'
import { sumOf, writeCount } from './counts.ts'
import { useMoments } from './moments.ts'

type Failing = SystemView['failing'][number]

interface Props {
  readonly system: Pick<SystemView, 'failing' | 'queue'>
  readonly onRetry: () => void
}

/** What could not be sent or done, and why. */
export function FailuresSection({ system: { failing, queue }, onRetry }: Props) {
  const { tag } = useMoments()
  const outcome = useRef<HTMLParagraphElement>(null)
  const s = words.system
  const retry = useChange<{ id: string } | { kind: Failing['kind'] }, RetriedView>(
    (what) =>
      'id' in what
        ? call(`/system/failing/${what.id}/retry`, { method: 'POST', body: {} })
        : call('/system/failing/retry', { method: 'POST', body: what }),
    ['/system'],
  )
  const start = (what: Parameters<typeof retry.mutate>[0]) =>
    retry.mutate(what, {
      onSuccess: () => {
        onRetry()
        // The button may be gone with what it retried.
        outcome.current?.focus()
      },
    })
  const isBusy = (what: string) =>
    retry.isPending && ('id' in retry.variables ? retry.variables.id : retry.variables.kind) === what
  const kinds = queue.filter((queued) => queued.failing + queued.givenUp > 0)
  const all = sumOf(kinds, 'failing') + sumOf(kinds, 'givenUp')
  return (
    <Section title={s.failures} hint={s.failuresHint}>
      <div>
        <ErrorAlert error={retry.error} />
        <p ref={outcome} className={retry.data && 'notice-good'} role="status" tabIndex={-1}>
          {retry.data && tell(s.retrying, { count: retry.data.body.retried })}
        </p>
        {failing.length === 0 && <EmptyState title={s.noFailures}>{s.noFailuresHint}</EmptyState>}
        {kinds.length > 0 && (
          <div className="actions actions-tight retry-kinds">
            {kinds.map((queued) => (
              <Button
                key={queued.kind}
                small
                busy={isBusy(queued.kind)}
                onPress={() => start({ kind: queued.kind })}
              >
                {tell(s.retryAll, {
                  kind: s.kinds[queued.kind],
                  number: writeCount(tag, queued.failing + queued.givenUp),
                })}
              </Button>
            ))}
          </div>
        )}
        <ul className="rows-inner">
          {failing.map((one) => (
            <FailingRow
              key={one.id}
              failing={one}
              busy={isBusy(one.id)}
              onRetry={() => start({ id: one.id })}
            />
          ))}
        </ul>
        {all > failing.length && (
          <p className="hint">{tell(s.newest, { shown: failing.length, all: writeCount(tag, all) })}</p>
        )}
      </div>
    </Section>
  )
}

interface RowProps {
  readonly failing: Failing
  readonly busy: boolean
  readonly onRetry: () => void
}

function FailingRow({ failing, busy, onRetry }: RowProps) {
  const moments = useMoments()
  const s = words.system
  const { kind, createdAt, attempts, nextAttemptAt, error } = failing
  return (
    <li className="row">
      <div className="row-main">
        <p className="row-title">{s.kinds[kind]}</p>
        <p className="row-sub">
          {[
            moments.moment(createdAt),
            tell(words.webhooks.attempts, { count: attempts }),
            ...(nextAttemptAt === null
              ? []
              : [tell(s.nextAttempt, { time: moments.distance(nextAttemptAt) })]),
          ].join(' · ')}
        </p>
        {error !== '' && <p className="failure">{error}</p>}
      </div>
      <span className="status" data-status={nextAttemptAt === null ? 'Declined' : ''}>
        {nextAttemptAt === null ? s.counts.givenUp : s.counts.failing}
      </span>
      <Button
        small
        busy={busy}
        label={tell(s.retryOf, { kind: s.kinds[kind], time: moments.moment(createdAt) })}
        onPress={onRetry}
      >
        {s.retry}
      </Button>
    </li>
  )
}
