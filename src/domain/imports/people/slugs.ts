import { isSlug } from '../../people/slug.ts'
import type { Choices, OfferedChoice } from '../plan.ts'
import type { SourceKey } from '../source.ts'

/** Something that needs a name in addresses. */
export interface Named {
  readonly key: SourceKey
  /** What it is called in addresses there; empty: nothing. */
  readonly wanted: string
  /** What a name is made of if it has none. */
  readonly otherwise: readonly string[]
  /** Its name here, which stays. */
  readonly fixed?: string
}

export interface Assigned {
  readonly slugs: ReadonlyMap<SourceKey, string>
  readonly offered: readonly OfferedChoice[]
}

/** Gives each a slug that nobody else has. The first in the list keeps the name, later ones get a number. */
export function assignSlugs(
  named: readonly Named[],
  isTaken: (slug: string) => boolean,
  choices: Choices,
): Assigned {
  const slugs = new Map<SourceKey, string>()
  const used = new Set<string>()
  const offered: OfferedChoice[] = []
  const isFree = (slug: string) => isSlug(slug) && !used.has(slug) && !isTaken(slug)
  const assign = (key: SourceKey, slug: string) => {
    slugs.set(key, slug)
    used.add(slug)
  }
  for (const { key, fixed } of named) if (fixed !== undefined) assign(key, fixed)
  for (const { key } of named) {
    const chosen = chosenFor(choices, key)
    if (chosen !== undefined && !slugs.has(key) && isFree(chosen)) assign(key, chosen)
  }
  for (const { key, wanted, otherwise, fixed } of named) {
    if (fixed !== undefined) continue
    const base = [wanted, ...otherwise, 'page'].map(slugify).find((slug) => slug !== '') as string
    const isOpen = isFree(base)
    const slug = slugs.get(key) ?? (isOpen ? base : numbered(base, isFree))
    assign(key, slug)
    if (slug !== base) offered.push({ kind: 'slug', key, wanted: base, suggested: slug })
  }
  return { slugs, offered }
}

function chosenFor({ slugs = {} }: Choices, key: SourceKey): string | undefined {
  const chosen = Object.hasOwn(slugs, key) ? slugs[key] : undefined
  return typeof chosen === 'string' ? chosen : undefined
}

function numbered(base: string, isFree: (slug: string) => boolean): string {
  for (let number = 2; ; number++) {
    const slug = `${base.slice(0, 64 - String(number).length - 1).replace(/-+$/, '')}-${number}`
    if (isFree(slug)) return slug
  }
}

/** The nearest slug to a name, or empty. */
export function slugify(name: string): string {
  return name
    .toWellFormed()
    .slice(0, 1000)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 64)
    .replace(/-+$/, '')
}
