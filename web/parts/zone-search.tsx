import { useMemo } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { useSpeech } from './texts.tsx'
import { allZones, offsetOf } from './zones.ts'

interface Props {
  readonly zone: string
  readonly at: number
  /** With the zone that was chosen, or nothing. */
  readonly onDone: (zone?: string) => void
}

/** Finds a zone by city, region or offset. */
export default function ZoneSearch({ zone, at, onDone }: Props) {
  const { locale, tell } = useSpeech()
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
    <ComboBox
      className="w-full max-w-xs"
      aria-label={tell('searchZone')}
      defaultItems={zones}
      defaultFilter={(text, typed) => fold(text).includes(fold(typed))}
      menuTrigger="focus"
      allowsEmptyCollection
      autoFocus
      onSelectionChange={(chosen) => onDone(chosen === null ? undefined : String(chosen))}
      onBlur={() => onDone()}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
    >
      <Input className="input" placeholder={tell('searchZone')} />
      <Popover className="popover w-(--trigger-width)">
        <ListBox<(typeof zones)[number]>
          className="max-h-72 overflow-auto p-1"
          renderEmptyState={() => <p className="text-muted m-0 p-3">{tell('noZone')}</p>}
        >
          {({ id, place, offset }) => (
            <ListBoxItem id={id} textValue={`${place} ${offset}`} className="zone-option">
              <span>{place}</span>
              <span className="text-muted">{offset}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}

/** "sao paulo" finds São Paulo. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
