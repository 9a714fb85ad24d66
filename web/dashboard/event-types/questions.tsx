import { QUESTION_TYPES, type Question } from '../../../src/domain/event-types/questions.ts'
import { ErrorLine, Select, Switch, TextArea, TextInput } from '../core/controls.tsx'
import { PlusIcon } from '../core/icons.tsx'
import { OrderButtons } from '../core/ordered.tsx'
import { Section } from '../core/page.tsx'
import { words } from '../words.ts'

interface Props {
  readonly questions: readonly Question[]
  readonly error: string | undefined
  readonly onChange: (questions: readonly Question[]) => void
}

/** What guests are asked beside name and address. */
export function Questions({ questions, error, onChange }: Props) {
  const q = words.questions
  const replace = (index: number, part: Partial<Question>) =>
    onChange(questions.map((question, at) => (at === index ? { ...question, ...part } : question)))
  const add = () => {
    const numbers = questions.map(({ key }) => Number(/^question-(\d+)$/.exec(key)?.[1] ?? 0))
    const key = `question-${Math.max(0, ...numbers) + 1}`
    onChange([...questions, { key, label: '', type: 'text', required: false, options: [] }])
  }
  return (
    <Section title={q.title} hint={q.hint}>
      {error && <ErrorLine>{error}</ErrorLine>}
      {questions.map((question, index) => {
        const named = question.label || q.numbered(index + 1)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: keys are typed, and would lose the focus
          <fieldset key={index} className="nested" aria-label={named}>
            <OrderButtons items={questions} index={index} named={named} onChange={onChange} />
            <TextInput
              label={q.label}
              maxLength={500}
              value={question.label}
              onChange={(label) => replace(index, { label })}
            />
            <div className="grid gap-4 sm:grid-cols-2">
              <Select
                label={q.type}
                value={question.type}
                options={QUESTION_TYPES.map((type) => ({ id: type, label: q.types[type] }))}
                onChange={(chosen) => {
                  const type = QUESTION_TYPES.find((one) => one === chosen) ?? 'text'
                  replace(index, { type, options: type === 'select' ? question.options : [] })
                }}
              />
              <TextInput
                label={q.key}
                hint={q.keyHint}
                maxLength={64}
                value={question.key}
                onChange={(key) => replace(index, { key })}
              />
            </div>
            {question.type === 'select' && (
              <TextArea
                label={q.options}
                hint={q.optionsHint}
                value={question.options.join('\n')}
                onChange={(text) => replace(index, { options: text === '' ? [] : text.split('\n') })}
              />
            )}
            <Switch
              label={q.required}
              on={question.required}
              onChange={(required) => replace(index, { required })}
            />
          </fieldset>
        )
      })}
      <div>
        <button type="button" className="text-button" onClick={add}>
          <PlusIcon size={16} />
          {q.add}
        </button>
      </div>
    </Section>
  )
}
