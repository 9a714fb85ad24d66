import { useState } from 'react'
import { call } from '../core/api.ts'
import { Action, TextInput, Trouble } from '../core/controls.tsx'
import { useAll, useChange, useMe } from '../core/data.ts'
import { Sheet } from '../core/dialogs.tsx'
import { PlusIcon } from '../core/icons.tsx'
import { Empty, Loaded, Page, Section } from '../core/page.tsx'
import { usePublicUrl } from '../core/public-url.ts'
import { Link, navigate } from '../core/router.tsx'
import { slugOf } from '../core/slug-of.ts'
import { useTimes } from '../core/times.ts'
import type { InvitationView, MyInvitationView, TeamView } from '../core/views.ts'
import { words } from '../words.ts'

export default function TeamsPage() {
  const teams = useAll<TeamView>('/teams')
  const invitations = useAll<MyInvitationView>('/invitations')
  const me = useMe().data?.body
  const [adding, setAdding] = useState(false)
  const t = words.teams
  const answer = useChange(
    ({ id, join }: { id: string; join: boolean }) =>
      join
        ? call(`/invitations/${id}/accept`, { method: 'POST', body: {} })
        : call(`/invitations/${id}`, { method: 'DELETE' }),
    ['/invitations', '/teams', '/me', '/event-types'],
  )
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Action kind="main" onPress={() => setAdding(true)}>
          <PlusIcon size={16} />
          {t.add}
        </Action>
      }
    >
      {(invitations.data?.length ?? 0) > 0 && (
        <Section title={t.invited}>
          <Trouble error={answer.error} />
          <ul className="rows rows-inner">
            {invitations.data?.map(({ id, team, role }) => (
              <li key={id} className="row">
                <div className="min-w-0 flex-1">
                  <p className="row-title m-0">{team.name}</p>
                  <p className="row-sub">{words.roles[role]}</p>
                </div>
                <Action
                  small
                  kind="main"
                  label={`${t.join}: ${team.name}`}
                  busy={answer.isPending}
                  onPress={() => answer.mutate({ id, join: true })}
                >
                  {t.join}
                </Action>
                <Action
                  small
                  label={`${t.decline}: ${team.name}`}
                  onPress={() => answer.mutate({ id, join: false })}
                >
                  {t.decline}
                </Action>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Loaded query={teams}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t.none}>{t.noneHint}</Empty>
          ) : (
            <ul className="panel rows">
              {all.map((team) => (
                <li key={team.id} className="row">
                  <div className="min-w-0 flex-1">
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
      {me?.admin && <Instance />}
      {adding && <AddTeam onClose={() => setAdding(false)} />}
    </Page>
  )
}

/** Who may sign up here; for those who run the instance. */
function Instance() {
  const open = useAll<InvitationView>('/instance-invitations')
  const times = useTimes()
  const [email, setEmail] = useState('')
  const t = words.teams
  const invite = useChange(
    () => call('/instance-invitations', { method: 'POST', body: { email: email.trim() } }),
    ['/instance-invitations'],
  )
  const withdraw = useChange(
    (id: string) => call(`/instance-invitations/${id}`, { method: 'DELETE' }),
    ['/instance-invitations'],
  )
  return (
    <Section title={t.instance} hint={t.instanceHint}>
      <form
        className="flex flex-wrap items-end gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!invite.isPending) invite.mutate(undefined, { onSuccess: () => setEmail('') })
        }}
      >
        <div className="flex-1 basis-60">
          <TextInput
            label={words.email}
            type="email"
            maxLength={254}
            value={email}
            onChange={setEmail}
            error={invite.error?.message || undefined}
          />
        </div>
        <button type="submit" className="button button-quiet">
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
                <p className="row-sub">{t.until(times.moment(invitation.expiresAt))}</p>
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

function AddTeam({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [slug, setSlug] = useState<string>()
  const me = useMe().data?.body
  const publicUrl = usePublicUrl()
  const t = words.teams
  const add = useChange(
    () =>
      call<TeamView>('/teams', {
        method: 'POST',
        body: { name, slug: slug ?? slugOf(name), ...(me && { timezone: me.timezone }) },
      }),
    ['/teams', '/me'],
  )
  return (
    <Sheet title={t.add} onClose={onClose}>
      <TextInput label={words.name} maxLength={200} value={name} onChange={setName} />
      <TextInput
        label={words.eventTypes.address}
        prefix={`${publicUrl.replace(/^https?:\/\//, '')}/`}
        maxLength={64}
        value={slug ?? slugOf(name)}
        onChange={setSlug}
      />
      <Trouble error={add.error} />
      <div className="flex flex-wrap justify-end gap-3">
        <Action onPress={onClose}>{words.cancel}</Action>
        <Action
          kind="main"
          busy={add.isPending}
          onPress={() =>
            add.mutate(undefined, { onSuccess: ({ body }) => navigate(`/app/teams/${body.id}`) })
          }
        >
          {words.eventTypes.create}
        </Action>
      </div>
    </Sheet>
  )
}
