import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useChange } from '../core/data/data.ts'
import { calendarLabel, type KindView } from '../core/data/kinds.ts'
import type { CalendarView, ChangeCalendar } from '../core/data/views.ts'
import { Confirm } from '../core/dialogs.tsx'
import { Switch } from '../core/fields/fields.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'

interface Props {
  readonly calendar: CalendarView
  readonly kinds: readonly KindView[]
}

/** A connected calendar, with its state and its switches. */
export function CalendarRow({ calendar, kinds }: Props) {
  const path = `/calendars/${calendar.id}`
  const times = useTimes()
  const [removing, setRemoving] = useState(false)
  const c = words.calendars
  const change = useChange((body: ChangeCalendar) => call(path, { method: 'PATCH', body }), ['/calendars'])
  const refresh = useChange(() => call(`${path}/refresh`, { method: 'POST', body: {} }), ['/calendars'])
  const remove = useChange(() => call(path, { method: 'DELETE' }), ['/calendars'])
  const { name, kind, refreshedAt, skippedEvents, lastError } = calendar
  return (
    <li className="row">
      <div className="row-main">
        <p className="row-title">{name}</p>
        <p className="row-sub">
          {calendarLabel(kinds, kind)} ·{' '}
          {refreshedAt === null
            ? c.notYet
            : tell(c.syncedAt, { time: times.moment(refreshedAt), count: calendar.busyTimes })}
          {skippedEvents > 0 && ` · ${tell(c.skipped, { count: skippedEvents })}`}
        </p>
        {lastError !== '' && <p className="error">{lastError}</p>}
      </div>
      <div className="row-switches">
        <Switch label={c.busy} on={calendar.busy} onChange={(busy) => change.mutate({ busy })} />
        {calendar.busy && (
          <Switch
            label={c.tentative}
            on={calendar.tentative === 'busy'}
            onChange={(blocks) => change.mutate({ tentative: blocks ? 'busy' : 'free' })}
          />
        )}
        {calendar.writable && (
          <Switch
            label={c.writeTo}
            on={calendar.writeTo}
            onChange={(writeTo) => change.mutate({ writeTo })}
          />
        )}
      </div>
      <div className="row-tools">
        <Button
          small
          busy={refresh.isPending}
          label={`${c.refresh}: ${name}`}
          onPress={() => refresh.mutate(undefined)}
        >
          {c.refresh}
        </Button>
        <Button small label={tell(c.disconnectOf, { name })} onPress={() => setRemoving(true)}>
          {c.disconnect}
        </Button>
      </div>
      {(change.isError || refresh.isError) && (
        <div className="row-note">
          <ErrorAlert error={change.error ?? refresh.error} />
        </div>
      )}
      {removing && (
        <Confirm
          title={tell(c.disconnectTitle, { name })}
          confirm={c.disconnect}
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutate(undefined)}
        >
          {c.disconnectHint}
        </Confirm>
      )}
    </li>
  )
}
