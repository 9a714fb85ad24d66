import { useState } from 'react'
import { checkFormAnswers, route, type Target } from '../../../src/domain/forms/routing.ts'
import { Problem } from '../../../src/domain/problem.ts'
import { Select, TextArea, TextInput } from '../core/controls.tsx'
import { Section } from '../core/page.tsx'
import type { EventTypeView, FormView, TargetView } from '../core/views.ts'
import { words } from '../words.ts'

interface Props {
  readonly form: FormView
  readonly eventTypes: readonly EventTypeView[]
}

const toTarget = (target: TargetView): Target => {
  if (target.action === 'routeToEvent')
    return { action: target.action, eventTypeId: target.eventTypeId ?? '' }
  if (target.action === 'redirect') return { action: target.action, url: target.redirectUrl ?? '' }
  return { action: target.action, message: target.message ?? '' }
}

/** Where answers would lead: the rules as they stand here, saved or not, by the code that routes visitors. */
export function TryOut({ form, eventTypes }: Props) {
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({})
  const f = words.forms
  const shown = eventTypes.filter(({ hidden }) => !hidden)
  const rules = form.rules.map(({ when, target }) => ({ when, target: toTarget(target) }))
  const result = route({ rules, fallback: toTarget(form.fallback) }, answers, (id) =>
    shown.some((eventType) => eventType.id === id),
  )
  const missing = problemWith(form, answers)
  const number = rules.findIndex(({ target }) => target === result)
  return (
    <Section title={f.tryOut} hint={f.tryOutHint}>
      {form.fields.map((field, index) => {
        const label = field.label || f.fieldNumbered(index + 1)
        const value = answers[field.id] ?? ''
        const answer = (given: string) => setAnswers({ ...answers, [field.id]: given })
        if (field.type === 'select') {
          const options = field.options.map((option) => ({ id: option.id, label: option.label || option.id }))
          return (
            <Select
              key={field.id}
              label={label}
              value={value}
              options={[{ id: '', label: '–' }, ...options]}
              onChange={answer}
            />
          )
        }
        if (field.type === 'textarea') {
          return <TextArea key={field.id} label={label} rows={2} value={value} onChange={answer} />
        }
        return <TextInput key={field.id} label={label} value={value} onChange={answer} />
      })}
      <div className="nested" role="status">
        <p className="m-0 text-sm text-muted">{number < 0 ? f.byFallback : f.byRule(number + 1)}</p>
        <p className="m-0 font-semibold wrap-anywhere">{describe(result, eventTypes)}</p>
        {missing !== undefined && <p className="m-0 text-sm text-muted">{f.notSent(missing)}</p>}
      </div>
    </Section>
  )
}

function problemWith({ fields }: FormView, answers: Readonly<Record<string, string>>): string | undefined {
  try {
    checkFormAnswers(fields, answers)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

export function describe(target: Target, eventTypes: readonly EventTypeView[]): string {
  const f = words.forms
  if (target.action === 'redirect') return f.leadsToUrl(target.url)
  if (target.action === 'message') return f.leadsToMessage(target.message)
  const eventType = eventTypes.find(({ id }) => id === target.eventTypeId)
  return f.leadsToEvent(eventType?.name ?? f.goneEvent)
}
