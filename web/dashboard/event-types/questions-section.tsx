import { isChoice, QUESTION_TYPES } from '../../../src/domain/event-types/questions.ts'
import { AddItem } from '../core/buttons.tsx'
import type { EventTypeView } from '../core/data/views.ts'
import { Select, Switch, TextArea, TextInput } from '../core/fields/fields.tsx'
import { FieldError } from '../core/fields/form-errors.tsx'
import { OrderButtons } from '../core/fields/ordered.tsx'
import { Section } from '../core/page.tsx'
import { tell, words } from '../words.ts'
import type { EventTypeSection } from './event-type-section.ts'

type Question = EventTypeView['questions'][number]

/** What guests are asked besides their name and email. */
export function QuestionsSection({ draft: { questions }, set }: EventTypeSection<'questions'>) {
  const q = words.questions
  const add = () => {
    const numbers = questions.map(({ key }) => Number(/^question-(\d+)$/.exec(key)?.[1] ?? 0))
    const key = `question-${Math.max(0, ...numbers) + 1}`
    set({ questions: [...questions, { key, label: '', type: 'text', required: false, options: [] }] })
  }
  return (
    <Section id="questions" title={q.title} hint={q.hint}>
      {questions.map((question, index) => {
        const name = question.label || tell(q.numbered, { number: index + 1 })
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the host types the keys, so they can't keep the focus
          <fieldset key={index} className="nested" aria-label={name}>
            <OrderButtons
              items={questions}
              index={index}
              name={name}
              onChange={(next) => set({ questions: next })}
            />
            <QuestionFields
              question={question}
              path={`questions.${index}`}
              onChange={(next) => set({ questions: questions.with(index, next) })}
            />
          </fieldset>
        )
      })}
      <FieldError field="questions" />
      <AddItem onPress={add}>{q.add}</AddItem>
    </Section>
  )
}

interface FieldsProps {
  readonly question: Question
  readonly path: string
  readonly onChange: (question: Question) => void
}

function QuestionFields({ question, path, onChange }: FieldsProps) {
  const q = words.questions
  const change = (part: Partial<Question>) => onChange({ ...question, ...part })
  return (
    <>
      <TextInput
        label={q.label}
        field={`${path}.label`}
        maxLength={500}
        value={question.label}
        onChange={(label) => change({ label })}
      />
      <div className="columns">
        <Select
          label={q.type}
          field={`${path}.type`}
          value={question.type}
          options={QUESTION_TYPES.map((type) => ({ id: type, label: q.types[type] }))}
          onChange={(chosen) => {
            const type = QUESTION_TYPES.find((one) => one === chosen) ?? 'text'
            change({ type, options: isChoice(type) ? question.options : [] })
          }}
        />
        <TextInput
          label={q.key}
          hint={q.keyHint}
          field={`${path}.key`}
          maxLength={64}
          value={question.key}
          onChange={(key) => change({ key })}
        />
      </div>
      {isChoice(question.type) && (
        <TextArea
          label={q.options}
          hint={q.optionsHint}
          field={`${path}.options`}
          value={question.options.join('\n')}
          onChange={(text) => change({ options: text === '' ? [] : text.split('\n') })}
        />
      )}
      <Switch
        label={q.required}
        on={question.required}
        disabled={question.hidden === true}
        onChange={(required) => change({ required })}
      />
      <Switch
        label={q.hidden}
        hint={q.hiddenHint}
        on={question.hidden === true}
        onChange={(hidden) => change(hidden ? { hidden, required: false } : { hidden })}
      />
    </>
  )
}
