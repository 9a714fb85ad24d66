import { useMemo, useRef } from 'react'
import { Autocomplete, Input, ListBox, ListBoxItem, TextField } from 'react-aria-components'
import { useSpeech } from '../texts.tsx'
import { allZones, offsetOf } from './zones.ts'

interface Props {
  readonly zone: string
  readonly at: number
  /** Called with the chosen zone, or nothing. */
  readonly onDone: (zone?: string) => void
}

/**
 * Finds a zone by city, region or offset.
 *
 * The list is part of the page, not an overlay over it: nothing else has to be hidden from a screen reader.
 */
export default function ZoneSearch({ zone, at, onDone }: Props) {
  const { locale, tell } = useSpeech()
  const box = useRef<HTMLDivElement>(null)
  const zones = useMemo(
    () =>
      allZones(zone).map((id) => ({
        id,
        place: id.replaceAll('_', ' ').replaceAll('/', ' / '),
        offset: offsetOf(locale.tag, id, at),
      })),
    [zone, at, locale.tag],
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
      <Autocomplete filter={(text, typed) => fold(text).includes(fold(typed))}>
        <TextField aria-label={tell('searchZone')} autoFocus>
          <Input className="input" role="combobox" aria-expanded="true" placeholder={tell('searchZone')} />
        </TextField>
        <div className="popover zone-list">
          <ListBox<(typeof zones)[number]>
            aria-label={tell('zone')}
            className="zone-options"
            items={zones}
            selectionMode="single"
            onSelectionChange={(chosen) => chosen !== 'all' && onDone(String([...chosen][0] ?? zone))}
            renderEmptyState={() => <p className="zone-none">{tell('noZone')}</p>}
          >
            {({ id, place, offset }) => (
              <ListBoxItem id={id} textValue={`${place} ${offset}`} className="zone-option">
                <span>{place}</span>
                <span className="muted">{offset}</span>
              </ListBoxItem>
            )}
          </ListBox>
        </div>
      </Autocomplete>
    </div>
  )
}

/** "sao paulo" finds São Paulo. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
