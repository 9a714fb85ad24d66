import type { Question } from '../../event-types/questions.ts'
import { LANGUAGES, type Language } from '../../languages.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import { slugify } from '../people/slugs.ts'
import type { SourceRow } from '../source.ts'
import {
  flagIn,
  groupBy,
  idIn,
  isNo,
  lineOf,
  listOfAny,
  lookUp,
  type Tree,
  textIn,
  treesIn,
  treesOf,
  valueIn,
} from '../values.ts'

/** A question with what its answers are called there. */
export interface ReadQuestion {
  /** The name under which a booking has its answer. */
  readonly name: string
  readonly question: Question
  /** Options by their values, which answers have instead of labels. */
  readonly labels: ReadonlyMap<string, string>
}

export interface ReadQuestions {
  readonly questions: readonly ReadQuestion[]
  readonly notes: readonly Sentence[]
}

const TYPES: Readonly<Record<string, Question['type']>> = {
  text: 'text',
  address: 'text',
  radioInput: 'text',
  textarea: 'textarea',
  multiemail: 'textarea',
  textLong: 'textarea',
  number: 'number',
  email: 'email',
  phone: 'phone',
  url: 'url',
  select: 'select',
  radio: 'radio',
  multiselect: 'multiselect',
  checkbox: 'multiselect',
  boolean: 'checkbox',
  bool: 'checkbox',
}

/** Types that are asked in another way here. */
const CHANGED_TYPES: ReadonlySet<string> = new Set(['radioInput', 'multiemail'])

/** The service's own fields, which are part of every booking here. */
export const OWN_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'email',
  'location',
  'notes',
  'guests',
  'rescheduleReason',
  'smsReminderNumber',
  'aiAgentCallPhoneNumber',
])

/** Fields of the service that are shown on request; here, they are questions like others. */
const OPTIONAL_FIELDS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  title: {
    en: 'What is this meeting about?',
    de: 'Worum geht es?',
    es: '¿De qué trata la reunión?',
    fr: 'Quel est le sujet du rendez-vous ?',
    pt: 'Qual é o assunto da reunião?',
    ja: 'ご用件',
  },
  attendeePhoneNumber: {
    en: 'Phone number',
    de: 'Telefonnummer',
    es: 'Número de teléfono',
    fr: 'Numéro de téléphone',
    pt: 'Número de telefone',
    ja: '電話番号',
  },
}

const MOST_QUESTIONS = 50
const MOST_OPTIONS = 200

/** What an event type asks its guests. */
export function readQuestions(row: SourceRow, older: readonly SourceRow[], language: string): ReadQuestions {
  const notes: Sentence[] = []
  const keys = new Set<string>()
  const fields = treesIn(row, 'bookingFields').filter(isAsked)
  const given = fields.length > 0 || older.length === 0 ? fields : older.map(fromCustomInput)
  const questions = given.flatMap((field) => readQuestion(field, keys, language, notes))
  if (questions.length > MOST_QUESTIONS)
    notes.push(
      sentence`An event type asks at most ${MOST_QUESTIONS} questions here: the last ones were left out.`,
    )
  return { questions: questions.slice(0, MOST_QUESTIONS), notes }
}

function isAsked(field: Tree): boolean {
  const name = textIn(field, 'name')
  if (OWN_FIELDS.has(name)) return false
  if (Object.hasOwn(OPTIONAL_FIELDS, name)) return isNo(valueIn(field, 'hidden'))
  const editable = textIn(field, 'editable')
  return editable === '' || editable === 'user' || editable === 'user-readonly'
}

const fromCustomInput = (row: SourceRow): Tree => ({
  name: slugify(textIn(row, 'label')) || `input-${idIn(row)}`,
  label: textIn(row, 'label'),
  type: textIn(row, 'type'),
  required: valueIn(row, 'required'),
  options: valueIn(row, 'options'),
})

function readQuestion(field: Tree, keys: Set<string>, language: string, notes: Sentence[]): ReadQuestion[] {
  const name = textIn(field, 'name')
  const label = labelOf(field, language)
  if (label === '') return []
  const options = optionsOf(field)
  const labels = [...new Set(options.map((option) => option.label))].slice(0, MOST_OPTIONS)
  const asked = textIn(field, 'type')
  const wanted = lookUp(TYPES, asked) ?? 'text'
  const isChoice = wanted === 'select' || wanted === 'radio' || wanted === 'multiselect'
  const type = isChoice && labels.length === 0 ? 'text' : wanted
  if (type !== wanted || !Object.hasOwn(TYPES, asked) || CHANGED_TYPES.has(asked))
    notes.push(sentence`“${label}” is a text field here.`)
  const hidden = flagIn(field, 'hidden')
  const required = flagIn(field, 'required')
  if (hidden && required) notes.push(sentence`“${label}” is hidden, so it is optional here.`)
  const question: Question = {
    key: keyFor(name || label, keys),
    label,
    type,
    required: required && !hidden,
    options: isChoice ? labels : [],
    ...(hidden && { hidden }),
  }
  return [{ name, question, labels: new Map(options.map((option) => [option.value, option.label])) }]
}

function labelOf(field: Tree, language: string): string {
  const own = lineOf(textIn(field, 'label'), 500)
  if (own !== '') return own
  const name = textIn(field, 'name')
  const spoken = LANGUAGES.find((one) => one === language) ?? 'en'
  const standard = lookUp(OPTIONAL_FIELDS, name)?.[spoken]
  return standard ?? (lineOf(textIn(field, 'placeholder'), 500) || lineOf(name, 500))
}

function optionsOf(field: Tree): { readonly value: string; readonly label: string }[] {
  const texts = listOfAny(valueIn(field, 'options')).filter((one) => typeof one === 'string')
  const trees = treesOf(valueIn(field, 'options')).map((option) => ({
    value: textIn(option, 'value') || textIn(option, 'label'),
    label: lineOf(textIn(option, 'label') || textIn(option, 'value'), 500),
  }))
  return [...trees, ...texts.map((text) => ({ value: text, label: lineOf(text, 500) }))].filter(
    ({ label }) => label !== '',
  )
}

/** Keys stay as they are where they can: links fill them in. */
function keyFor(name: string, keys: Set<string>): string {
  const plain = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name) ? name : slugify(name).slice(0, 50)
  const base = /^[A-Za-z]/.test(plain) ? plain : `question-${plain}`.replace(/-$/, '')
  for (let number = 1; ; number++) {
    const key = number === 1 ? base : `${base.slice(0, 58)}-${number}`
    if (keys.has(key)) continue
    keys.add(key)
    return key
  }
}

/** Reads the questions of event types by their ids, each once. */
export function questionsOf(
  eventTypes: readonly SourceRow[],
  older: readonly SourceRow[],
): (id: string, language: string) => ReadQuestions {
  const inputs = groupBy(older, (row) => idIn(row, 'eventTypeId'))
  const rows = new Map(eventTypes.map((row) => [idIn(row), row]))
  const read = new Map<string, ReadQuestions>()
  return (id, language) => {
    const known = read.get(id)
    if (known !== undefined) return known
    const made = readQuestions(rows.get(id) ?? {}, inputs.get(id) ?? [], language)
    read.set(id, made)
    return made
  }
}
