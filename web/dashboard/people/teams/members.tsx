import { useState } from 'react'
import { ROLES, type Role } from '../../../../src/domain/people/user.ts'
import { Button } from '../../core/buttons.tsx'
import { call } from '../../core/data/api.ts'
import { useAll, useChange, useMe, useOne } from '../../core/data/data.ts'
import type { AttributeView, MemberView, TeamView } from '../../core/data/views.ts'
import { Confirm } from '../../core/dialogs.tsx'
import { Select } from '../../core/fields/fields.tsx'
import { ErrorAlert } from '../../core/fields/form-errors.tsx'
import { Loaded, Section } from '../../core/page.tsx'
import { navigate } from '../../core/router.tsx'
import { byName, ListToolbar, useTyped } from '../../core/sorting.tsx'
import { useTimes } from '../../core/time/times.ts'
import { type RowPlace, WindowedList } from '../../core/windowed.tsx'
import { tell, words } from '../../words.ts'
import { HandOverMeetingsSheet } from './hand-over-meetings.tsx'
import { MemberAttributes, valueText } from './member-attributes.tsx'
import { roleOf } from './roles.ts'

const SORTS = ['name', 'newest', 'role'] as const

type Sort = (typeof SORTS)[number]

/** So many are seen at a glance. */
const FEW = 5

/** The members of a team, with their roles. */
export function Members({ team }: { readonly team: TeamView }) {
  const path = `/teams/${team.id}/members`
  const members = useAll<MemberView>(path)
  const attributes = useOne<readonly AttributeView[]>(`/teams/${team.id}/attributes`).data?.body ?? []
  const me = useMe().data?.body
  const [removing, setRemoving] = useState<MemberView>()
  const [editing, setEditing] = useState<MemberView>()
  const [leaving, setLeaving] = useState<MemberView>()
  const [sort, setSort] = useState<Sort>('name')
  const { typed, setTyped, fits } = useTyped()
  const changeRole = useChange(
    ({ userId, role }: { userId: string; role: Role }) =>
      call(`${path}/${userId}`, { method: 'PATCH', body: { role } }),
    [path, '/me', '/teams'],
  )
  return (
    <Section title={words.teams.members}>
      <ErrorAlert error={changeRole.error} />
      <Loaded query={members} skeleton={<span className="bar bar-wide" />}>
        {(all) => (
          <>
            {all.length > FEW && (
              <ListToolbar
                typed={typed}
                onType={setTyped}
                placeholder={words.people.search}
                sort={sort}
                sorts={SORTS}
                onSort={setSort}
              />
            )}
            <WindowedList
              className="rows-inner"
              items={inOrder(
                all.filter(({ name, email }) => fits(name, [email])),
                sort,
              )}
            >
              {(member, place) => (
                <MemberRow
                  key={member.userId}
                  member={member}
                  place={place}
                  attributes={attributes}
                  own={member.userId === me?.id}
                  manages={team.role !== 'member'}
                  onRole={(role) => changeRole.mutate({ userId: member.userId, role })}
                  onEdit={() => setEditing(member)}
                  onRemove={() => setRemoving(member)}
                  onHandOver={all.length > 1 ? () => setLeaving(member) : undefined}
                />
              )}
            </WindowedList>
          </>
        )}
      </Loaded>
      {editing && (
        <MemberAttributes
          team={team}
          member={editing}
          attributes={attributes}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing && (
        <RemoveMember
          team={team}
          member={removing}
          own={removing.userId === me?.id}
          onClose={() => setRemoving(undefined)}
        />
      )}
      {leaving && (
        <HandOverMeetingsSheet
          teams={[team]}
          userId={leaving.userId}
          title={
            leaving.userId === me?.id
              ? words.handOver.ownTitle
              : tell(words.handOver.title, { name: leaving.name })
          }
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Section>
  )
}

function inOrder(all: readonly MemberView[], sort: Sort): readonly MemberView[] {
  const named = all.toSorted(byName)
  if (sort === 'role') return named.sort((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role))
  return sort === 'newest' ? named.sort((a, b) => (a.joinedAt < b.joinedAt ? 1 : -1)) : named
}

interface RowProps {
  readonly member: MemberView
  readonly place: RowPlace
  readonly attributes: readonly AttributeView[]
  readonly own: boolean
  readonly manages: boolean
  readonly onRole: (role: Role) => void
  readonly onEdit: () => void
  readonly onRemove: () => void
  /** Undefined: there is nobody else. */
  readonly onHandOver: (() => void) | undefined
}

function MemberRow({
  member,
  place,
  attributes,
  own,
  manages,
  onRole,
  onEdit,
  onRemove,
  onHandOver,
}: RowProps) {
  const times = useTimes()
  const t = words.teams
  const { name, email, role, joinedAt } = member
  const set = attributes.flatMap(({ key, label }) => {
    const value = member.attributes[key]
    return value === undefined ? [] : [`${label}: ${valueText(value)}`]
  })
  return (
    <li className="row" {...place.props}>
      <div className="row-main">
        <p className="row-title">
          {name}
          {own && <span className="muted"> ({words.you})</span>}
        </p>
        <p className="row-sub">
          {email} · {tell(t.since, { time: times.moment(joinedAt) })}
        </p>
        {set.length > 0 && <p className="row-sub">{set.join(' · ')}</p>}
      </div>
      {manages && attributes.length > 0 && (
        <Button small label={tell(words.attributes.of, { name })} onPress={onEdit}>
          {words.attributes.edit}
        </Button>
      )}
      {manages ? (
        <div className="role">
          <Select
            label={tell(t.roleOf, { name })}
            hideLabel
            value={role}
            options={ROLES.map((id) => ({ id, label: words.roles[id] }))}
            onChange={(chosen) => onRole(roleOf(chosen))}
          />
        </div>
      ) : (
        <span className="status">{words.roles[role]}</span>
      )}
      {(own || manages) && onHandOver && (
        <Button small label={tell(words.handOver.openOf, { name })} onPress={onHandOver}>
          {words.handOver.open}
        </Button>
      )}
      {(own || manages) && (
        <Button small label={own ? t.leave : tell(words.removeOf, { name })} onPress={onRemove}>
          {own ? t.leave : words.remove}
        </Button>
      )}
    </li>
  )
}

interface RemoveProps {
  readonly team: TeamView
  readonly member: MemberView
  readonly own: boolean
  readonly onClose: () => void
}

/** Asks before someone leaves the team, or is removed from it. */
function RemoveMember({ team, member, own, onClose }: RemoveProps) {
  const path = `/teams/${team.id}/members`
  const t = words.teams
  const remove = useChange(
    () => call(`${path}/${member.userId}`, { method: 'DELETE' }),
    [path, '/me', '/teams', '/event-types'],
  )
  return (
    <Confirm
      title={own ? tell(t.leaveTitle, { name: team.name }) : tell(t.memberTitle, { name: member.name })}
      confirm={own ? t.leave : words.remove}
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            onClose()
            if (own) navigate('/app/teams', { force: true })
          },
        })
      }
    >
      {own ? t.leaveHint : t.memberHint}
    </Confirm>
  )
}
