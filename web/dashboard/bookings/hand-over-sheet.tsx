import { useId, useState } from 'react'
import type { ScopeOfChange } from '../../../src/domain/bookings/series.ts'
import { Button } from '../core/buttons.tsx'
import { withQuery } from '../core/data/api.ts'
import { useOne } from '../core/data/data.ts'
import type { BookingView, SuccessorsView } from '../core/data/views.ts'
import { Sheet } from '../core/dialogs.tsx'
import { Select, TextArea } from '../core/fields/fields.tsx'
import { FormError, FormErrors } from '../core/fields/form-errors.tsx'
import { Loaded, RowsSkeleton } from '../core/page.tsx'
import { useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'
import { ScopeChoice } from './scope-choice.tsx'

/** The id of the option that leaves the choice to the round robin. */
const NEXT = ''

interface Props {
  readonly booking: BookingView
  readonly busy: boolean
  readonly error: unknown
  readonly onClose: () => void
  readonly onHandOver: (body: object) => void
}

/** Asks who takes a meeting over. */
export function HandOverSheet({ booking, busy, error, onClose, onHandOver }: Props) {
  const times = useTimes()
  const [scope, setScope] = useState<ScopeOfChange>('one')
  const [chosen, setChosen] = useState<string>()
  const [reason, setReason] = useState('')
  const found = useOne<SuccessorsView>(withQuery(`/bookings/${booking.id}/hosts`, { scope }))
  const b = words.bookings
  return (
    <Sheet title={tell(b.handOverTitle, { name: booking.invitee.name })} onClose={onClose}>
      <FormErrors error={error}>
        <p className="muted">
          {times.moment(booking.startTime)}. {b.handOverHint}
        </p>
        <ScopeChoice booking={booking} scope={scope} onChange={setScope} />
        <Loaded query={found} skeleton={<RowsSkeleton rows={2} />}>
          {({ body: { hosts } }) => {
            const options = optionsOf(hosts)
            const value = options.some(({ id }) => id === chosen) ? chosen : options[0]?.id
            return (
              <>
                {options.length === 0 ? (
                  <p className="muted">{hosts.length === 0 ? b.noOtherHost : b.noSuccessor}</p>
                ) : (
                  <Select
                    field="hostId"
                    label={b.handOverTo}
                    value={value ?? NEXT}
                    options={options}
                    onChange={setChosen}
                  />
                )}
                <NotFree hosts={hosts} />
                {options.length > 0 && (
                  <TextArea
                    field="reason"
                    label={words.reasonLabel}
                    hint={words.reasonHint}
                    value={reason}
                    maxLength={1000}
                    onChange={setReason}
                  />
                )}
                <FormError />
                <div className="actions actions-end">
                  <Button onPress={onClose}>{b.keepHost}</Button>
                  {value !== undefined && (
                    <Button
                      kind="primary"
                      busy={busy}
                      onPress={() =>
                        onHandOver({
                          ...(value === NEXT ? { automatic: true } : { hostId: value }),
                          ...(reason.trim() !== '' && { reason }),
                          scope,
                        })
                      }
                    >
                      {b.handOver}
                    </Button>
                  )}
                </div>
              </>
            )
          }}
        </Loaded>
      </FormErrors>
    </Sheet>
  )
}

/** The next whose turn it is, if someone is free by the rules of the event type, then each host who can be chosen. */
function optionsOf(hosts: SuccessorsView['hosts']) {
  const { nextHost, outsideHours } = words.bookings
  const free = hosts.filter((host) => host.free)
  const next = free.some(({ obstacle }) => obstacle === null) ? [{ id: NEXT, label: nextHost }] : []
  return [
    ...next,
    ...free.map(({ hostId, name, obstacle }) => ({
      id: hostId,
      label: obstacle === null ? name : tell(outsideHours, { name }),
    })),
  ]
}

/** Who can't take it over, and why. */
function NotFree({ hosts }: { readonly hosts: SuccessorsView['hosts'] }) {
  const id = useId()
  const { notFree, obstacles } = words.bookings
  const busy = hosts.filter(({ free }) => !free)
  if (busy.length === 0) return null
  return (
    <div>
      <span id={id} className="label">
        {notFree}
      </span>
      <ul className="muted small" aria-labelledby={id}>
        {busy.map(({ hostId, name, obstacle }) => (
          <li key={hostId}>
            {name}: {obstacle && obstacles[obstacle]}
          </li>
        ))}
      </ul>
    </div>
  )
}
