import { useState } from 'react'
import { AddButton, Button } from '../../core/buttons.tsx'
import { call } from '../../core/data/api.ts'
import { useAll, useChange } from '../../core/data/data.ts'
import type { MyInvitationView, TeamView } from '../../core/data/views.ts'
import { Confirm } from '../../core/dialogs.tsx'
import { ErrorAlert } from '../../core/fields/form-errors.tsx'
import { EmptyState, Loaded, Page, Section } from '../../core/page.tsx'
import { Link, useAdding } from '../../core/router.tsx'
import { tell, words } from '../../words.ts'
import { NewTeam } from './new-team.tsx'

export default function TeamsPage() {
  const teams = useAll<TeamView>('/teams')
  const [adding, setAdding] = useAdding()
  const t = words.teams
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <AddButton kind="primary" onPress={() => setAdding(true)}>
          {t.add}
        </AddButton>
      }
    >
      <MyInvitations />
      <Loaded query={teams}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={t.none}>{t.noneHint}</EmptyState>
          ) : (
            <ul className="panel">
              {all.map((team) => (
                <li key={team.id} className="row">
                  <div className="row-main">
                    <Link className="row-title" to={`/app/teams/${team.id}`}>
                      {team.name}
                    </Link>
                    <p className="row-sub">/{team.slug}</p>
                  </div>
                  <span className="status">{words.roles[team.role]}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {adding && <NewTeam onClose={() => setAdding(false)} />}
    </Page>
  )
}

/** Teams that the user is invited to. */
function MyInvitations() {
  const invitations = useAll<MyInvitationView>('/invitations')
  const t = words.teams
  const [declining, setDeclining] = useState<{ readonly id: string; readonly name: string }>()
  const answer = useChange(
    ({ id, join }: { id: string; join: boolean }) =>
      join
        ? call(`/invitations/${id}/accept`, { method: 'POST', body: {} })
        : call(`/invitations/${id}`, { method: 'DELETE' }),
    ['/invitations', '/teams', '/me', '/event-types'],
  )
  if (invitations.data === undefined || invitations.data.length === 0) return null
  return (
    <Section title={t.invited}>
      <ErrorAlert error={answer.error} />
      <ul className="rows-inner">
        {invitations.data.map(({ id, team, role }) => (
          <li key={id} className="row">
            <div className="row-main">
              <p className="row-title">{team.name}</p>
              <p className="row-sub">{words.roles[role]}</p>
            </div>
            <Button
              small
              kind="primary"
              label={`${t.join}: ${team.name}`}
              busy={answer.isPending}
              onPress={() => answer.mutate({ id, join: true })}
            >
              {t.join}
            </Button>
            <Button
              small
              label={`${t.decline}: ${team.name}`}
              onPress={() => setDeclining({ id, name: team.name })}
            >
              {t.decline}
            </Button>
          </li>
        ))}
      </ul>
      {declining !== undefined && (
        <Confirm
          title={tell(t.declineTitle, { name: declining.name })}
          confirm={t.decline}
          busy={answer.isPending}
          error={answer.error}
          onClose={() => setDeclining(undefined)}
          onConfirm={() =>
            answer.mutate({ id: declining.id, join: false }, { onSuccess: () => setDeclining(undefined) })
          }
        >
          {t.declineHint}
        </Confirm>
      )}
    </Section>
  )
}
