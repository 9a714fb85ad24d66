import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { combine, useAll, useChange, useOne } from '../core/data/data.ts'
import type { CalendarView, ConnectionView, ProviderCalendarsView } from '../core/data/views.ts'
import { Sheet } from '../core/dialogs.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { Loaded } from '../core/page.tsx'
import { tell, words } from '../words.ts'

interface Props {
  readonly connection: ConnectionView
  readonly onClose: () => void
}

/** Adds calendars of a connected account. Each then has its switches in the list of calendars. */
export function ChooseCalendars({ connection, onClose }: Props) {
  const { id, provider, account } = connection
  const offered = useOne<ProviderCalendarsView>(`/connections/${id}/calendars`)
  const connected = useAll<CalendarView>('/calendars')
  const c = words.calendars
  const add = useChange(
    (body: { readonly externalId: string; readonly writeTo: boolean }) =>
      call('/calendars', { method: 'POST', body: { kind: provider, connectionId: id, ...body } }),
    ['/calendars'],
  )
  return (
    <Sheet title={tell(c.chooseOf, { account })} onClose={onClose}>
      <p className="hint">{c.chooseHint}</p>
      <Loaded query={combine(offered, connected)}>
        {([{ body }, calendars]) => (
          <ul>
            {body.calendars.map(({ externalId, name, writable, primary }) => {
              const isAdded = calendars.some(
                (one) => one.connectionId === id && one.externalId === externalId,
              )
              // The first one also gets the bookings, unless the host has chosen another for them.
              const writeTo = primary && writable && !calendars.some((one) => one.writeTo)
              return (
                <li key={externalId} className="row">
                  <div className="row-main">
                    <p className="row-title">{name}</p>
                    <p className="row-sub">{isAdded ? c.added : writable ? c.writable : c.readOnly}</p>
                  </div>
                  {!isAdded && (
                    <div className="row-tools">
                      <Button
                        small
                        busy={add.isPending}
                        label={tell(c.addOf, { name })}
                        onPress={() => add.mutate({ externalId, writeTo })}
                      >
                        {c.addOne}
                      </Button>
                    </div>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </Loaded>
      {add.isError && <ErrorAlert error={add.error} />}
      <div className="actions">
        <Button onPress={onClose}>{c.chosen}</Button>
      </div>
    </Sheet>
  )
}
