import { ZonePicker } from '../../../parts/time/zone-picker.tsx'
import { words } from '../../words.ts'
import { FieldError } from './form-errors.tsx'

interface Props {
  readonly label?: string
  readonly hint?: string
  readonly field?: string
  readonly zone: string
  readonly onChange: (zone: string) => void
}

export function ZoneField({ label = words.timeZone, hint, field = 'timezone', zone, onChange }: Props) {
  return (
    <div>
      <p className="label">{label}</p>
      <ZonePicker zone={zone} onChange={onChange} at={Date.now()} />
      {hint && <p className="hint">{hint}</p>}
      <FieldError field={field} />
    </div>
  )
}
