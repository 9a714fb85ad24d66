import { useMutation } from '@tanstack/react-query'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import type { ChecksView } from '../core/data/views.ts'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { Section } from '../core/page.tsx'
import { useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'

type Finding = ChecksView['findings'][number]

/** The colours of a booking's status mean the same here. */
const COLOURS: Readonly<Record<Finding['state'], string>> = {
  ok: 'Confirmed',
  warning: 'Warning',
  broken: 'Declined',
}

/** Examines the instance on request: it asks other servers. */
export function ChecksSection() {
  const times = useTimes()
  const s = words.system
  const checks = useMutation({
    mutationFn: () => call<ChecksView>('/system/checks', { method: 'POST', body: {} }),
  })
  const { findings = [], checkedAt = '' } = checks.data?.body ?? {}
  const problems = findings.filter(({ state }) => state !== 'ok').length
  return (
    <Section
      title={s.checks}
      hint={s.checksHint}
      actions={
        <Button small busy={checks.isPending} onPress={() => checks.mutate()}>
          {s.runChecks}
        </Button>
      }
    >
      <div>
        <ErrorAlert error={checks.error} />
        <p role="status">
          {checkedAt !== '' && (
            <>
              <strong>{problems === 0 ? s.wellChecked : tell(s.problems, { count: problems })}</strong>{' '}
              <span className="muted">{tell(s.checkedAt, { time: times.moment(checkedAt) })}</span>
            </>
          )}
        </p>
        {findings.length > 0 && (
          <ul className="rows-inner">
            {findings.map((finding, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one thing can have several findings
              <FindingRow key={index} finding={finding} />
            ))}
          </ul>
        )}
      </div>
    </Section>
  )
}

function FindingRow({ finding: { what, state, says, advice } }: { readonly finding: Finding }) {
  return (
    <li className="row">
      <div className="row-main">
        <p className="row-title">{what}</p>
        <p className="row-sub">{says}</p>
        {advice !== null && <p className="failure">{advice}</p>}
      </div>
      <span className="status" data-status={COLOURS[state]}>
        {words.system.states[state]}
      </span>
    </li>
  )
}
