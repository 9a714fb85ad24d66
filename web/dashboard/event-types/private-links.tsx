import { useState } from 'react'
import { writeDuration } from '../../../src/format/duration.ts'
import { useSpeech } from '../../parts/texts.tsx'
import { AddItem, Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useAll, useChange } from '../core/data/data.ts'
import type {
  CreatePrivateLink,
  EventTypeView,
  IssuedLinkView,
  MemberView,
  PrivateLinkView,
} from '../core/data/views.ts'
import { Confirm, CreateSheet, Sheet } from '../core/dialogs.tsx'
import { Checkboxes, NumberInput, TextInput } from '../core/fields/fields.tsx'
import { Loaded, Section } from '../core/page.tsx'
import { ShownOnce } from '../core/shown-once.tsx'
import { formatInstant, useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'

interface Props {
  readonly eventType: EventTypeView
  /** The team that owns it; undefined: a user. */
  readonly teamId: string | undefined
}

/** The private links to an event type. */
export function PrivateLinks({ eventType, teamId }: Props) {
  const path = `/event-types/${eventType.id}/links`
  const links = useAll<PrivateLinkView>(path)
  const [adding, setAdding] = useState(false)
  const [ending, setEnding] = useState<PrivateLinkView>()
  const l = words.privateLinks
  return (
    <Section id="links" title={l.title} hint={l.hint}>
      <Loaded query={links} skeleton={<span className="bar bar-wide" />}>
        {(all) =>
          all.length === 0 ? (
            <p className="hint">{l.none}</p>
          ) : (
            <ul className="rows-inner">
              {all.toReversed().map((link) => (
                <LinkRow key={link.id} link={link} onEnd={() => setEnding(link)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <AddItem onPress={() => setAdding(true)}>{l.add}</AddItem>
      {adding && (
        <NewLink path={path} eventType={eventType} teamId={teamId} onClose={() => setAdding(false)} />
      )}
      {ending && <EndLink path={path} link={ending} onClose={() => setEnding(undefined)} />}
    </Section>
  )
}

function LinkRow({ link, onEnd }: { readonly link: PrivateLinkView; readonly onEnd: () => void }) {
  const times = useTimes()
  const { locale } = useSpeech()
  const l = words.privateLinks
  const { uses, used, note, expiresAt, durationMinutes, createdAt } = link
  const isOver =
    (uses !== null && used >= uses) || (expiresAt !== null && Date.parse(expiresAt) <= Date.now())
  const created = tell(l.created, { moment: times.moment(createdAt) })
  const facts = [
    uses === null ? tell(l.used, { count: used }) : tell(l.usedOf, { used, uses }),
    expiresAt !== null && tell(l.until, { moment: times.moment(expiresAt) }),
    durationMinutes !== null && writeDuration(locale.tag, durationMinutes),
    note !== '' && created,
  ]
  return (
    <li className="row" data-faded={isOver || undefined}>
      <div className="row-main">
        <p className="row-title">{note || created}</p>
        <p className="row-sub">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <Button small label={`${l.end}: ${note || created}`} onPress={onEnd}>
        {l.end}
      </Button>
    </li>
  )
}

interface NewProps extends Props {
  readonly path: string
  readonly onClose: () => void
}

const DAY = 86_400_000

function NewLink({ path, eventType, teamId, onClose }: NewProps) {
  const [uses, setUses] = useState<number | null>(1)
  const [days, setDays] = useState<number | null>(null)
  const [durationMinutes, setMinutes] = useState<number | null>(null)
  const [note, setNote] = useState('')
  const [hostIds, setHostIds] = useState<readonly string[]>([])
  const l = words.privateLinks
  const create = useChange(() => {
    const expiresAt = days === null ? null : formatInstant(Date.now() + days * DAY)
    const body: CreatePrivateLink = { uses, expiresAt, durationMinutes, hostIds, note }
    return call<IssuedLinkView>(path, { method: 'POST', body })
  }, [path])
  if (create.data !== undefined) {
    return (
      <Sheet title={l.ready} onClose={onClose} alert>
        <ShownOnce secret={create.data.body.url} onDone={onClose} />
      </Sheet>
    )
  }
  return (
    <CreateSheet
      title={l.add}
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() => create.mutate(undefined)}
    >
      <TextInput
        label={l.note}
        hint={l.noteHint}
        field="note"
        maxLength={1000}
        value={note}
        onChange={setNote}
      />
      <NumberInput label={l.uses} hint={l.usesHint} field="uses" value={uses} onChange={setUses} />
      <NumberInput
        label={l.expires}
        hint={l.expiresHint}
        field="expiresAt"
        unit={words.units.days}
        value={days}
        onChange={setDays}
      />
      <NumberInput
        label={words.eventTypes.duration}
        hint={l.durationHint}
        field="durationMinutes"
        unit={words.units.minutes}
        placeholder={String(eventType.durationMinutes)}
        value={durationMinutes}
        onChange={setMinutes}
      />
      {teamId !== undefined && eventType.hosts.length > 1 && eventType.seats === 1 && (
        <HostChoice teamId={teamId} eventType={eventType} chosen={hostIds} onChange={setHostIds} />
      )}
    </CreateSheet>
  )
}

interface HostChoiceProps {
  readonly teamId: string
  readonly eventType: EventTypeView
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

function HostChoice({ teamId, eventType, chosen, onChange }: HostChoiceProps) {
  const members = useAll<MemberView>(`/teams/${teamId}/members`).data ?? []
  const hosts = members.filter(({ userId }) => eventType.hosts.some((host) => host.userId === userId))
  return (
    <Checkboxes
      label={words.hosts.title}
      hint={words.privateLinks.hostsHint}
      field="hostIds"
      options={hosts.map(({ userId, name }) => ({ id: userId, label: name }))}
      chosen={chosen}
      onChange={onChange}
    />
  )
}

interface EndProps {
  readonly path: string
  readonly link: PrivateLinkView
  readonly onClose: () => void
}

function EndLink({ path, link, onClose }: EndProps) {
  const l = words.privateLinks
  const end = useChange(() => call(`${path}/${link.id}`, { method: 'DELETE' }), [path])
  return (
    <Confirm
      title={l.endTitle}
      confirm={l.end}
      busy={end.isPending}
      error={end.error}
      onClose={onClose}
      onConfirm={() => end.mutate(undefined, { onSuccess: onClose })}
    >
      {l.endHint}
    </Confirm>
  )
}
