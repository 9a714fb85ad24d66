import { useState } from 'react'
import { ROLES, type Role } from '../../../../src/domain/people/user.ts'
import { Button } from '../../core/buttons.tsx'
import { call, type Versioned } from '../../core/data/api.ts'
import { useChange, useOne } from '../../core/data/data.ts'
import type { InvitationView, TeamView } from '../../core/data/views.ts'
import { Confirm } from '../../core/dialogs.tsx'
import { SaveBar, useDraft } from '../../core/fields/draft.tsx'
import { Select, Switch } from '../../core/fields/fields.tsx'
import { FormErrors } from '../../core/fields/form-errors.tsx'
import { Loaded, Page, RowsSkeleton, Section } from '../../core/page.tsx'
import { Link, navigate } from '../../core/router.tsx'
import { usePublicUrl } from '../../core/share/public-url.ts'
import { tell, words } from '../../words.ts'
import { PageEditor } from '../page-editor.tsx'
import { Attributes } from './attributes.tsx'
import { Invitations } from './invitations.tsx'
import { Members } from './members.tsx'
import { roleOf } from './roles.ts'

export default function TeamPage({ id }: { readonly id: string }) {
  const team = useOne<TeamView>(`/teams/${id}`)
  const publicUrl = usePublicUrl()
  const t = words.teams
  return (
    <Page
      title={team.data?.body.name ?? t.title}
      back={{ to: '/app/teams', label: t.title }}
      actions={
        team.data && (
          <>
            <Link className="button button-quiet" to={`/app/teams/${id}/assignments`}>
              {words.fairness.open}
            </Link>
            <a
              className="button button-quiet"
              href={`${publicUrl}/${team.data.body.slug}`}
              target="_blank"
              rel="noreferrer"
            >
              {t.see}
            </a>
          </>
        )
      }
    >
      <Loaded query={team} skeleton={<RowsSkeleton rows={5} />}>
        {(found) => (
          <>
            {found.body.role !== 'member' && <TeamInvitations team={found.body} />}
            <Members team={found.body} />
            {found.body.role !== 'member' && (
              <>
                <Attributes team={found.body} />
                <Settings loaded={found} />
              </>
            )}
            {found.body.role === 'owner' && <DeleteTeam team={found.body} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function TeamInvitations({ team }: { readonly team: TeamView }) {
  const [role, setRole] = useState<Role>('member')
  // Members can't give a role above their own.
  const roles = ROLES.slice(ROLES.indexOf(team.role))
  return (
    <Invitations<InvitationView>
      title={words.teams.invitations}
      hint={words.teams.invitationsHint}
      path={`/teams/${team.id}/invitations`}
      extra={{ role }}
      describe={(invitation) => words.roles[invitation.role]}
    >
      <Select
        label={words.role}
        field="role"
        value={role}
        options={roles.map((id) => ({ id, label: words.roles[id] }))}
        onChange={(chosen) => setRole(roleOf(chosen))}
      />
    </Invitations>
  )
}

function Settings({ loaded }: { readonly loaded: Versioned<TeamView> }) {
  const t = words.teams
  const edited = useDraft(`/teams/${loaded.body.id}`, loaded, ['/teams', '/me'])
  return (
    <div className="block">
      <FormErrors error={edited.save.error}>
        <PageEditor edited={edited} teamId={loaded.body.id} />
        <Section title={t.visibility}>
          <Switch
            label={t.membersSeeAll}
            hint={t.membersSeeAllHint}
            on={edited.draft.membersSeeAll}
            onChange={(membersSeeAll) => edited.set({ membersSeeAll })}
          />
        </Section>
        <SaveBar draft={edited} />
      </FormErrors>
    </div>
  )
}

function DeleteTeam({ team }: { readonly team: TeamView }) {
  const [asking, setAsking] = useState(false)
  const t = words.teams
  const remove = useChange(
    () => call(`/teams/${team.id}`, { method: 'DELETE' }),
    ['/teams', '/me', '/event-types'],
  )
  return (
    <Section title={t.remove}>
      <div>
        <Button onPress={() => setAsking(true)}>{t.remove}</Button>
      </div>
      {asking && (
        <Confirm
          title={tell(t.removeTitle, { name: team.name })}
          confirm={words.delete}
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            remove.mutate(undefined, { onSuccess: () => navigate('/app/teams', { force: true }) })
          }
        >
          {t.removeHint}
        </Confirm>
      )}
    </Section>
  )
}
