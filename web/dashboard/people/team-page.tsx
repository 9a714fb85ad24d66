import { useState } from 'react'
import { ROLES, type Role } from '../../../src/domain/people/user.ts'
import { call, type Versioned } from '../core/api.ts'
import { Action, Select, TextInput, Trouble } from '../core/controls.tsx'
import { useAll, useChange, useMe, useOne } from '../core/data.ts'
import { Confirm } from '../core/dialogs.tsx'
import { SaveBar, useDraft } from '../core/draft.tsx'
import { Loaded, Page, RowsSkeleton, Section } from '../core/page.tsx'
import { usePublicUrl } from '../core/public-url.ts'
import { navigate } from '../core/router.tsx'
import { useTimes } from '../core/times.ts'
import type { InvitationView, MemberView, TeamView } from '../core/views.ts'
import { words } from '../words.ts'
import { PageEditor } from './page-editor.tsx'

export default function TeamPage({ id }: { readonly id: string }) {
  const team = useOne<TeamView>(`/teams/${id}`)
  const publicUrl = usePublicUrl()
  return (
    <Page
      title={team.data?.body.name ?? words.teams.title}
      back={{ to: '/app/teams', label: words.teams.title }}
      actions={
        team.data && (
          <a
            className="button button-quiet"
            href={`${publicUrl}/${team.data.body.slug}`}
            target="_blank"
            rel="noreferrer"
          >
            {words.teams.see}
          </a>
        )
      }
    >
      <Loaded query={team} skeleton={<RowsSkeleton rows={5} />}>
        {(found) => <Team loaded={found} />}
      </Loaded>
    </Page>
  )
}

function Team({ loaded }: { readonly loaded: Versioned<TeamView> }) {
  const { id, role, name } = loaded.body
  const manages = role !== 'member'
  const [removing, setRemoving] = useState(false)
  const t = words.teams
  const remove = useChange(
    () => call(`/teams/${id}`, { method: 'DELETE' }),
    ['/teams', '/me', '/event-types'],
  )
  return (
    <>
      <Members team={loaded.body} />
      {manages && <Invitations team={loaded.body} />}
      {manages && <Settings loaded={loaded} />}
      {role === 'owner' && (
        <Section title={t.remove}>
          <div>
            <Action onPress={() => setRemoving(true)}>{t.remove}</Action>
          </div>
        </Section>
      )}
      {removing && (
        <Confirm
          title={t.removeTitle(name)}
          confirm={words.delete}
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setRemoving(false)}
          onConfirm={() =>
            remove.mutate(undefined, { onSuccess: () => navigate('/app/teams', { force: true }) })
          }
        >
          {t.removeHint}
        </Confirm>
      )}
    </>
  )
}

function Settings({ loaded }: { readonly loaded: Versioned<TeamView> }) {
  const edited = useDraft(`/teams/${loaded.body.id}`, loaded, ['/teams', '/me'])
  return (
    <div className="mt-5">
      <PageEditor edited={edited} />
      <SaveBar draft={edited} />
    </div>
  )
}

const roleOf = (given: string): Role => ROLES.find((one) => one === given) ?? 'member'

function Members({ team }: { readonly team: TeamView }) {
  const path = `/teams/${team.id}/members`
  const members = useAll<MemberView>(path)
  const me = useMe().data?.body
  const times = useTimes()
  const [leaving, setLeaving] = useState<MemberView>()
  const t = words.teams
  const change = useChange(
    ({ userId, role }: { userId: string; role: Role }) =>
      call(`${path}/${userId}`, { method: 'PATCH', body: { role } }),
    [path, '/me', '/teams'],
  )
  const remove = useChange(
    (userId: string) => call(`${path}/${userId}`, { method: 'DELETE' }),
    [path, '/me', '/teams', '/event-types'],
  )
  return (
    <Section title={t.members}>
      <Trouble error={change.error} />
      <Loaded query={members} skeleton={<span className="bar bar-wide" />}>
        {(all) => (
          <ul className="rows rows-inner">
            {all.map((member) => {
              const own = member.userId === me?.id
              return (
                <li key={member.userId} className="row">
                  <div className="min-w-0 flex-1 basis-48">
                    <p className="row-title m-0">
                      {member.name}
                      {own && <span className="text-muted font-normal"> ({words.you})</span>}
                    </p>
                    <p className="row-sub">
                      {member.email} · {t.since(times.moment(member.joinedAt))}
                    </p>
                  </div>
                  {team.role === 'member' ? (
                    <span className="status">{words.roles[member.role]}</span>
                  ) : (
                    <div className="w-36">
                      <Select
                        label={t.roleOf(member.name)}
                        hideLabel
                        value={member.role}
                        options={ROLES.map((role) => ({ id: role, label: words.roles[role] }))}
                        onChange={(role) => change.mutate({ userId: member.userId, role: roleOf(role) })}
                      />
                    </div>
                  )}
                  {(own || team.role !== 'member') && (
                    <Action
                      small
                      label={own ? t.leave : words.removeOf(member.name)}
                      onPress={() => setLeaving(member)}
                    >
                      {own ? t.leave : words.remove}
                    </Action>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </Loaded>
      {leaving && (
        <Confirm
          title={leaving.userId === me?.id ? t.leaveTitle(team.name) : t.memberTitle(leaving.name)}
          confirm={leaving.userId === me?.id ? t.leave : words.remove}
          busy={remove.isPending}
          error={remove.error}
          onClose={() => {
            remove.reset()
            setLeaving(undefined)
          }}
          onConfirm={() =>
            remove.mutate(leaving.userId, {
              onSuccess: () => {
                setLeaving(undefined)
                if (leaving.userId === me?.id) navigate('/app/teams', { force: true })
              },
            })
          }
        >
          {t.memberHint}
        </Confirm>
      )}
    </Section>
  )
}

function Invitations({ team }: { readonly team: TeamView }) {
  const path = `/teams/${team.id}/invitations`
  const open = useAll<InvitationView>(path)
  const times = useTimes()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const t = words.teams
  const invite = useChange(() => call(path, { method: 'POST', body: { email: email.trim(), role } }), [path])
  const withdraw = useChange((id: string) => call(`${path}/${id}`, { method: 'DELETE' }), [path])
  const within = ROLES.slice(ROLES.indexOf(team.role))
  return (
    <Section title={t.invitations} hint={t.invitationsHint}>
      <form
        className="grid gap-4 sm:grid-cols-[1fr_9rem_auto] items-start"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!invite.isPending) invite.mutate(undefined, { onSuccess: () => setEmail('') })
        }}
      >
        <TextInput
          label={words.email}
          type="email"
          maxLength={254}
          value={email}
          onChange={setEmail}
          error={invite.error?.message || undefined}
        />
        <Select
          label={words.role}
          value={role}
          options={within.map((id) => ({ id, label: words.roles[id] }))}
          onChange={(chosen) => setRole(roleOf(chosen))}
        />
        <button type="submit" className="button button-quiet sm:mt-7" aria-disabled={invite.isPending}>
          {t.invite}
        </button>
      </form>
      <Trouble error={withdraw.error} />
      {(open.data?.length ?? 0) > 0 && (
        <ul className="rows rows-inner">
          {open.data?.map((invitation) => (
            <li key={invitation.id} className="row">
              <div className="min-w-0 flex-1">
                <p className="m-0 font-semibold wrap-anywhere">{invitation.email}</p>
                <p className="row-sub">
                  {words.roles[invitation.role]} · {t.until(times.moment(invitation.expiresAt))}
                </p>
              </div>
              <Action
                small
                label={`${t.withdraw}: ${invitation.email}`}
                onPress={() => withdraw.mutate(invitation.id)}
              >
                {t.withdraw}
              </Action>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
