import { findTestFailure } from '../../../src/domain/forms/form-tests.ts'
import { AddItem, Button, IconButton } from '../core/buttons.tsx'
import { sayRefusal } from '../core/data/refusals.ts'
import type { EventTypeView, FormTestView, FormView } from '../core/data/views.ts'
import { TextInput } from '../core/fields/fields.tsx'
import { FieldError } from '../core/fields/form-errors.tsx'
import { CrossIcon } from '../core/icons.tsx'
import { Section } from '../core/page.tsx'
import { tell, words } from '../words.ts'
import { AnswerInput, type GivenAnswer } from './answer-input.tsx'
import { nextTestName, toRouted, toTarget } from './rules/draft-target.ts'
import { TargetEditor } from './rules/target-editor.tsx'

interface Props {
  readonly form: FormView
  readonly eventTypes: readonly EventTypeView[]
  readonly onChange: (tests: readonly FormTestView[]) => void
}

/** Where certain answers must lead. The form can't be saved while one of them fails. */
export function TestsSection({ form, eventTypes, onChange }: Props) {
  const { tests } = form
  const f = words.forms
  const add = () => onChange([...tests, { name: nextTestName(tests), answers: {}, expect: form.fallback }])
  return (
    <Section title={f.tests} hint={f.testsHint}>
      {tests.map((test, index) => (
        <TestEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
          key={index}
          form={form}
          test={test}
          path={`tests.${index}`}
          name={test.name || tell(f.testNumbered, { number: index + 1 })}
          eventTypes={eventTypes}
          onChange={(next) => onChange(tests.with(index, next))}
          onRemove={() => onChange(tests.toSpliced(index, 1))}
        />
      ))}
      <FieldError field="tests" />
      <AddItem onPress={add}>{f.addTest}</AddItem>
    </Section>
  )
}

interface TestProps {
  readonly form: FormView
  readonly test: FormTestView
  readonly path: string
  readonly name: string
  readonly eventTypes: readonly EventTypeView[]
  readonly onChange: (test: FormTestView) => void
  readonly onRemove: () => void
}

function TestEditor({ form, test, path, name, eventTypes, onChange, onRemove }: TestProps) {
  const f = words.forms
  const failure = findTestFailure(toRouted(form), { ...test, expect: toTarget(test.expect) }, eventTypes)
  const setAnswer = (id: string, answer: GivenAnswer) => {
    const { [id]: _, ...others } = test.answers
    onChange({ ...test, answers: answer.length === 0 ? others : { ...others, [id]: answer } })
  }
  const gone = Object.keys(test.answers).filter((id) => !form.fields.some((field) => field.id === id))
  // The server refuses answers to questions that the form doesn't have.
  const passes = failure === undefined && gone.length === 0
  return (
    <fieldset className="nested" aria-label={name}>
      <div className="nested-tools">
        <IconButton label={tell(words.removeOf, { name })} onPress={onRemove}>
          <CrossIcon size={16} />
        </IconButton>
      </div>
      <div className="actions">
        <span className="status" data-status={passes ? 'Confirmed' : 'Declined'}>
          {passes ? f.testPasses : f.testFails}
        </span>
      </div>
      <TextInput
        label={f.testName}
        field={`${path}.name`}
        maxLength={200}
        value={test.name}
        onChange={(next) => onChange({ ...test, name: next })}
      />
      <div className="columns">
        {form.fields.map((field, index) => (
          <AnswerInput
            key={field.id}
            field={field}
            label={field.label || tell(f.fieldNumbered, { number: index + 1 })}
            value={test.answers[field.id] ?? ''}
            onChange={(answer) => setAnswer(field.id, answer)}
          />
        ))}
      </div>
      {gone.map((id) => (
        <div key={id}>
          <p className="small">{tell(f.answerGone, { id })}</p>
          <Button small onPress={() => setAnswer(id, '')}>
            {tell(f.removeAnswer, { id })}
          </Button>
        </div>
      ))}
      <TargetEditor
        path={`${path}.expect`}
        target={test.expect}
        eventTypes={eventTypes}
        onChange={(expect) => onChange({ ...test, expect })}
      />
      {failure !== undefined && <p className="muted small">{sayRefusal(failure)}</p>}
      <FieldError field={`${path}.answers`} />
      <FieldError field={path} />
    </fieldset>
  )
}
