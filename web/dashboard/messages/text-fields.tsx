import { Menu, Button as MenuButton, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { flushSync } from 'react-dom'
import type { Language } from '../../../src/domain/languages.ts'
import {
  findErrors,
  findHoles,
  MAX_BODY,
  MAX_SMS,
  MAX_SUBJECT,
  placed,
} from '../../../src/domain/messages/message.ts'
import { namesOf } from '../../../src/domain/messages/moments.ts'
import { positionOf } from '../../../src/domain/messages/template.ts'
import { sayRefusal } from '../core/data/refusals.ts'
import type { EventTypeView, MessageView } from '../core/data/views.ts'
import { TextArea, TextInput } from '../core/fields/fields.tsx'
import { WarningLine } from '../core/fields/form-errors.tsx'
import { useSettled } from '../core/settled.ts'
import { messageWords, tell } from '../words.ts'

type Text = { readonly subject: string; readonly body: string }
type Field = keyof Text

interface Props {
  readonly draft: MessageView
  readonly language: Language
  readonly questions: EventTypeView['questions']
  readonly onChange: (text: Text) => void
}

const controlOf = (path: string) =>
  document.querySelector<HTMLInputElement | HTMLTextAreaElement>(
    `[data-message-editor] [data-field="${path}"] :is(input, textarea)`,
  )

/** Moves the focus to what stands at an offset of a text, and selects it. */
export function focusOn(path: string, at: number, length?: number): void {
  const control = controlOf(path)
  if (control === null) return
  const close = control.value.indexOf('}}', at)
  control.focus()
  control.setSelectionRange(
    at,
    length === undefined ? (close < 0 ? control.value.length : close + 2) : at + length,
  )
}

/** The words of a message in one language. Errors show while one writes, and values come from a menu. */
export function TextFields({ draft, language, questions, onChange }: Props) {
  const { subject = '', body = '' } = draft.texts[language] ?? {}
  const text: Text = { subject, body }
  const pathOf = (one: Field) => `texts.${language}.${one}`
  const m = messageWords

  /** Puts words into the text and selects a part of them. */
  const put = (into: Field, [from, to]: readonly [number, number], words: string, selected: string) => {
    const value = text[into]
    flushSync(() => onChange({ ...text, [into]: value.slice(0, from) + words + value.slice(to) }))
    const at = from + (selected === '' ? words.length : words.indexOf(selected))
    focusOn(pathOf(into), at, selected.length)
  }
  const insert = (into: Field, name: string) => {
    const control = controlOf(pathOf(into))
    const end = text[into].length
    put(into, [control?.selectionStart ?? end, control?.selectionEnd ?? end], `{{${name}}}`, '')
  }
  const values = valuesOf(draft, questions)
  const below = (one: Field) => (
    <>
      <Marks
        draft={draft}
        source={text[one]}
        onGoTo={(at) => focusOn(pathOf(one), at)}
        onWrap={(at, name) => {
          const end = text[one].indexOf('}}', at) + 2
          const tag = text[one].slice(at, end)
          put(one, [at, end], `{{#if ${name}}}${tag}{{else}}…{{/if}}`, '…')
        }}
      />
      <InsertMenu label={m[one]} values={values} onInsert={(name) => insert(one, name)} />
    </>
  )
  const errors = { subject: useError(draft, subject), body: useError(draft, body) }
  return (
    <>
      {draft.by === 'email' && (
        <div className="stack">
          <TextInput
            label={m.subject}
            field={pathOf('subject')}
            error={errors.subject}
            maxLength={MAX_SUBJECT}
            value={subject}
            onChange={(next) => onChange({ ...text, subject: next })}
          />
          {below('subject')}
        </div>
      )}
      <div className="stack">
        <TextArea
          label={m.body}
          hint={draft.by === 'sms' ? m.smsBodyHint : m.bodyHint}
          field={pathOf('body')}
          error={errors.body}
          rows={9}
          maxLength={draft.by === 'sms' ? MAX_SMS : MAX_BODY}
          value={body}
          onChange={(next) => onChange({ ...text, body: next })}
        />
        {below('body')}
      </div>
    </>
  )
}

interface InsertProps {
  /** Where it inserts. */
  readonly label: string
  readonly values: readonly { readonly name: string; readonly label: string }[]
  readonly onInsert: (name: string) => void
}

function InsertMenu({ label, values, onInsert }: InsertProps) {
  return (
    <div>
      <MenuTrigger>
        <MenuButton className="button button-quiet button-small">
          {messageWords.insert}
          <span className="sr-only"> ({label})</span>
        </MenuButton>
        <Popover className="popover menu-long" placement="bottom start">
          <Menu className="menu" onAction={(key) => onInsert(String(key))}>
            {values.map((value) => (
              <MenuItem key={value.name} id={value.name}>
                {value.label}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
    </div>
  )
}

/** The first error of a text, after a pause in typing. */
function useError(draft: MessageView, source: string): string | undefined {
  const settled = useSettled(source)
  const [first] = findErrors(draft, settled)
  return settled === source && first !== undefined ? sayRefusal(placed(source, first)) : undefined
}

interface MarksProps {
  readonly draft: MessageView
  readonly source: string
  readonly onGoTo: (at: number) => void
  readonly onWrap: (at: number, name: string) => void
}

/** Leads to the first error, or says which values may be empty. */
function Marks({ draft, source, onGoTo, onWrap }: MarksProps) {
  const settled = useSettled(source)
  if (settled !== source) return null
  const [error] = findErrors(draft, source)
  const m = messageWords
  if (error !== undefined) {
    return (
      <div>
        <button type="button" className="text-button" onClick={() => onGoTo(error.at)}>
          {m.showInText}
        </button>
      </div>
    )
  }
  return findHoles(source).map(({ at, name }) => (
    <WarningLine key={at}>
      {tell(m.mayBeEmpty, { name, ...positionOf(source, at) })}{' '}
      <button type="button" className="text-button" onClick={() => onWrap(at, name)}>
        {m.sayInstead}
      </button>
    </WarningLine>
  ))
}

type ValueName = keyof typeof messageWords.values

/** How each name is called in the menu; a time can be written in three ways. */
const VALUES: Readonly<Record<string, ValueName>> = {
  'guest.firstName': 'guestFirstName',
  'guest.name': 'guestName',
  'guest.email': 'guestEmail',
  'host.name': 'hostName',
  'event.name': 'eventName',
  start: 'start',
  'start | date': 'startDate',
  'start | time': 'startTime',
  end: 'end',
  duration: 'duration',
  location: 'location',
  'link.join': 'linkJoin',
  'link.reschedule': 'linkReschedule',
  'link.cancel': 'linkCancel',
  'link.book': 'linkBook',
  reason: 'reason',
}

/** What the text of a message can say. */
function valuesOf({ on, to }: MessageView, questions: EventTypeView['questions']) {
  const names = new Set(namesOf(on, to))
  const m = messageWords
  const values = Object.entries(VALUES)
    .filter(([name]) => names.has(name.replace(/ \|.*/, '')))
    .map(([name, key]) => ({ name, label: m.values[key] }))
  const answers = questions.map(({ key, label }) => ({
    name: `answers.${key}`,
    label: tell(m.answer, { question: label }),
  }))
  return [...values, ...answers]
}
