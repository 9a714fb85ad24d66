import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { LinkIcon } from '../icons.tsx'
import { useSpeech } from '../texts.tsx'
import { cityOf } from './zone-names.ts'
import { type HostZone, offsetOf } from './zones.ts'

// Loaded when opened: most guests never do.
const ZoneSearch = lazy(() => import('./zone-search.tsx'))

interface Props {
  readonly zone: string
  readonly onChange: (zone: string) => void
  /** The instant for which offsets are shown, since they change through the year. */
  readonly at: number
  /** Whose time zone is offered beside the guest's own. */
  readonly host?: HostZone
}

/** Shows the time zone, and lets the guest choose another. */
export function ZonePicker({ zone, onChange, at, host }: Props) {
  const { locale, tell } = useSpeech()
  const [searching, setSearching] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const returned = useRef(false)

  useEffect(() => {
    if (searching) returned.current = true
    else if (returned.current) button.current?.focus()
  }, [searching])

  const close = (chosen?: string) => {
    if (chosen !== undefined) onChange(chosen)
    setSearching(false)
  }
  const named = `${cityOf(zone)} (${offsetOf(locale.tag, zone, at)})`
  return (
    <div className="zone">
      {searching ? (
        <Suspense fallback={<span className="bar bar-wide" />}>
          <ZoneSearch zone={zone} at={at} host={host} onDone={close} />
        </Suspense>
      ) : (
        <button
          ref={button}
          type="button"
          className="text-button"
          aria-label={tell('changeZone', { zone: named })}
          onClick={() => setSearching(true)}
        >
          <LinkIcon size={16} />
          <span>{named}</span>
          <span aria-hidden="true">▾</span>
        </button>
      )}
    </div>
  )
}
