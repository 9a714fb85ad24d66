import type { ScopeOfChange } from '../../../src/domain/bookings/series.ts'
import { isActive } from '../../../src/domain/bookings/states.ts'
import type { BookingView } from '../core/data/views.ts'
import { Segments } from '../core/fields/fields.tsx'
import { words } from '../words.ts'

interface Props {
  readonly booking: BookingView
  readonly scope: ScopeOfChange
  readonly onChange: (scope: ScopeOfChange) => void
}

/** Where meetings of its series follow: this one alone, or those as well. */
export function ScopeChoice({ booking, scope, onChange }: Props) {
  const isFollowed = booking.series.some(
    (meeting) => meeting.startTime > booking.startTime && isActive(meeting),
  )
  if (!isFollowed) return null
  const { scope: label, scopes } = words.bookings
  const options = (['one', 'following'] as const).map((id) => ({ id, label: scopes[id] }))
  return <Segments label={label} value={scope} options={options} onChange={onChange} />
}
