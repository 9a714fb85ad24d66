import { useMemo, useRef, useState } from 'react'
import {
  Autocomplete,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  TextField,
} from 'react-aria-components'
import { currentZone } from '../../../src/domain/zone-names.ts'
import { useSpeech } from '../texts.tsx'
import { useHour12, writeTime } from './clock.ts'
import { findZones, listZones, type Match } from './zone-list.ts'
import { type HostZone, offsetOf, ownZone } from './zones.ts'

interface Props {
  readonly zone: string
  readonly at: number
  readonly host: HostZone | undefined
  /** What was typed before this was loaded. */
  readonly typedEarly: string
  /** Called with the chosen zone, or nothing. */
  readonly onDone: (zone?: string) => void
}

/**
 * Finds a zone by city, country, abbreviation or offset.
 *
 * The list is part of the page, not an overlay over it: nothing else has to be hidden from a screen reader.
 */
export default function ZoneSearch({ zone, at, host, typedEarly, onDone }: Props) {
  const { locale, cities, tell } = useSpeech()
  const box = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState(typedEarly)
  const near = useMemo(
    () => [...new Set([zone, ownZone(), host?.zone].filter((id) => id !== undefined).map(currentZone))],
    [zone, host?.zone],
  )
  const zones = useMemo(() => listZones(locale.tag, cities, near), [locale.tag, cities, near])
  const offsets = useMemo(
    () => new Map(zones.map(({ id }) => [id, offsetOf(locale.tag, id, at)])),
    [zones, locale.tag, at],
  )
  const found = findZones(zones, typed, (id) => offsets.get(id) ?? '')
  const searching = typed.trim() !== ''
  const pinned = searching
    ? []
    : near.map((id) => found.find((match) => match.zone.id === id)).filter((match) => match !== undefined)
  const rest = searching ? found : found.filter((match) => !pinned.includes(match))
  const option = (match: Match) => (
    <Option
      key={match.zone.id}
      match={match}
      offset={offsets.get(match.zone.id) ?? ''}
      {...(match.zone.id === currentZone(host?.zone ?? '') && { host: host?.name ?? '' })}
      showsTime={pinned.includes(match)}
    />
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for what leaves the search
    <div
      ref={box}
      className="zone-search"
      onBlur={({ relatedTarget }) => box.current?.contains(relatedTarget) || onDone()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // Ends the search, not the popup that the page may be in.
        event.preventDefault()
        onDone()
      }}
    >
      <Autocomplete inputValue={typed} onInputChange={setTyped}>
        <TextField aria-label={tell('searchZone')} autoFocus>
          <Input className="input" role="combobox" aria-expanded="true" placeholder={tell('searchZone')} />
        </TextField>
        <div className="popover zone-list">
          <ListBox
            aria-label={tell('zone')}
            className="zone-options"
            selectionMode="single"
            onSelectionChange={(chosen) => chosen !== 'all' && onDone(String([...chosen][0] ?? zone))}
            renderEmptyState={() => <p className="zone-none">{tell('noZone')}</p>}
          >
            {pinned.length > 0 && (
              <ListBoxSection>
                <Header className="zone-head">{tell('suggestedZones')}</Header>
                {pinned.map(option)}
              </ListBoxSection>
            )}
            {searching || rest.length === 0 ? (
              rest.map(option)
            ) : (
              <ListBoxSection>
                <Header className="zone-head">{tell('allZones')}</Header>
                {rest.map(option)}
              </ListBoxSection>
            )}
          </ListBox>
        </div>
      </Autocomplete>
    </div>
  )
}

interface OptionProps {
  readonly match: Match
  readonly offset: string
  /** The host's name, if it is their zone. */
  readonly host?: string
  readonly showsTime: boolean
}

function Option({ match: { zone, by }, offset, host, showsTime }: OptionProps) {
  const { locale, tell } = useSpeech()
  const [hour12] = useHour12(locale.tag)
  const [openedAt] = useState(() => Date.now())
  const isNamed = zone.city !== ''
  const place = [isNamed ? zone.city : offset, zone.country].filter((part) => part !== '').join(', ')
  return (
    <ListBoxItem id={zone.id} textValue={place} className="zone-option">
      <span>
        {place}
        {by !== '' && <small> · {by}</small>}
        {host !== undefined && showsTime && <small> · {tell('hostZone', { name: host })}</small>}
      </span>
      <span className="muted">
        {[showsTime && writeTime(locale.tag, zone.id, openedAt, hour12), isNamed && offset]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </ListBoxItem>
  )
}
