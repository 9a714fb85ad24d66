import { type Draft, keyOf } from './draft.ts'
import { oldNamesOf } from './forms/targets.ts'
import { isOrganization } from './people/plan-people.ts'
import type { PlannedEventType } from './plan.ts'
import type { SourceKey } from './source.ts'
import { groupBy, idIn, lineOf, textIn } from './values.ts'

/** The addresses of the source that lead to another place here. */
export function findOldLinks(draft: Draft): void {
  const paths = new Map<string, SourceKey>()
  const add = (path: string, key: SourceKey) => {
    if (!paths.has(path)) paths.set(path, key)
  }
  const live = liveOf(draft)
  const names = oldNamesOf(draft)
  const events = groupBy([...draft.eventTypes.values()], ({ content }) => content.owner)
  const slugs = new Map(
    draft
      .rows('EventType')
      .map((row) => [keyOf('EventType', idIn(row)), lineOf(textIn(row, 'slug'), 200).toLowerCase()]),
  )
  const addPage = (prefix: string, key: SourceKey, isLive: (path: string) => boolean) => {
    if (!isLive(prefix)) add(prefix, key)
    for (const event of events.get(key) ?? []) {
      const path = `${prefix}/${slugs.get(event.key) ?? ''}`
      if (!isLive(path)) add(path, event.key)
    }
  }
  const organizations = draft
    .rows('Team')
    .filter(isOrganization)
    .map((row) => [idIn(row), lineOf(textIn(row, 'slug'), 200).toLowerCase()] as const)
  const never = () => false
  for (const [key, own] of names) {
    const owner = draft.owner(key)
    if (owner === undefined) continue
    for (const name of own) {
      // What is a page here stays one.
      if (owner.kind === 'user') addPage(`/${name}`, key, (path) => live.has(path))
      else addPage(`/team/${name}`, key, never)
      for (const [, organization] of organizations) {
        if (organization === '') continue
        addPage(`/org/${organization}/${owner.kind === 'team' ? 'team/' : ''}${name}`, key, never)
      }
    }
  }
  for (const [key, own] of names) {
    if (!draft.teams.has(key)) continue
    for (const name of own)
      for (const [, organization] of organizations)
        if (organization !== '') addPage(`/org/${organization}/${name}`, key, never)
  }
  for (const { key } of draft.forms.values()) add(`/forms/${key.slice(key.indexOf('/') + 1)}`, key)
  draft.oldLinks.push(...[...paths].map(([path, key]) => ({ path, key })))
}

/** The paths of all pages that there will be. */
function liveOf(draft: Draft): ReadonlySet<string> {
  const owners = [...draft.users.values(), ...draft.teams.values()]
  const slugOf = new Map(owners.map(({ key, content }) => [key, content.slug]))
  const pathOf = ({ content }: PlannedEventType) => `/${slugOf.get(content.owner)}/${content.slug}`
  return new Set([
    ...owners.map(({ content }) => `/${content.slug}`),
    ...[...draft.here.slugs].map((slug) => `/${slug}`),
    ...[...draft.here.slugsOfOwners].map((path) => `/${path}`),
    ...[...draft.eventTypes.values()].map(pathOf),
  ])
}
