import { useAll, useOne } from '../core/data/data.ts'
import { useKinds } from '../core/data/kinds.ts'
import type { CalendarView, ConnectionView, EventTypeView, ProvidersView } from '../core/data/views.ts'
import { Select } from '../core/fields/fields.tsx'
import { words } from '../words.ts'

interface Props {
  readonly location: EventTypeView['location']
  /** The field of the location. */
  readonly path: string
  /** A team's event type: its hosts connect their own accounts. */
  readonly isTeams: boolean
  readonly onChange: (location: EventTypeView['location']) => void
}

/** Who makes the link of a video call. Offers only what is set up and connected; not shown if nothing is. */
export function LinkSelect({ location, path, isTeams, onChange }: Props) {
  const { meetingLinks = [] } = useOne<ProvidersView>('/connections/providers').data?.body ?? {}
  const accounts = useAll<ConnectionView>('/connections').data
  const kinds = useKinds().data?.body.kinds ?? []
  const kindOf = (link: string) => kinds.find((kind) => kind.link?.name === link)
  const isConnected = (link: string) => {
    const kind = kindOf(link)
    return kind?.account !== true || accounts?.some((account) => account.provider === kind.name)
  }
  const calendars = useAll<CalendarView>('/calendars').data
  const { provider = '' } = location
  const chosenKind = kindOf(provider)
  const lacksCalendar =
    chosenKind?.link?.withEvent === true &&
    calendars !== undefined &&
    !calendars.some((one) => one.kind === chosenKind.name && one.writeTo)
  const offered = kinds
    .flatMap(({ link }) => link ?? [])
    .filter(
      ({ name }) => name === provider || (meetingLinks.includes(name) && (isTeams || isConnected(name))),
    )
  if (offered.length === 0) return null
  const e = words.eventTypes
  const isMissing = provider !== '' && !isTeams && accounts !== undefined && !isConnected(provider)
  const missing = isMissing ? e.linkMissing : lacksCalendar ? e.linkNoCalendar : e.linkHint
  const hint = isTeams ? e.linkHintTeam : missing
  return (
    <Select
      label={e.link}
      hint={provider === '' ? undefined : hint}
      field={`${path}.provider`}
      value={provider}
      options={[
        { id: '', label: e.linkNone },
        ...offered.map(({ name, title }) => ({ id: name, label: title })),
      ]}
      onChange={(chosen) => {
        const made = offered.find(({ name }) => name === chosen)
        // With a link for each booking, there is none to type.
        onChange(made ? { type: 'Video', value: '', provider: made.name } : { ...location, provider: '' })
      }}
    />
  )
}
