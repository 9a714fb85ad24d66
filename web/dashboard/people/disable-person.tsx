import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useChange, useOne, useOwners } from '../core/data/data.ts'
import type { DepartureView, PersonView } from '../core/data/views.ts'
import { Confirm } from '../core/dialogs.tsx'
import { tell, words } from '../words.ts'
import { HandOverMeetingsSheet } from './teams/hand-over-meetings.tsx'

interface Props {
  readonly person: PersonView
  readonly onClose: () => void
}

/** Asks before an account is disabled, and offers to hand over the meetings that it would still have. */
export function DisablePerson({ person, onClose }: Props) {
  const { id, name } = person
  const [handingOver, setHandingOver] = useState(false)
  const meetings = useOne<DepartureView>(`/people/${id}/departure`).data?.body.meetings ?? 0
  const managed = new Set(useOwners().flatMap((owner) => (owner.team && owner.manages ? [owner.id] : [])))
  const teams = person.teams.filter((team) => managed.has(team.id))
  const disable = useChange(
    () => call(`/people/${id}`, { method: 'PATCH', body: { disabled: true } }),
    ['/people'],
  )
  const t = words.people.disabling
  if (handingOver) {
    return (
      <HandOverMeetingsSheet
        teams={teams}
        userId={id}
        title={tell(words.handOver.title, { name })}
        onClose={() => setHandingOver(false)}
      />
    )
  }
  return (
    <Confirm
      title={tell(t.title, { name })}
      confirm={t.confirm}
      busy={disable.isPending}
      error={disable.error}
      onClose={onClose}
      onConfirm={() => disable.mutate(undefined, { onSuccess: onClose })}
    >
      <p>{t.hint}</p>
      {meetings > 0 && (
        <>
          <p>{tell(t.meetings, { name, count: meetings })}</p>
          {teams.length > 0 ? (
            <div>
              <Button small onPress={() => setHandingOver(true)}>
                {words.handOver.open}
              </Button>
            </div>
          ) : (
            <p>{t.noTeam}</p>
          )}
        </>
      )}
    </Confirm>
  )
}
