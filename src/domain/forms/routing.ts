import { checkBlocklist, isBlocked } from '../event-types/blocklist.ts'
import type { AbusePrevention, EventType } from '../event-types/event-type.ts'
import { MAX_ANSWER } from '../event-types/questions.ts'
import { checkKeepDays } from '../event-types/retention.ts'
import { isEmail, isPhone, isWebAddress } from '../people/contact.ts'
import { checkSlug } from '../people/slug.ts'
import { invalidField, Problem } from '../problem.ts'
import { type Sentence, sentence } from '../sentence.ts'
import { checkName, checkProse, comparable, isLine, isProse } from '../text.ts'
import { checkHostFilter, type HostFilter } from './host-filter.ts'
import { OPERATOR_NAMES } from './operator-names.ts'
import { checkOwnerRule, type OwnerRule } from './owner.ts'

export const FIELD_TYPES = ['select', 'multiselect', 'text', 'number', 'email', 'phone', 'textarea'] as const

export interface FormField {
  readonly id: string
  readonly label: string
  readonly type: (typeof FIELD_TYPES)[number]
  readonly required: boolean
  /** Answers of a `select` or `multiselect`; empty for every other type. */
  readonly options: readonly { readonly id: string; readonly label: string }[]
}

export const TEXT_OPERATORS = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'isEmpty',
  'isNotEmpty',
  'isAnyOf',
] as const

const ORDER_OPERATORS = ['lessThan', 'atMost', 'greaterThan', 'atLeast'] as const

export const OPERATORS = [...TEXT_OPERATORS, ...ORDER_OPERATORS, 'isOnlyOf'] as const

export type Operator = (typeof OPERATORS)[number]

/** What answers to a field of this type can be compared by. */
export function operatorsFor(type: FormField['type']): readonly Operator[] {
  if (type === 'number') return ['equals', 'notEquals', ...ORDER_OPERATORS, 'isEmpty', 'isNotEmpty']
  if (type === 'multiselect')
    return ['contains', 'notContains', 'isAnyOf', 'isOnlyOf', 'isEmpty', 'isNotEmpty']
  return TEXT_OPERATORS
}

/** Whether an operator compares with a list. */
export const takesList = (operator: Operator) => operator === 'isAnyOf' || operator === 'isOnlyOf'

/** `value` is a number for a number field, else text; a list for `isAnyOf` and `isOnlyOf`; nothing for `isEmpty` and `isNotEmpty`. */
export interface Leaf {
  readonly field: string
  readonly operator: Operator
  readonly value?: string | number | readonly string[]
}

export type Condition = Leaf | { readonly all: readonly Condition[] } | { readonly any: readonly Condition[] }

export const ACTIONS = ['routeToEvent', 'redirect', 'message'] as const

export type Target =
  | ({ readonly action: 'routeToEvent'; readonly eventTypeId: string } & HostChoice)
  | { readonly action: 'redirect'; readonly url: string }
  | { readonly action: 'message'; readonly message: string }

/** How a target chooses among the hosts of its event type. */
interface HostChoice {
  /** Sends returning guests to a host; comes first. */
  readonly owner?: OwnerRule
  /** Where to ask for the host of a visitor; comes second. */
  readonly ownerLookupUrl?: string
  /** Which of its hosts; left out: all. */
  readonly hosts?: HostFilter
}

export interface Rule {
  readonly when: Condition
  readonly target: Target
}

/** What a host expects of a form. Saving the form checks it. */
export interface FormTest {
  readonly name: string
  readonly answers: Readonly<Record<string, string | readonly string[]>>
  readonly expect: Target
}

/** Spam protection of a form. */
export type FormAbusePrevention = Pick<AbusePrevention, 'honeypot' | 'captcha' | 'blocklist'>

export interface RoutingForm {
  readonly id: string
  readonly schedulerId: string
  readonly slug: string
  readonly name: string
  readonly description: string | null
  readonly fields: readonly FormField[]
  readonly rules: readonly Rule[]
  readonly fallback: Target
  readonly abuse: FormAbusePrevention
  readonly tests: readonly FormTest[]
  /** Days until the answers of a response are erased; null: never. */
  readonly keepPersonalDataDays: number | null
}

/** The settings of a new form. */
export const FORM_DEFAULTS: Pick<
  RoutingForm,
  'description' | 'fields' | 'rules' | 'abuse' | 'tests' | 'keepPersonalDataDays'
> = {
  description: null,
  fields: [],
  rules: [],
  abuse: { honeypot: true, captcha: '', blocklist: [] },
  tests: [],
  keepPersonalDataDays: null,
}

/** Answers by field id. */
export type Answers = Readonly<Record<string, unknown>>

/** Throws `invalid`, naming the field's label, if a required answer is missing or an answer doesn't fit. */
export function checkFormAnswers(fields: readonly FormField[], answers: Answers): void {
  for (const field of fields) {
    const answer = answerTo(field.id, answers)
    if (isBlank(field, answer)) {
      if (field.required) throw new Problem('invalid', sentence`"${field.label}" is required.`)
      continue
    }
    const mismatch = findMismatch(field, answer)
    if (mismatch !== undefined) throw new Problem('invalid', mismatch)
  }
  checkUnknownAnswers(fields, answers)
}

function isBlank({ type }: FormField, answer: unknown): boolean {
  if (type === 'multiselect' && Array.isArray(answer)) return answer.length === 0
  return answer === undefined || answer === null || (typeof answer === 'string' && answer.trim() === '')
}

/** Why a visitor can't send these answers, in a sentence, or undefined if they can. */
export function findAnswerProblem(fields: readonly FormField[], answers: Answers): Sentence | undefined {
  try {
    checkFormAnswers(fields, answers)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.sentence
    throw error
  }
}

/** Whether one of these lists blocks an email address among the answers. */
export function hasBlockedEmail(
  fields: readonly FormField[],
  answers: Answers,
  blocklist: readonly string[],
): boolean {
  return fields.some(({ id, type }) => {
    const answer = type === 'email' ? answerTo(id, answers) : undefined
    return typeof answer === 'string' && isBlocked(answer.trim(), blocklist)
  })
}

/** The visitor's address: the answer to the first email field that was answered. */
export function findEmailAnswer(fields: readonly FormField[], answers: Answers): string | undefined {
  for (const { id, type } of fields) {
    const answer = type === 'email' ? answerTo(id, answers) : undefined
    if (typeof answer === 'string' && answer.trim() !== '') return answer.trim()
  }
  return undefined
}

/** Forms change while visitors fill them in, so answers to other ids are kept; but not as a place to store things. */
function checkUnknownAnswers(fields: readonly FormField[], answers: Answers): void {
  const known = new Set(fields.map(({ id }) => id))
  const unknown = Object.entries(answers).filter(([id]) => !known.has(id))
  if (unknown.length > MAX_UNKNOWN) {
    throw new Problem(
      'invalid',
      sentence`Send at most ${MAX_UNKNOWN} answers to fields that the form does not have.`,
    )
  }
  for (const [id, answer] of unknown) {
    const text = typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '')
    if (id.length > MAX_UNKNOWN_LENGTH || text.length > MAX_UNKNOWN_LENGTH) {
      throw new Problem(
        'invalid',
        sentence`An answer to a field that the form does not have can be at most ${MAX_UNKNOWN_LENGTH} characters long.`,
      )
    }
  }
}

const MAX_UNKNOWN = 20
const MAX_UNKNOWN_LENGTH = 200

/** What the answer must be, or undefined if it fits. */
function findMismatch({ label, type, options }: FormField, answer: unknown): Sentence | undefined {
  if (type === 'multiselect') {
    const isOption = (one: unknown) => options.some(({ id }) => id === one)
    if (Array.isArray(answer) && answer.every(isOption)) return undefined
    return sentence`"${label}" must be a list with some of its options.`
  }
  if (type === 'number') {
    const number = typeof answer === 'string' ? Number(answer) : answer
    if (typeof number === 'number' && Number.isFinite(number)) return undefined
    return sentence`"${label}" must be a number.`
  }
  if (typeof answer !== 'string') return sentence`"${label}" must be text.`
  if (answer.length > MAX_ANSWER) return sentence`"${label}" must be at most ${MAX_ANSWER} characters.`
  switch (type) {
    case 'select':
      if (options.some(({ id }) => id === answer)) return undefined
      return sentence`"${label}" must be one of its options.`
    case 'email':
      return isEmail(answer.trim()) ? undefined : sentence`"${label}" must be an email address.`
    case 'phone':
      return isPhone(answer.trim()) ? undefined : sentence`"${label}" must be a phone number.`
    case 'text':
      if (isLine(answer)) return undefined
      return sentence`"${label}" must be one line of text without control characters.`
    case 'textarea':
      return isProse(answer) ? undefined : sentence`"${label}" must be text without control characters.`
  }
}

// Every form has a fallback, but the fallback's event type can be deleted later.
const LAST_RESORT: Target = { action: 'message', message: 'Thank you. Your answers have been received.' }

/** Whether visitors can be sent to this event type. */
export const canRouteTo = ({ hidden }: Pick<EventType, 'hidden'>) => !hidden

/** Where answers lead, and the index of the rule that decided, which is -1 for the fallback. */
interface Routed {
  readonly rule: number
  readonly target: Target
}

/**
 * Where the answers lead: the target of the first rule that matches.
 *
 * Rules whose event type is not routable (deleted or hidden) are skipped.
 */
export function route(
  form: Pick<RoutingForm, 'rules' | 'fallback'>,
  answers: Answers,
  isRoutable: (eventTypeId: string) => boolean,
): Target {
  return findRoute(form, answers, isRoutable).target
}

/** As `route`, with the rule that decided. Whoever keeps the form may keep its compiled rules, too. */
export function findRoute(
  form: Pick<RoutingForm, 'rules' | 'fallback'>,
  answers: Answers,
  isRoutable: (eventTypeId: string) => boolean,
  compiled?: CompiledRules,
): Routed {
  const answerOf = comparableAnswers(answers)
  const rule = form.rules.findIndex(({ when, target }, index) => {
    const test = compiled?.[index] ?? compileCondition(when)
    return test(answerOf) && isUsable(target, isRoutable)
  })
  const found = form.rules[rule]
  return { rule, target: found === undefined ? fallbackOf(form, isRoutable) : found.target }
}

/** Where visitors go whom no rule leads anywhere. */
export function fallbackOf(
  { fallback }: Pick<RoutingForm, 'fallback'>,
  isRoutable: (eventTypeId: string) => boolean,
): Target {
  return isUsable(fallback, isRoutable) ? fallback : LAST_RESORT
}

/** A target as a visitor's result: without how hosts are chosen. */
export function resultOf(target: Target): Target {
  return target.action === 'routeToEvent'
    ? { action: target.action, eventTypeId: target.eventTypeId }
    : target
}

/** Whether a target's event type, if it has one, is routable. */
export function isUsable(target: Target, isRoutable: (eventTypeId: string) => boolean): boolean {
  return target.action !== 'routeToEvent' || isRoutable(target.eventTypeId)
}

/** Whether the answers match the tree. An empty `all` matches, an empty `any` doesn't. */
export const matches = (condition: Condition, answers: Answers): boolean =>
  compileCondition(condition)(comparableAnswers(answers))

/** The answer to a field as conditions compare it: text, or the chosen options. */
type AnswerOf = (fieldId: string) => string | readonly string[]

/** Makes each answer comparable once, however many rules ask for it. */
function comparableAnswers(answers: Answers): AnswerOf {
  const made = new Map<string, ReturnType<AnswerOf>>()
  return (fieldId) => {
    let answer = made.get(fieldId)
    if (answer === undefined) {
      const given = answerTo(fieldId, answers)
      answer = Array.isArray(given)
        ? given.map(comparable)
        : comparable(typeof given === 'number' ? String(given) : given)
      made.set(fieldId, answer)
    }
    return answer
  }
}

type Test = (answerOf: AnswerOf) => boolean

/** The condition of each rule with its own texts made comparable: of 100 rules, a tenth of an evaluation. */
export type CompiledRules = readonly Test[]

export const compileRules = (rules: readonly Rule[]): CompiledRules =>
  rules.map(({ when }) => compileCondition(when))

function compileCondition(condition: Condition): Test {
  if ('all' in condition) {
    const tests = condition.all.map(compileCondition)
    return (answerOf) => tests.every((test) => test(answerOf))
  }
  if ('any' in condition) {
    const tests = condition.any.map(compileCondition)
    return (answerOf) => tests.some((test) => test(answerOf))
  }
  const leaf = comparableLeaf(condition)
  return (answerOf) => {
    const answer = answerOf(leaf.field)
    return typeof answer === 'string' ? compareText(leaf, answer) : compareList(leaf, answer)
  }
}

/** Whether an answer that was made comparable fulfils one comparison. */
export const compare = (leaf: Leaf, answer: string): boolean => compareText(comparableLeaf(leaf), answer)

function comparableLeaf(leaf: Leaf): Leaf {
  const { value } = leaf
  if (typeof value === 'string') return { ...leaf, value: comparable(value) }
  return Array.isArray(value) ? { ...leaf, value: value.map(comparable) } : leaf
}

/** Whether the chosen options fulfil one comparison. */
function compareList({ operator, value }: Leaf, chosen: readonly string[]): boolean {
  const wanted = [value ?? []].flat()
  const isWanted = (one: string) => wanted.includes(one)
  switch (operator) {
    case 'isEmpty':
      return chosen.length === 0
    case 'isNotEmpty':
      return chosen.length > 0
    case 'notContains':
      return !chosen.some(isWanted)
    case 'isOnlyOf':
      return chosen.length > 0 && chosen.every(isWanted)
    default:
      return chosen.some(isWanted)
  }
}

function compareText({ operator, value }: Leaf, answer: string): boolean {
  if (typeof value === 'number') return compareNumber(operator, answer, value)
  const wanted = typeof value === 'string' ? value : ''
  switch (operator) {
    case 'equals':
      return answer === wanted
    case 'notEquals':
      return answer !== wanted
    case 'contains':
      return answer.includes(wanted)
    case 'notContains':
      return !answer.includes(wanted)
    case 'startsWith':
      return answer.startsWith(wanted)
    case 'endsWith':
      return answer.endsWith(wanted)
    case 'isEmpty':
      return answer === ''
    case 'isNotEmpty':
      return answer !== ''
    case 'isAnyOf':
    case 'isOnlyOf':
      return Array.isArray(value) && value.includes(answer)
    default:
      return false
  }
}

function compareNumber(operator: Operator, answer: string, wanted: number): boolean {
  if (answer === '') return operator === 'notEquals'
  const given = Number(answer)
  switch (operator) {
    case 'equals':
      return given === wanted
    case 'notEquals':
      return given !== wanted
    case 'lessThan':
      return given < wanted
    case 'atMost':
      return given <= wanted
    case 'greaterThan':
      return given > wanted
    case 'atLeast':
      return given >= wanted
    default:
      return false
  }
}

/** The answer to this field. Ids come from hosts, so inherited properties don't count. */
export function answerTo(fieldId: string, answers: Answers): unknown {
  return Object.hasOwn(answers, fieldId) ? answers[fieldId] : undefined
}

/** A form without its id and owner. */
export type FormContent = Omit<RoutingForm, 'id' | 'schedulerId'>

/** Conditions are checked recursively, so their depth is limited. */
const MAX_TREE_DEPTH = 8
const MAX_VALUES = 200

/**
 * Throws `invalid` with the reason if this form could leave a visitor without a result.
 *
 * Rules and targets may have any shape here, so all of it is checked. Returns
 * the form without unknown properties.
 */
export function checkForm(form: FormContent): FormContent {
  const { slug, name, description } = form
  const { honeypot, captcha, blocklist } = form.abuse
  checkSlug(slug)
  checkName(name)
  if (description !== null) checkProse(description, 'description')
  checkBlocklist(blocklist, 'abuse.blocklist')
  checkKeepDays(form.keepPersonalDataDays)
  const fields = new Map<string, FormField>()
  for (const [index, field] of form.fields.entries()) {
    const at = `fields.${index}`
    if (fields.has(field.id)) refuse(`${at}.id`, sentence`Two fields have the id "${field.id}".`)
    fields.set(field.id, checkField(field, at))
  }
  const ids = new Set(fields.keys())
  return {
    slug,
    name,
    description,
    fields: [...fields.values()],
    rules: form.rules.map(({ when, target }, index) => ({
      when: checkCondition(when, fields, 1, `rules.${index}.when`),
      target: checkTarget(target, `rules.${index}.target`, ids),
    })),
    fallback: checkTarget(form.fallback, 'fallback', ids),
    abuse: { honeypot, captcha, blocklist },
    tests: checkTests(form.tests, fields),
    keepPersonalDataDays: form.keepPersonalDataDays,
  }
}

function checkTests(tests: readonly FormTest[], fields: ReadonlyMap<string, FormField>): FormTest[] {
  const names = new Set<string>()
  return tests.map(({ name, answers, expect }, index) => {
    const at = `tests.${index}`
    checkName(name, `${at}.name`)
    if (names.has(name)) refuse(`${at}.name`, sentence`Two tests have the name "${name}".`)
    names.add(name)
    for (const [id, answer] of Object.entries(answers)) {
      if (!fields.has(id)) {
        refuse(
          `${at}.answers`,
          sentence`The test "${name}" answers "${id}", which is not a field of this form.`,
        )
      }
      if (![answer].flat().every((one) => isText(one) && one.length <= MAX_ANSWER)) {
        refuse(`${at}.answers`, sentence`The test "${name}" has an answer that is not text.`)
      }
    }
    const target = resultOf(checkTarget(expect, `${at}.expect`, new Set()))
    return { name, answers: { ...answers }, expect: target }
  })
}

/** The event types that a form can lead to. */
export function eventTypesOf({ rules, fallback }: Pick<RoutingForm, 'rules' | 'fallback'>): string[] {
  return [...rules.map(({ target }) => target), fallback].flatMap((target) =>
    target.action === 'routeToEvent' ? [target.eventTypeId] : [],
  )
}

function refuse(field: string, reason: Sentence): never {
  throw new Problem('invalid', reason, { field })
}

const isText = (text: string) => isProse(text) && text.isWellFormed()
/** Answers are a JSON object keyed by these ids, and our parsers refuse `__proto__`. */
const isId = (text: string) => /^[A-Za-z0-9_-]{1,64}$/.test(text) && text !== '__proto__'

function checkId(id: string, field: string): void {
  if (!isId(id)) throw invalidField(field, sentence`{field} must be 1 to 64 letters, digits, _ and -.`)
}

function checkField({ id, label, type, required, options }: FormField, at: string): FormField {
  checkId(id, `${at}.id`)
  checkName(label, `${at}.label`)
  const isChoice = type === 'select' || type === 'multiselect'
  if (isChoice && options.length === 0) {
    refuse(`${at}.options`, sentence`"${label}" needs at least one option.`)
  }
  if (!isChoice && options.length > 0) {
    refuse(`${at}.options`, sentence`"${label}" is not a select, so it cannot have options.`)
  }
  const ids = new Set<string>()
  for (const [index, option] of options.entries()) {
    checkId(option.id, `${at}.options.${index}.id`)
    checkName(option.label, `${at}.options.${index}.label`)
    // Rules ignore case, so they could not tell such options apart.
    const key = comparable(option.id)
    if (ids.has(key))
      refuse(`${at}.options.${index}.id`, sentence`"${label}" has two options with the same id.`)
    ids.add(key)
  }
  return {
    id,
    label,
    type,
    required,
    options: options.map((option) => ({ id: option.id, label: option.label })),
  }
}

function checkCondition(
  given: unknown,
  fields: ReadonlyMap<string, FormField>,
  depth: number,
  at: string,
): Condition {
  if (depth > MAX_TREE_DEPTH) refuse(at, sentence`Conditions can be nested at most ${MAX_TREE_DEPTH} deep.`)
  const condition = recordOf(given) ?? {}
  const [kind, ...others] = (['all', 'any', 'field'] as const).filter((key) => Object.hasOwn(condition, key))
  if (kind === undefined || others.length > 0) {
    return refuse(at, sentence`A condition is about one field, or it is a group: all or any.`)
  }
  const known: readonly string[] = kind === 'field' ? ['field', 'operator', 'value'] : [kind]
  const unknown = Object.keys(condition).find((key) => !known.includes(key))
  if (unknown !== undefined) refuse(`${at}.${unknown}`, sentence`Unknown field "${at}.${unknown}".`)
  if (kind === 'field') return checkLeaf(condition, fields, at)
  const list = condition[kind]
  if (!Array.isArray(list))
    throw invalidField(`${at}.${kind}`, sentence`{field} must be a list of conditions.`)
  if (kind === 'any' && list.length === 0) refuse(`${at}.any`, sentence`A rule needs at least one condition.`)
  const parts = list.map((part, index) => checkCondition(part, fields, depth + 1, `${at}.${kind}.${index}`))
  return kind === 'all' ? { all: parts } : { any: parts }
}

function checkLeaf(
  { field: id, operator: asked, value }: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, FormField>,
  at: string,
): Leaf {
  const field =
    (typeof id === 'string' ? fields.get(id) : undefined) ??
    refuse(`${at}.field`, sentence`A rule is about ${JSON.stringify(id)}, which is not a field of this form.`)
  const operator =
    operatorsFor(field.type).find((one) => one === asked) ??
    refuse(
      `${at}.operator`,
      sentence`A rule about "${field.label}" needs an operator: one of ${operatorsFor(field.type).map((one) => OPERATOR_NAMES[one])}.`,
    )
  if (operator === 'isEmpty' || operator === 'isNotEmpty') return { field: field.id, operator }

  const wrong = (reason: Sentence) => refuse(`${at}.value`, reason)
  const values: unknown[] = [value ?? []].flat()
  if (values.length === 0) wrong(sentence`A rule about "${field.label}" needs something to compare with.`)
  if (takesList(operator) && !Array.isArray(value))
    wrong(sentence`${OPERATOR_NAMES[operator]} takes a list ("${field.label}").`)
  if (!takesList(operator) && Array.isArray(value))
    wrong(
      sentence`Only ${OPERATOR_NAMES.isAnyOf} and ${OPERATOR_NAMES.isOnlyOf} take a list ("${field.label}").`,
    )
  if (values.length > MAX_VALUES)
    wrong(sentence`${OPERATOR_NAMES[operator]} takes at most ${MAX_VALUES} values ("${field.label}").`)
  if (field.type === 'number') {
    if (typeof value === 'number' && Number.isFinite(value)) return { field: field.id, operator, value }
    return wrong(sentence`A rule about "${field.label}" compares with a number.`)
  }
  const texts = values.map((one) => checkValue(one, field, operator, `${at}.value`))
  return { field: field.id, operator, value: takesList(operator) ? texts : (texts[0] as string) }
}

function checkValue(value: unknown, field: FormField, operator: Operator, at: string): string {
  if (typeof value !== 'string' || !isText(value) || value.length > MAX_ANSWER) {
    return refuse(
      at,
      sentence`A rule about "${field.label}" compares with text of at most ${MAX_ANSWER} characters.`,
    )
  }
  if (value.trim() === '') {
    refuse(
      at,
      sentence`A rule about "${field.label}" needs something to compare with. To look for an empty answer, choose “is empty”.`,
    )
  }
  const whole =
    field.type === 'multiselect' ||
    (field.type === 'select' && ['equals', 'notEquals', 'isAnyOf'].includes(operator))
  if (whole && !field.options.some((option) => option.id === value)) {
    refuse(at, sentence`A rule compares "${field.label}" with "${value}", which is not one of its options.`)
  }
  return value
}

function checkTarget(given: unknown, at: string, fieldIds: ReadonlySet<string>): Target {
  const { action, eventTypeId, url, message, owner, ownerLookupUrl, hosts } = recordOf(given) ?? {}
  switch (action) {
    case 'routeToEvent':
      if (typeof eventTypeId !== 'string') return refuse(`${at}.eventTypeId`, CHOOSE_EVENT_TYPE)
      return {
        action,
        eventTypeId,
        ...(isGiven(owner) && { owner: checkOwnerRule(owner, `${at}.owner`) }),
        ...(isGiven(ownerLookupUrl) && {
          ownerLookupUrl: checkLookupUrl(ownerLookupUrl, `${at}.ownerLookupUrl`),
        }),
        ...(isGiven(hosts) && { hosts: checkHostFilter(hosts, fieldIds, `${at}.hosts`) }),
      }
    case 'redirect':
      if (typeof url !== 'string')
        return refuse(`${at}.redirectUrl`, sentence`Enter the address to send visitors to.`)
      if (!isSafeRedirect(url)) {
        refuse(
          `${at}.redirectUrl`,
          sentence`Visitors cannot be sent to "${url}". Use an address that begins with https://.`,
        )
      }
      return { action, url }
    case 'message':
      if (typeof message !== 'string' || message.trim() === '') {
        throw invalidField(`${at}.message`, sentence`{field} must not be empty.`)
      }
      checkProse(message, `${at}.message`)
      return { action, message }
    default:
      throw invalidField(`${at}.action`, sentence`{field} must be one of ${ACTIONS}.`)
  }
}

function checkLookupUrl(url: unknown, at: string): string {
  if (typeof url !== 'string' || !isWebAddress(url) || !url.isWellFormed()) {
    return refuse(at, sentence`Enter the address to look owners up at. It begins with https://.`)
  }
  return url
}

/** Where a form looks owners up, with the places in it that say so. */
export function lookupsIn({ rules, fallback }: Pick<RoutingForm, 'rules' | 'fallback'>) {
  const places = [...rules.map(({ target }, index) => [target, `rules.${index}.target`] as const)]
  return [...places, [fallback, 'fallback'] as const].flatMap(([target, at]) => {
    const url = target.action === 'routeToEvent' ? target.ownerLookupUrl : undefined
    return url === undefined ? [] : [{ url, field: `${at}.ownerLookupUrl` }]
  })
}

const isGiven = (value: unknown) => value !== undefined && value !== null

/** The refusal of a target without an event type, or with one that the form's owner doesn't have. */
export const CHOOSE_EVENT_TYPE = sentence`Choose one of the owner’s event types to send visitors to.`

function recordOf(given: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  return given as Readonly<Record<string, unknown>>
}

function isSafeRedirect(url: string): boolean {
  // URL parsers drop line breaks silently.
  if (!isWebAddress(url) || !isLine(url) || !url.isWellFormed()) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
