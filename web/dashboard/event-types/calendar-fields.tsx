import { useAll } from '../core/data/data.ts'
import { useKinds } from '../core/data/kinds.ts'
import type { CalendarView } from '../core/data/views.ts'
import { Select, Switch } from '../core/fields/fields.tsx'
import { words } from '../words.ts'
import type { EventTypeSection } from './event-type-section.ts'

interface Props extends EventTypeSection<'advanced'> {
  /** A team's event type: its hosts have calendars that this user doesn't see. */
  readonly team: boolean
}

/** How bookings and the hosts' calendars go together. Nothing for a host whose calendars can't be asked. */
export function CalendarFields({ draft, set, team }: Props) {
  const calendars = useAll<CalendarView>('/calendars').data ?? []
  const kinds = useKinds().data?.body.kinds ?? []
  const own = calendars.filter((one) => kinds.some(({ name, live }) => live && name === one.kind))
  const writable = own.filter((one) => one.writable)
  const { liveCheck, writeToCalendarId } = draft
  if (own.length === 0 && !team && liveCheck === 'accept') return null
  const e = words.eventTypes
  const isOthers = writeToCalendarId !== null && !writable.some(({ id }) => id === writeToCalendarId)
  return (
    <>
      <Switch
        label={e.liveCheck}
        hint={e.liveCheckHint}
        on={liveCheck === 'refuse'}
        onChange={(refuse) => set({ liveCheck: refuse ? 'refuse' : 'accept' })}
      />
      {(writable.length > 0 || isOthers) && (
        <Select
          label={e.writeTo}
          field="writeToCalendarId"
          value={writeToCalendarId ?? ''}
          options={[
            { id: '', label: e.writeToDefault },
            ...writable.map(({ id, name }) => ({ id, label: name })),
            ...(isOthers ? [{ id: writeToCalendarId, label: e.writeToOther }] : []),
          ]}
          onChange={(chosen) => set({ writeToCalendarId: chosen === '' ? null : chosen })}
        />
      )}
    </>
  )
}
