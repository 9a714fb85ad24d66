import { useAll } from '../core/data/data.ts'
import type { EventTypeView, MemberView } from '../core/data/views.ts'
import { NumberInput, Segments, Switch } from '../core/fields/fields.tsx'
import { FieldError, WarningLine } from '../core/fields/form-errors.tsx'
import { Loaded, Section } from '../core/page.tsx'
import { words } from '../words.ts'
import type { EventTypeSection } from './event-type-section.ts'

type Host = EventTypeView['hosts'][number]

/** Which members of a team attend, and how they share the bookings. */
export function HostsSection({
  draft,
  set,
  teamId,
}: EventTypeSection<'hosts'> & { readonly teamId: string }) {
  const members = useAll<MemberView>(`/teams/${teamId}/members`)
  const { hosts, assignment } = draft
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
          <ul className="rows-inner">
            {all.map((member) => (
              <HostRow
                key={member.userId}
                member={member}
                host={hosts.find(({ userId }) => userId === member.userId)}
                assignment={assignment}
                onChange={(host) => set({ hosts: withHost(member.userId, host) })}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}

interface RowProps {
  readonly member: MemberView
  /** Undefined: this member doesn't host it. */
  readonly host: Host | undefined
  readonly assignment: EventTypeView['assignment']
  readonly onChange: (host: Host | undefined) => void
}

function HostRow({ member: { userId, name, email, hoursConfirmed }, host, assignment, onChange }: RowProps) {
  const h = words.hosts
  return (
    <li className="row">
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
