import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { canRouteTo } from '../../../../src/domain/forms/routing.ts'
import { findRuleWarnings } from '../../../../src/domain/forms/warnings.ts'
import { Live } from '../../../parts/live.tsx'
import { AddItem } from '../../core/buttons.tsx'
import { fieldOf } from '../../core/data/errors.ts'
import type { EventTypeView, FormView, RuleView } from '../../core/data/views.ts'
import { FieldError } from '../../core/fields/form-errors.tsx'
import { useDrag, useKeys } from '../../core/fields/ordered.tsx'
import { Section } from '../../core/page.tsx'
import { tell, words } from '../../words.ts'
import { toRouted } from './draft-target.ts'
import { RuleEditor } from './rule-editor.tsx'

interface Props {
  readonly form: FormView
  readonly eventTypes: readonly EventTypeView[]
  /** Why the form could not be saved. It opens the rule that it is about. */
  readonly error: unknown
  readonly onChange: (rules: readonly RuleView[]) => void
}

/** The rules of a form as sentences, which open to be edited and can be dragged. */
export function RulesEditor({ form, eventTypes, error, onChange }: Props) {
  const f = words.forms
  const { fields, rules } = form
  const { keys, add, move, remove } = useKeys(rules, onChange)
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [shownError, setShownError] = useState<unknown>()
  const [announcement, setAnnouncement] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const moveAndTell = (from: number, to: number) => {
    if (to < 0 || to >= rules.length || to === from) return
    move(from, to)
    setAnnouncement(tell(f.ruleMoved, { from: from + 1, to: to + 1 }))
  }
  const drag = useDrag(list, moveAndTell)
  const warnings = useWarnings(form, eventTypes)
  if (error !== shownError) {
    setShownError(error)
    const failed = /^rules\.(\d+)/.exec(fieldOf(error) ?? '')?.[1]
    const key = failed === undefined ? undefined : keys[Number(failed)]
    if (key !== undefined) setOpen(new Set([...open, key]))
  }
  return (
    <Section title={f.rules} hint={f.rulesHint}>
      {rules.length === 0 && <p className="muted">{f.noRules}</p>}
      <div className="rules" ref={list}>
        {rules.map((rule, index) => {
          const key = keys[index] as number
          return (
            <RuleEditor
              key={key}
              rule={rule}
              index={index}
              count={rules.length}
              fields={fields}
              eventTypes={eventTypes}
              open={open.has(key)}
              warnings={warnings.filter((warning) => warning.rule === index)}
              dragged={drag.dragged === index}
              offset={drag.offsetOf(index)}
              onToggle={() => setOpen(open.symmetricDifference(new Set([key])))}
              onChange={(next) => onChange(rules.with(index, next))}
              onDragStart={drag.start}
              onMove={(to) => moveAndTell(index, to)}
              onRemove={() => {
                remove(index)
                setAnnouncement(tell(f.ruleRemoved, { number: index + 1 }))
              }}
            />
          )
        })}
      </div>
      <Live>{announcement}</Live>
      <FieldError field="rules" />
      <AddItem onPress={() => setOpen(new Set([...open, add(emptyRule(fields, eventTypes))]))}>
        {f.addRule}
      </AddItem>
    </Section>
  )
}

/** Warnings about the rules as they are shown, saved or not. A large form may take a moment. */
function useWarnings(form: FormView, eventTypes: readonly EventTypeView[]) {
  const later = useDeferredValue(form)
  return useMemo(() => {
    const routable = new Set(eventTypes.filter(canRouteTo).map(({ id }) => id))
    return findRuleWarnings(toRouted(later), (id) => routable.has(id))
  }, [later, eventTypes])
}

function emptyRule(fields: FormView['fields'], eventTypes: readonly EventTypeView[]): RuleView {
  const [field] = fields
  const [option] = field?.options ?? []
  return {
    when: { all: [{ field: field?.id ?? '', operator: 'equals', value: option?.id ?? '' }] },
    target: {
      action: eventTypes.length > 0 ? 'routeToEvent' : 'message',
      eventTypeId: eventTypes[0]?.id ?? null,
      redirectUrl: null,
      message: null,
    },
  }
}
