import { useState } from 'react'
import { checkFormAnswers, route, type Target } from '../../../src/domain/forms/routing.ts'
import { Problem } from '../../../src/domain/problem.ts'
import { Select, TextArea, TextInput } from '../core/fields.tsx'
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

/** Shows where answers lead, by the same code that routes visitors. The rules needn't be saved. */
export function TryOut({ form, eventTypes }: Props) {
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({})
  const f = words.forms
  const listed = eventTypes.filter(({ hidden }) => !hidden)
  const rules = form.rules.map(({ when, target }) => ({ when, target: toTarget(target) }))
  const result = route({ rules, fallback: toTarget(form.fallback) }, answers, (id) =>
    listed.some((eventType) => eventType.id === id),
  )
  const problem = problemWith(form, answers)
  const matched = rules.findIndex(({ target }) => target === result)
  return (
    <Section title={f.tryOut} hint={f.tryOutHint}>
      {form.fields.map((field, index) => (
        <Answer
          key={field.id}
          field={field}
          label={field.label || f.fieldNumbered(index + 1)}
          value={answers[field.id] ?? ''}
          onChange={(answer) => setAnswers({ ...answers, [field.id]: answer })}
        />
      ))}
      <div className="nested result" role="status">
        <p className="muted small">{matched < 0 ? f.byFallback : f.byRule(matched + 1)}</p>
        <strong>{describe(result, eventTypes)}</strong>
        {problem !== undefined && <p className="muted small">{f.notSent(problem)}</p>}
      </div>
    </Section>
  )
}

interface AnswerProps {
  readonly field: FormView['fields'][number]
  readonly label: string
  readonly value: string
  readonly onChange: (answer: string) => void
}

function Answer({ field: { type, options }, ...input }: AnswerProps) {
  if (type === 'textarea') return <TextArea {...input} rows={2} />
  if (type !== 'select') return <TextInput {...input} />
  const choices = options.map((option) => ({ id: option.id, label: option.label || option.id }))
  return <Select {...input} options={[{ id: '', label: '–' }, ...choices]} />
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

function describe(target: Target, eventTypes: readonly EventTypeView[]): string {
  const f = words.forms
  if (target.action === 'redirect') return f.leadsToUrl(target.url)
  if (target.action === 'message') return f.leadsToMessage(target.message)
  const eventType = eventTypes.find(({ id }) => id === target.eventTypeId)
  return f.leadsToEvent(eventType?.name ?? f.deletedEvent)
}
