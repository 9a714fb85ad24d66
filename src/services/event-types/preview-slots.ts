import type { Context } from '../context.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import type { ListingQuery } from '../slots/listings.ts'
import { type EventTypeDraft, readDraft } from './draft.ts'

/** The times that guests would see if the event type had these settings; saves nothing. */
export async function previewSlots(
  context: Context,
  principal: Principal,
  draft: EventTypeDraft,
  query: ListingQuery,
): Promise<Uint8Array> {
  return context.slots.listFrom(await readDraft(context, principal, draft), query)
}
