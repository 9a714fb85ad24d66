import { useMe, useOwners } from '../core/data/data.ts'
import type { BookingView } from '../core/data/views.ts'

/** Whether the viewer hosts the booking, or manages the team that owns it. */
export function useMayChange({ ownerId, hostIds }: BookingView): boolean {
  const me = useMe().data?.body
  const owner = useOwners().find(({ id }) => id === ownerId)
  return owner?.manages === true || (me !== undefined && hostIds.includes(me.id))
}
