import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useChange } from '../core/data/data.ts'
import type { ImportView } from '../core/data/views.ts'
import { Confirm } from '../core/dialogs.tsx'
import { Section } from '../core/page.tsx'
import { navigate } from '../core/router.tsx'
import { useTimes } from '../core/time/times.ts'
import { moveInWords, tell } from '../words.ts'
import { type LineFilter, NO_FILTER, PlanLines } from './plan-lines.tsx'
import { PlanSummary } from './plan-summary.tsx'

/** What an import made, and how it is undone. */
export function AppliedImport({ given }: { readonly given: ImportView }) {
  const times = useTimes()
  const [filter, setFilter] = useState<LineFilter>(NO_FILTER)
  const [asking, setAsking] = useState(false)
  const m = moveInWords
  const undo = useChange(() => call(`/imports/${given.id}/undo`, { method: 'POST', body: {} }), ['/imports'])
  return (
    <>
      <Section
        title={m.applied.title}
        hint={given.appliedAt && tell(m.applied.at, { time: times.moment(given.appliedAt) })}
        actions={
          <Button small onPress={() => setAsking(true)}>
            {m.undo.button}
          </Button>
        }
      >
        <PlanSummary given={given} onChoose={setFilter} />
      </Section>
      <Section title={m.applied.next}>
        <ul className="promises">
          {m.applied.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
          <li>{m.applied.againHint}</li>
        </ul>
        <div>
          <Button onPress={() => navigate(`/app/move-in?source=${given.source}`)}>{m.applied.again}</Button>
        </div>
      </Section>
      <PlanLines given={given} filter={filter} onFilter={setFilter} />
      {asking && (
        <Confirm
          title={m.undo.title}
          confirm={m.undo.confirm}
          cancel={m.undo.keep}
          busy={undo.isPending}
          error={undo.error}
          onClose={() => setAsking(false)}
          onConfirm={() => undo.mutate(undefined, { onSuccess: () => setAsking(false) })}
        >
          <p>{m.undo.hint}</p>
        </Confirm>
      )}
    </>
  )
}
