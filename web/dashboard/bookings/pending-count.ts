import type { ListPage } from '../core/data/api.ts'
import { useOne } from '../core/data/data.ts'
import type { ListedBookingView } from '../core/data/views.ts'

/** How many requests wait for the host's approval; 100 at most. */
export function usePendingCount(): number {
  const pending = useOne<ListPage<ListedBookingView>>('/bookings?status=PendingApproval&limit=100')
  return pending.data?.body.items.length ?? 0
}
