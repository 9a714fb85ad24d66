import { useEffect, useRef, useState } from 'react'
import { LinkIcon } from '../icons.tsx'
import { isWanted, Lazy, lazyPart, usePreloaded } from '../lazy-part.tsx'
import { useSpeech } from '../texts.tsx'
import { type HostZone, useZoneLabel } from './zones.ts'

// Not part of the page's own file: most guests never open it.
const zoneSearch = lazyPart('zones', () => import('./zone-search.tsx'))

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
  const { tell } = useSpeech()
  const [searching, setSearching] = useState(() => isWanted(zoneSearch))
  const button = useRef<HTMLButtonElement>(null)
  const returned = useRef(false)
  const [typedEarly, setTypedEarly] = useState('')
  usePreloaded(zoneSearch)

  useEffect(() => {
    if (searching) returned.current = true
    else if (returned.current) button.current?.focus()
  }, [searching])

  const close = (chosen?: string) => {
    if (chosen !== undefined) onChange(chosen)
    setSearching(false)
    setTypedEarly('')
  }
  const named = useZoneLabel()(zone, at)
  return (
    <div className="zone">
      {searching ? (
        <Lazy
          part={zoneSearch}
          waiting={<EarlyInput typed={typedEarly} onType={setTypedEarly} onLeave={() => close()} />}
        >
          {(ZoneSearch) => (
            <ZoneSearch zone={zone} at={at} host={host} typedEarly={typedEarly} onDone={close} />
          )}
        </Lazy>
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

interface EarlyInputProps {
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly onLeave: () => void
}

/** Takes what is typed before the search is there, which goes on with it. */
function EarlyInput({ typed, onType, onLeave }: EarlyInputProps) {
  const { tell } = useSpeech()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <input
      ref={input}
      className="input"
      aria-label={tell('searchZone')}
      aria-busy="true"
      placeholder={tell('searchZone')}
      value={typed}
      onChange={(event) => onType(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onLeave()
      }}
    />
  )
}
