import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { useAll } from '../core/data/data.ts'
import type { EventTypeView, MemberView } from '../core/data/views.ts'
import { NumberInput, Segments, Switch, TextInput } from '../core/fields/fields.tsx'
import { FieldError, WarningLine } from '../core/fields/form-errors.tsx'
import { Loaded, Section } from '../core/page.tsx'
import { byName, useTyped } from '../core/sorting.tsx'
import { type RowPlace, WindowedList } from '../core/windowed.tsx'
import { words } from '../words.ts'
import type { EventTypeSection } from './event-type-section.ts'

/** So many are seen at a glance. */
const FEW = 8

type Host = EventTypeView['hosts'][number]

/** Which members of a team attend, and how they share the bookings. */
export function HostsSection({
  draft,
  set,
  teamId,
}: EventTypeSection<'hosts'> & { readonly teamId: string }) {
  const members = useAll<MemberView>(`/teams/${teamId}/members`)
  const { hosts, assignment } = draft
  const { typed, setTyped, fits } = useTyped()
  const h = words.hosts
  const withHost = (userId: string, host: Host | undefined) => {
    if (host === undefined) return hosts.filter((one) => one.userId !== userId)
    const known = hosts.some((one) => one.userId === userId)
    return known ? hosts.map((one) => (one.userId === userId ? host : one)) : [...hosts, host]
  }
  return (
    <Section id="hosts" title={h.title} hint={h.hint}>
      <Segments
        label={h.assignment}
        value={assignment}
        options={[
          { id: 'round-robin', label: h.roundRobin },
          { id: 'collective', label: h.collective },
        ]}
        onChange={(chosen) => set({ assignment: chosen })}
      />
      <p className="hint">{assignment === 'round-robin' ? h.roundRobinHint : h.collectiveHint}</p>
      <FieldError field="assignment" />
      <FieldError field="hosts" />
      {hosts.length === 0 && <WarningLine>{h.none}</WarningLine>}
      <Loaded query={members} skeleton={<span className="bar bar-wide" />}>
        {(all) => (
          <>
            {all.length > FEW && (
              <div className="toolbar list-toolbar">
                <div className="toolbar-search">
                  <TextInput
                    label={words.people.search}
                    hideLabel
                    type="search"
                    placeholder={words.people.search}
                    value={typed}
                    onChange={setTyped}
                  />
                </div>
                <Button small onPress={() => set({ hosts: withEveryone(hosts, all, assignment) })}>
                  {h.everyone}
                </Button>
              </div>
            )}
            {assignment === 'round-robin' && hosts.filter(({ fixed }) => !fixed).length > 1 && (
              <WeightForAll
                onSet={(weight) =>
                  set({ hosts: hosts.map((host) => (host.fixed ? host : { ...host, weight })) })
                }
              />
            )}
            <WindowedList
              className="rows-inner"
              items={all.filter(({ name, email }) => fits(name, [email])).toSorted(byName)}
            >
              {(member, place) => (
                <HostRow
                  key={member.userId}
                  member={member}
                  place={place}
                  host={hosts.find(({ userId }) => userId === member.userId)}
                  assignment={assignment}
                  onChange={(host) => set({ hosts: withHost(member.userId, host) })}
                />
              )}
            </WindowedList>
          </>
        )}
      </Loaded>
    </Section>
  )
}

/** Everyone as a host; those who are keep their part. */
function withEveryone(
  hosts: readonly Host[],
  members: readonly MemberView[],
  assignment: EventTypeView['assignment'],
): readonly Host[] {
  const known = new Set(hosts.map(({ userId }) => userId))
  const others = members.filter(({ userId }) => !known.has(userId))
  return [...hosts, ...others.map(({ userId }) => ({ userId, fixed: assignment === 'collective' }))]
}

/** Gives all hosts who take turns the same weight. */
function WeightForAll({ onSet }: { readonly onSet: (weight: number) => void }) {
  const [weight, setWeight] = useState<number | null>(100)
  const h = words.hosts
  return (
    <div className="weight-for-all">
      <NumberInput label={h.weightAll} value={weight} onChange={setWeight} />
      <Button onPress={() => weight !== null && onSet(weight)}>{h.setAll}</Button>
    </div>
  )
}

interface RowProps {
  readonly member: MemberView
  readonly place: RowPlace
  /** Undefined: this member doesn't host it. */
  readonly host: Host | undefined
  readonly assignment: EventTypeView['assignment']
  readonly onChange: (host: Host | undefined) => void
}

function HostRow({
  member: { userId, name, email, hoursConfirmed },
  place,
  host,
  assignment,
  onChange,
}: RowProps) {
  const h = words.hosts
  return (
    <li className="row" {...place.props}>
      <div className="row-main">
        <Switch
          label={name}
          hint={hoursConfirmed ? email : `${email} · ${h.unconfirmed}`}
          on={host !== undefined}
          onChange={(on) => onChange(on ? { userId, fixed: assignment === 'collective' } : undefined)}
        />
      </div>
      {host && assignment === 'round-robin' && (
        <div className="row-tools">
          <label className="tick small">
            <input
              type="checkbox"
              checked={host.fixed}
              onChange={({ target }) => onChange({ ...host, fixed: target.checked })}
            />
            <span>
              {h.fixed}
              <span className="sr-only"> ({name})</span>
            </span>
          </label>
          {!host.fixed && (
            <NumberInput
              label={`${h.weight} (${name})`}
              hideLabel
              unit={h.weight}
              value={host.weight ?? 100}
              onChange={(weight) => onChange({ ...host, weight: weight ?? 1 })}
            />
          )}
        </div>
      )}
    </li>
  )
}
