import type { EventTypeDraft } from '../../../services/event-types/draft.ts'
import { pick } from '../request.ts'
import { ChangeEventType } from './schemas.ts'

export const toSeat = (host: { userId: string; fixed: boolean; weight?: number }) => ({
  hostId: host.userId,
  fixed: host.fixed,
  ...(host.weight !== undefined && { weight: host.weight }),
})

/** The settings in a body, for the event type with this id. */
export function draftOf(id: string, body: ChangeEventType): EventTypeDraft {
  const { hosts, ...input } = pick(body, ChangeEventType)
  return { id, input: { ...input, hosts: hosts?.map(toSeat) } }
}
