import { tell, words } from '../../words.ts'
import { useOne } from './data.ts'
import type { KindsView } from './views.ts'

export type KindView = KindsView['kinds'][number]

/** Every kind of calendars and meeting links that the service knows. */
export const useKinds = () => useOne<KindsView>('/connections/kinds')

/** What a provider is called. */
export const titleOf = (kinds: readonly KindView[], name: string) =>
  kinds.find((kind) => kind.name === name)?.title ?? ''

/** What a calendar of this kind is called in a list. */
export function calendarLabel(kinds: readonly KindView[], name: string): string {
  const kind = kinds.find((one) => one.name === name)
  return kind === undefined || kind.calendars === ''
    ? name
    : tell(words.calendars.ways[kind.calendars], { kind: kind.title })
}
