import { checkForm, FORM_DEFAULTS, type FormContent, type Rule, type Target } from '../../forms/routing.ts'
import { LANGUAGES, type Language } from '../../languages.ts'
import { isWebAddress } from '../../people/contact.ts'
import { Problem } from '../../problem.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import { type Draft, keyOf } from '../draft.ts'
import { type KnownAttribute, knownAttributes } from '../people/attributes.ts'
import { assignSlugs } from '../people/slugs.ts'
import type { PlannedForm, PlannedTeam, PlannedUser } from '../plan.ts'
import type { SourceKey, SourceRow } from '../source.ts'
import {
  flagIn,
  idIn,
  isUnread,
  lineOf,
  listOfAny,
  proseOf,
  type Tree,
  textIn,
  treeIn,
  valueIn,
} from '../values.ts'
import { OWNER_STAYS, SWITCHED_OFF, UNREADABLE_PARTS } from '../words.ts'
import { readCondition } from './read-conditions.ts'
import { type ReadFields, readFields } from './read-fields.ts'
import { readHostFilter } from './read-host-filter.ts'
import { actionOf, eventTypeOf, eventTypePaths, routesOf } from './targets.ts'

const nameOf = (row: SourceRow) => lineOf(textIn(row, 'name'), 200)

interface Surroundings {
  readonly draft: Draft
  readonly paths: ReadonlyMap<string, string>
  readonly known: ReadonlyMap<string, KnownAttribute>
  readonly slugs: ReadonlyMap<SourceKey, string>
}

type Owner = PlannedUser | PlannedTeam

const MOST_RULES = 200

/** Routing forms, with their rules and where they lead. */
export function planForms(draft: Draft): void {
  const paths = eventTypePaths(draft)
  const surroundings = { draft, paths, known: knownAttributes(draft), slugs: slugsOf(draft, paths) }
  draft.eachRow('App_RoutingForms_Form', nameOf, (row, key) => planForm(surroundings, row, key))
}

function slugsOf(draft: Draft, paths: ReadonlyMap<string, string>): ReadonlyMap<SourceKey, string> {
  const slugs = new Map<SourceKey, string>()
  const owned = draft.rows('App_RoutingForms_Form').flatMap((row) => {
    const owner = ownerOf(draft, row, paths)
    const key = keyOf('App_RoutingForms_Form', idIn(row))
    return owner === undefined || flagIn(row, 'disabled') || draft.isLeftOut(key) ? [] : [{ row, key, owner }]
  })
  for (const [, own] of Map.groupBy(owned, ({ owner }) => owner.key)) {
    const owner = own[0]?.owner.content.slug
    const named = own.map(({ row, key }) => ({ key, wanted: '', otherwise: [nameOf(row), 'form'] }))
    const distinct = [...new Map(named.map((one) => [one.key, one])).values()]
    const isTaken = (slug: string) => draft.here.slugsOfOwners.has(`${owner}/forms/${slug}`)
    for (const [key, slug] of assignSlugs(distinct, isTaken, draft.choices).slugs) slugs.set(key, slug)
  }
  return slugs
}

/** A form leads to event types of its own owner here, so one that leads to a team's event types belongs to the team. */
function ownerOf(draft: Draft, row: SourceRow, paths: ReadonlyMap<string, string>): Owner | undefined {
  const team = idIn(row, 'teamId')
  if (team !== '') return draft.teams.get(keyOf('Team', team))
  const user = draft.users.get(keyOf('users', idIn(row, 'userId')))
  const owners = new Set(
    routesOf(row)
      .map(
        (route) =>
          draft.eventTypes.get(keyOf('EventType', eventTypeOf(actionOf(route), paths)))?.content.owner,
      )
      .filter((owner) => owner !== undefined),
  )
  const [only] = owners
  const heir = owners.size === 1 && only !== undefined ? draft.teams.get(only) : undefined
  const isMember = heir?.content.members.some((member) => member.user === user?.key)
  return user !== undefined && isMember ? heir : user
}

function planForm(all: Surroundings, row: SourceRow, key: SourceKey): PlannedForm | Sentence {
  const { draft, paths, slugs } = all
  if (flagIn(row, 'disabled')) return SWITCHED_OFF
  const owner = ownerOf(draft, row, paths)
  const slug = slugs.get(key)
  if (owner === undefined || slug === undefined) return OWNER_STAYS
  const notes: Sentence[] = []
  if (owner.kind === 'team' && idIn(row, 'teamId') === '')
    notes.push(sentence`Leads to event types of ${owner.name}, so it belongs to that team here.`)
  const { fields, byId } = readFields(row, notes)
  const { rules, fallback } = planRules(all, row, owner, byId, notes)
  if (isUnread(row, ['fields', 'routes', 'settings'])) notes.push(UNREADABLE_PARTS)
  const settings = treeIn(row, 'settings')
  if (flagIn(settings, 'emailOwnerOnSubmission') || listOfAny(valueIn(settings, 'sendUpdatesTo')).length > 0)
    notes.push(sentence`Nobody gets an email for each answer here: answers are listed with the form.`)
  const form: FormContent = {
    ...FORM_DEFAULTS,
    slug,
    name: nameOf(row) || slug,
    description: proseOf(textIn(row, 'description'), 5000) || null,
    fields,
    rules,
    fallback,
  }
  try {
    const checked = checkForm(form)
    return {
      kind: 'form',
      key,
      unit: owner.key,
      name: form.name,
      notes,
      content: { owner: owner.key, form: checked },
    }
  } catch (error) {
    if (error instanceof Problem) return error.sentence
    throw error
  }
}

function planRules(
  all: Surroundings,
  row: SourceRow,
  owner: Owner,
  fields: ReadFields,
  notes: Sentence[],
): Pick<FormContent, 'rules' | 'fallback'> {
  const rules: Rule[] = []
  let fallback: Target | undefined
  let number = 0
  for (const route of routesOf(row)) {
    if (flagIn(route, 'isFallback')) {
      fallback ??= planTarget(all, route, owner, fields, notes)
      continue
    }
    number += 1
    const when = readCondition(treeIn(route, 'queryValue'), fields)
    const target = flagIn(route, 'isRouter') ? undefined : planTarget(all, route, owner, fields, notes)
    if (when === undefined)
      notes.push(sentence`Rule ${number} asks for something that rules can’t say here, so it was left out.`)
    else if (target === undefined)
      notes.push(sentence`Rule ${number} leads to a place that forms can’t lead to here, so it was left out.`)
    else rules.push({ when, target })
  }
  if (rules.length > MOST_RULES)
    notes.push(sentence`A form has at most ${MOST_RULES} rules here: the last ones were left out.`)
  if (fallback === undefined)
    notes.push(sentence`Visitors whom no rule leads anywhere see a message that thanks them.`)
  const language = LANGUAGES.find((one) => one === owner.content.locale) ?? 'en'
  return {
    rules: rules.slice(0, MOST_RULES),
    fallback: fallback ?? { action: 'message', message: THANKS[language] },
  }
}

const THANKS: Readonly<Record<Language, string>> = {
  en: 'Thank you. Your answers have been received.',
  de: 'Vielen Dank. Die Antworten sind angekommen.',
  es: 'Gracias. Hemos recibido tus respuestas.',
  fr: 'Merci. Vos réponses ont bien été reçues.',
  pt: 'Obrigado. Suas respostas foram recebidas.',
  ja: 'ありがとうございます。回答を受け付けました。',
}

/** Where a route leads; undefined if nothing of ours does. */
function planTarget(
  all: Surroundings,
  route: Tree,
  owner: Owner,
  fields: ReadFields,
  notes: Sentence[],
): Target | undefined {
  const action = actionOf(route)
  const value = textIn(action, 'value').trim()
  switch (textIn(action, 'type')) {
    case 'customPageMessage': {
      const message = proseOf(value, 5000)
      return message === '' ? undefined : { action: 'message', message }
    }
    case 'externalRedirectUrl':
      return redirectTo(value, notes)
    case 'eventTypeRedirectUrl': {
      const key = keyOf('EventType', eventTypeOf(action, all.paths))
      const eventType = all.draft.eventTypes.get(key)
      if (eventType === undefined || eventType.content.owner !== owner.key) return undefined
      const hosts = planHosts(all, route, owner, fields, notes)
      return { action: 'routeToEvent', eventTypeId: key, ...(hosts && { hosts }) }
    }
    default:
      return undefined
  }
}

function redirectTo(url: string, notes: Sentence[]): Target | undefined {
  if (!isWebAddress(url) || !url.isWellFormed() || new URL(url).protocol !== 'https:') return undefined
  if (/\{[^{}]+\}/.test(url))
    notes.push(sentence`Answers are not filled into the address ${url.slice(0, 200).toWellFormed()} here.`)
  return { action: 'redirect', url }
}

function planHosts(
  { known }: Surroundings,
  route: Tree,
  owner: Owner,
  fields: ReadFields,
  notes: Sentence[],
) {
  const attributes = owner.kind === 'team' ? owner.content.attributes : []
  const filter = readHostFilter(treeIn(route, 'attributesQueryValue'), known, attributes, fields)
  if (filter === undefined)
    notes.push(
      sentence`A rule chooses hosts in a way that can’t be said here, so it leads to all hosts of its event type.`,
    )
  if (Object.keys(treeIn(treeIn(route, 'fallbackAttributesQueryValue'), 'children1')).length > 0)
    notes.push(sentence`A second choice of hosts, for when the first fits nobody, is not known here.`)
  return filter ?? undefined
}
