import { type Draft, keyOf } from '../draft.ts'
import type { SourceKey, SourceRow } from '../source.ts'
import {
  groupBy,
  idIn,
  idOf,
  lineOf,
  type Tree,
  textIn,
  treeIn,
  treeOf,
  treesIn,
  valueIn,
} from '../values.ts'

/** Names of people and teams in addresses there, by their keys, each in lower case. */
export function oldNamesOf(draft: Draft): ReadonlyMap<SourceKey, readonly string[]> {
  const profiles = groupBy(draft.rows('Profile'), (row) => idIn(row, 'userId'))
  const names = (texts: readonly string[]) => [
    ...new Set(texts.map((text) => lineOf(text, 200).toLowerCase()).filter((text) => text !== '')),
  ]
  return new Map<SourceKey, readonly string[]>([
    ...draft.rows('users').map((row) => {
      const own = (profiles.get(idIn(row)) ?? []).map((profile) => textIn(profile, 'username'))
      return [keyOf('users', idIn(row)), names([...own, textIn(row, 'username')])] as const
    }),
    ...draft.rows('Team').map((row) => [keyOf('Team', idIn(row)), names([textIn(row, 'slug')])] as const),
  ])
}

/** Event types by their paths there, such as `ana/intro` and `team/sales/demo`. */
export function eventTypePaths(draft: Draft): ReadonlyMap<string, string> {
  const names = oldNamesOf(draft)
  return new Map(
    draft.rows('EventType').flatMap((row) => {
      const [team, user] = [idIn(row, 'teamId'), idIn(row, 'userId')]
      const slug = lineOf(textIn(row, 'slug'), 200).toLowerCase()
      const prefix = team === '' ? '' : 'team/'
      const owner = team === '' ? keyOf('users', user) : keyOf('Team', team)
      return (names.get(owner) ?? []).map((name) => [`${prefix}${name}/${slug}`, idIn(row)] as const)
    }),
  )
}

/** The event type that an action leads to: by its id, or by the path in its address; empty if neither is known. */
export function eventTypeOf(action: Tree, paths: ReadonlyMap<string, string>): string {
  const id = idOf(valueIn(action, 'eventTypeId'))
  if (id !== '') return id
  const path = textIn(action, 'value')
    .toLowerCase()
    .replace(/^https?:\/\/[^/]+/, '')
    .replace(/[?#].*$/, '')
    .replace(/^\/+|\/+$/g, '')
  return paths.get(path) ?? paths.get(path.replace(/^org\/[^/]+\//, '')) ?? ''
}

/** The ids of all event types that forms lead to. */
export function eventTypesOfForms(draft: Draft): ReadonlySet<string> {
  const paths = eventTypePaths(draft)
  const actions = draft
    .rows('App_RoutingForms_Form')
    .flatMap((row) => routesOf(row).map((route) => treeOf(valueIn(route, 'action'))))
  return new Set(
    actions
      .filter((action) => textIn(action, 'type') === 'eventTypeRedirectUrl')
      .map((action) => eventTypeOf(action, paths))
      .filter((id) => id !== ''),
  )
}

/** The routes of a form, in their order. */
export const routesOf = (row: SourceRow): readonly Tree[] => treesIn(row, 'routes')

export const actionOf = (route: Tree): Tree => treeIn(route, 'action')
