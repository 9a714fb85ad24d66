import type { ScopeOfChange } from '../../src/domain/bookings/series.ts'
import { useSpeech } from '../parts/texts.tsx'

interface Props {
  readonly scope: ScopeOfChange
  readonly onChange: (scope: ScopeOfChange) => void
}

/** Of a series: this meeting alone, or those that follow as well. */
export function ScopeChoice({ scope, onChange }: Props) {
  const { tell } = useSpeech()
  return (
    <fieldset className="field choices">
      <legend className="label">{tell('scope')}</legend>
      {(['one', 'following'] as const).map((choice) => (
        <label key={choice} className="choice">
          <input
            type="radio"
            name="scope"
            value={choice}
            checked={choice === scope}
            onChange={() => onChange(choice)}
          />
          <span>{tell(choice === 'one' ? 'scopeOne' : 'scopeFollowing')}</span>
        </label>
      ))}
    </fieldset>
  )
}
