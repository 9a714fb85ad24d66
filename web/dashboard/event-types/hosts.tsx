import { ErrorLine, NumberInput, Segments, Switch } from '../core/controls.tsx'
import { useAll } from '../core/data.ts'
import { Loaded, Section } from '../core/page.tsx'
import type { EventTypeView, MemberView } from '../core/views.ts'
import { words } from '../words.ts'

interface Props {
  readonly draft: EventTypeView
  readonly teamId: string
  readonly error: string | undefined
  readonly set: (part: Partial<EventTypeView>) => void
}

/** Who of a team attends, and how they take turns. */
export function Hosts({ draft, teamId, error, set }: Props) {
  const members = useAll<MemberView>(`/teams/${teamId}/members`)
  const { hosts, assignment } = draft
  const h = words.hosts
  return (
    <Section title={h.title} hint={h.hint}>
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
      {error && <ErrorLine>{error}</ErrorLine>}
      <Loaded query={members} skeleton={<span className="bar bar-wide" />}>
        {(all) => (
          <ul className="rows rows-inner">
            {all.map(({ userId, name, email }) => {
              const seat = hosts.find((host) => host.userId === userId)
              const replace = (part: object) =>
                set({ hosts: hosts.map((host) => (host.userId === userId ? { ...host, ...part } : host)) })
              return (
                <li key={userId} className="row">
                  <div className="flex-1 basis-56">
                    <Switch
                      label={name}
                      hint={email}
                      on={seat !== undefined}
                      onChange={(on) =>
                        set({
                          hosts: on
                            ? [...hosts, { userId, fixed: assignment === 'collective' }]
                            : hosts.filter((host) => host.userId !== userId),
                        })
                      }
                    />
                  </div>
                  {seat && assignment === 'round-robin' && (
                    <div className="flex flex-wrap items-center gap-4">
                      <label className="tick text-sm">
                        <input
                          type="checkbox"
                          checked={seat.fixed}
                          onChange={({ target }) => replace({ fixed: target.checked })}
                        />
                        <span>
                          {h.always}
                          <span className="sr-only"> ({name})</span>
                        </span>
                      </label>
                      {!seat.fixed && (
                        <div className="w-24">
                          <NumberInput
                            label={`${h.weight} (${name})`}
                            hideLabel
                            unit={h.weight}
                            value={seat.weight ?? 100}
                            onChange={(weight) => replace({ weight: weight ?? 1 })}
                          />
                        </div>
                      )}
                    </div>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}
