import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useChange } from '../core/data/data.ts'
import { fieldOf } from '../core/data/errors.ts'
import type { ImportLineView, ImportView } from '../core/data/views.ts'
import { Confirm } from '../core/dialogs.tsx'
import { FormErrors } from '../core/fields/form-errors.tsx'
import { Section } from '../core/page.tsx'
import { moveInWords, tell } from '../words.ts'
import { countIn, thingsIn } from './imports.ts'
import { type Chosen, PlanChoices } from './plan-choices.tsx'
import { type LineFilter, NO_FILTER, PlanLines } from './plan-lines.tsx'
import { PlanSummary } from './plan-summary.tsx'

const NOTHING_CHOSEN: Chosen = { slugs: {}, video: {}, leaveOut: new Map() }

/** A plan that waits for a decision. */
export function PlannedImport({ given }: { readonly given: ImportView }) {
  const [filter, setFilter] = useState<LineFilter>(NO_FILTER)
  const [chosen, setChosen] = useState(NOTHING_CHOSEN)
  const [asking, setAsking] = useState(false)
  const apply = useChange(() => {
    const choices = { ...chosen, leaveOut: [...chosen.leaveOut.keys()] }
    return call(`/imports/${given.id}/apply`, { method: 'POST', body: { choices } })
  }, ['/imports'])
  const m = moveInWords
  const { counts = {} } = given.plan ?? {}
  const comes = countIn(counts, ['new', 'changed'])
  const close = () => setAsking(false)
  const leave = (line: ImportLineView) => {
    const leaveOut = new Map(chosen.leaveOut)
    if (!leaveOut.delete(keyOf(line))) leaveOut.set(keyOf(line), line.name)
    setChosen({ ...chosen, leaveOut })
  }
  const isLeftOut = (line: ImportLineView) => chosen.leaveOut.has(keyOf(line))
  const action = (line: ImportLineView) => {
    if (line.table !== 'users' || line.state === 'left-out') return null
    const isOut = isLeftOut(line)
    return (
      <Button
        small
        label={tell(isOut ? m.lines.bringOf : m.lines.leaveOutOf, { name: line.name })}
        onPress={() => leave(line)}
      >
        {isOut ? m.lines.bring : m.lines.leaveOut}
      </Button>
    )
  }
  return (
    <FormErrors error={asking ? null : apply.error}>
      <Section title={m.plan.title} hint={m.plan.hint}>
        <PlanSummary given={given} onChoose={setFilter} />
      </Section>
      <PlanChoices given={given} chosen={chosen} onChange={setChosen} />
      {comes > 0 && (
        <div className="actions plan-apply">
          <Button
            kind="primary"
            onPress={() => {
              apply.reset()
              setAsking(true)
            }}
          >
            {m.apply.button}
          </Button>
        </div>
      )}
      <PlanLines given={given} filter={filter} onFilter={setFilter} isLeftOut={isLeftOut} action={action} />
      {asking && (
        <Confirm
          title={m.apply.title}
          confirm={m.apply.confirm}
          cancel={m.apply.notYet}
          danger={false}
          busy={apply.isPending}
          error={apply.error}
          onClose={close}
          onConfirm={() =>
            apply.mutate(undefined, {
              onSuccess: close,
              // What was refused is corrected on the page.
              onError: (error) => fieldOf(error) !== undefined && close(),
            })
          }
        >
          <p>{tell(m.apply.comes, { things: thingsIn(counts, ['new', 'changed']) })}</p>
          {chosen.leaveOut.size > 0 && <p>{tell(m.apply.leftOut, { count: chosen.leaveOut.size })}</p>}
          <p>{m.apply.quiet}</p>
          <p>{m.apply.undoable}</p>
        </Confirm>
      )}
    </FormErrors>
  )
}

const keyOf = ({ table, id }: ImportLineView) => `${table}/${id}`
