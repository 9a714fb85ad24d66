import { LINK_PROVIDERS, type LinkProvider } from '../../../src/domain/event-types/location.ts'
import { useAll, useOne } from '../core/data.ts'
import { Select } from '../core/fields.tsx'
import type { CalendarView, ConnectionView, EventTypeView, ProvidersView } from '../core/views.ts'
import { words } from '../words.ts'

/** The account that a host needs for links of this kind; Jitsi needs none. */
const ACCOUNTS: Readonly<Partial<Record<LinkProvider, ConnectionView['provider']>>> = {
  'google-meet': 'google',
  'microsoft-teams': 'microsoft',
  zoom: 'zoom',
}

/** The calendars whose events come with links of this kind. */
const CALENDARS: Readonly<Partial<Record<LinkProvider | '', CalendarView['kind']>>> = {
  'google-meet': 'google',
  'microsoft-teams': 'microsoft',
}

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
  const isConnected = (provider: LinkProvider) =>
    ACCOUNTS[provider] === undefined || accounts?.some((account) => account.provider === ACCOUNTS[provider])
  const calendars = useAll<CalendarView>('/calendars').data
  const { provider = '' } = location
  const kind = CALENDARS[provider]
  const lacksCalendar =
    kind !== undefined &&
    calendars !== undefined &&
    !calendars.some((one) => one.kind === kind && one.writeTo)
  const offered = LINK_PROVIDERS.filter(
    (one) => one === provider || (meetingLinks.includes(one) && (isTeams || isConnected(one))),
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
        ...offered.map((id) => ({ id, label: words.meetingLinks[id] })),
      ]}
      onChange={(chosen) => {
        const made = offered.find((one) => one === chosen)
        // With a link for each booking, there is none to type.
        onChange(made ? { type: 'Video', value: '', provider: made } : { ...location, provider: '' })
      }}
    />
  )
}
