import type { LinkProvider, Locations } from '../../domain/event-types/location.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { Context } from '../context.ts'

/** The services that can make meeting links here. */
export function listLinkProviders({ kinds, providers }: Context): LinkProvider[] {
  return kinds.all.flatMap(({ name, link }) => (link && providers[name] ? [link.name] : []))
}

/** Throws `invalid` if links are wanted that cannot be made here. Those that were wanted before may stay. */
export function checkLinkProviders(context: Context, wanted: Locations, before?: Locations): void {
  const known = [...listLinkProviders(context), ...(before ? providersOf(before) : [])]
  const unknown = providersOf(wanted).findIndex((provider) => provider !== '' && !known.includes(provider))
  if (unknown < 0) return
  const field = wanted.locations.length > 0 ? `locations.${unknown}.provider` : 'location.provider'
  throw new Problem('invalid', sentence`These meeting links are not set up on this service.`, { field })
}

/** The providers of all locations; of the only one, if there are none to choose from. */
const providersOf = ({ location, locations }: Locations): LinkProvider[] =>
  (locations.length > 0 ? locations : [location]).map(({ provider = '' }) => provider)
