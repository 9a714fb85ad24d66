import type { LinkProvider } from '../../domain/event-types/event-type.ts'
import { Problem } from '../../domain/problem.ts'
import type { Context } from '../context.ts'

/** The services that can make meeting links here. */
export function listLinkProviders({ providers, jitsiUrl }: Context): LinkProvider[] {
  return [
    ...(providers.google ? (['google-meet'] as const) : []),
    ...(providers.microsoft ? (['microsoft-teams'] as const) : []),
    ...(providers.zoom ? (['zoom'] as const) : []),
    ...(jitsiUrl === '' ? [] : (['jitsi'] as const)),
  ]
}

/** Throws `invalid` if no such links can be made here. */
export function checkLinkProvider(context: Context, provider: LinkProvider | '' = ''): void {
  if (provider === '' || listLinkProviders(context).includes(provider)) return
  const reason = 'These meeting links are not set up on this service.'
  throw new Problem('invalid', reason, { field: 'location.provider' })
}
