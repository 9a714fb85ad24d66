import type { Here } from '../../domain/imports/plan.ts'
import type { Source } from '../../domain/imports/source.ts'
import { findOwnSlugs } from '../../store/imports/here.ts'
import type { Context } from '../context.ts'
import { listLinkProviders } from '../event-types/link-providers.ts'

/** What a plan needs to know of this instance: all that did not come from this source. */
export async function findHere(context: Context, source: Source): Promise<Here> {
  const found = await findOwnSlugs(context.db, source)
  return {
    now: context.now(),
    ...found,
    linkProviders: listLinkProviders(context),
    // Accounts are connected anew: their secrets never leave the service that has them.
    calendarKinds: [],
    smsOffered: context.sms !== undefined,
  }
}
