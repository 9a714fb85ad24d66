import { useState } from 'react'
import { Button } from '../../core/buttons.tsx'
import { call } from '../../core/data/api.ts'
import { useAll, useChange } from '../../core/data/data.ts'
import type { HandedOverView, HandOverMeetings, MemberView } from '../../core/data/views.ts'
import { CreateSheet, Sheet } from '../../core/dialogs.tsx'
import { Select, TextArea } from '../../core/fields/fields.tsx'
import { Link } from '../../core/router.tsx'
import { useTimes } from '../../core/time/times.ts'
import { tell, words } from '../../words.ts'

/** The id of the option that leaves the choice to the round robin. */
const NEXT = ''

interface Props {
  /** The teams whose meetings can be handed over; never empty. */
  readonly teams: readonly { readonly id: string; readonly name: string }[]
  readonly userId: string
  readonly title: string
  /** Only meetings in this time. */
  readonly span?: Pick<HandOverMeetings, 'from' | 'to'>
  readonly onClose: () => void
}

/** Asks who takes the meetings of a member over, and says what became of them. */
export function HandOverMeetingsSheet({ teams, userId, title, span, onClose }: Props) {
  const [teamId, setTeamId] = useState(teams[0]?.id ?? '')
  const [chosen, setChosen] = useState(NEXT)
  const [reason, setReason] = useState('')
  const members = useAll<MemberView>(`/teams/${teamId}/members`).data ?? []
  const others = members.filter((member) => member.userId !== userId)
  const hostId = others.some((member) => member.userId === chosen) ? chosen : NEXT
  const h = words.handOver
  const send = useChange(() => {
    const body: HandOverMeetings = {
      ...(hostId === NEXT ? { automatic: true } : { hostId }),
      ...(reason.trim() !== '' && { reason }),
      ...span,
    }
    return call<HandedOverView>(`/teams/${teamId}/members/${userId}/hand-over`, { method: 'POST', body })
  }, ['/bookings', '/absences'])
  if (send.data !== undefined) {
    const nameOf = (id: string) => members.find((member) => member.userId === id)?.name ?? ''
    return <Outcome outcome={send.data.body} title={title} nameOf={nameOf} onClose={onClose} />
  }
  return (
    <CreateSheet
      title={title}
      submit={h.submit}
      busy={send.isPending}
      error={send.error}
      onClose={onClose}
      onSubmit={() => send.mutate()}
    >
      <p className="muted">{span === undefined ? h.all : h.during}</p>
      {teams.length > 1 && (
        <Select
          label={h.team}
          value={teamId}
          options={teams.map(({ id, name }) => ({ id, label: name }))}
          onChange={setTeamId}
        />
      )}
      <Select
        label={h.to}
        field="hostId"
        value={hostId}
        options={[
          { id: NEXT, label: h.next },
          ...others.map((member) => ({ id: member.userId, label: member.name })),
        ]}
        onChange={setChosen}
      />
      <TextArea
        label={words.reasonLabel}
        hint={words.reasonHint}
        field="reason"
        maxLength={1000}
        value={reason}
        onChange={setReason}
      />
    </CreateSheet>
  )
}

interface OutcomeProps {
  readonly outcome: HandedOverView
  readonly title: string
  readonly nameOf: (userId: string) => string
  readonly onClose: () => void
}

function Outcome({ outcome: { moved, failed, more }, title, nameOf, onClose }: OutcomeProps) {
  const times = useTimes()
  const h = words.handOver
  return (
    <Sheet title={title} onClose={onClose}>
      <div className="stack" role="status">
        {failed.length > 0 && <p>{tell(h.failed, { count: failed.length })}</p>}
        <ul className="rows-inner">
          {failed.map(({ bookingId, startTime, inviteeName, reason }) => (
            <li key={bookingId} className="row">
              <div className="row-main">
                <Link className="link" to={`/app/bookings/${bookingId}`}>
                  {inviteeName}, {times.moment(startTime)}
                </Link>
                <p className="row-sub">{reason}</p>
              </div>
            </li>
          ))}
        </ul>
        <p>{moved.length + failed.length === 0 ? h.nothing : tell(h.moved, { count: moved.length })}</p>
        <ul className="rows-inner">
          {moved.map(({ bookingId, startTime, inviteeName, hostId }) => (
            <li key={bookingId} className="row">
              <div className="row-main">
                {inviteeName}, {times.moment(startTime)}
                <p className="row-sub">{tell(h.nowWith, { name: nameOf(hostId) })}</p>
              </div>
            </li>
          ))}
        </ul>
        {more && <p>{h.more}</p>}
      </div>
      <div className="actions actions-end">
        <Button kind="primary" onPress={onClose}>
          {words.close}
        </Button>
      </div>
    </Sheet>
  )
}
