import type { FormView } from '../core/data/views.ts'
import { ListArea, NumberInput } from '../core/fields/fields.tsx'
import { CaptchaSelect, HoneypotSwitch } from '../core/fields/protection.tsx'
import { Section } from '../core/page.tsx'
import { words } from '../words.ts'

interface Props {
  readonly abuse: FormView['abuse']
  readonly onChange: (abuse: FormView['abuse']) => void
  readonly keepDays: number | null
  readonly onKeepDays: (days: number | null) => void
}

/** Against bots and unwanted visitors. */
export function ProtectionSection({ abuse, onChange, keepDays, onKeepDays }: Props) {
  const f = words.forms
  return (
    <Section title={words.protection.title} hint={f.protectionHint}>
      <HoneypotSwitch on={abuse.honeypot} onChange={(honeypot) => onChange({ ...abuse, honeypot })} />
      <CaptchaSelect value={abuse.captcha} onChange={(captcha) => onChange({ ...abuse, captcha })} />
      <ListArea
        label={f.blocklist}
        hint={f.blocklistHint}
        field="abuse.blocklist"
        values={abuse.blocklist}
        onChange={(blocklist) => onChange({ ...abuse, blocklist })}
      />
      <NumberInput
        label={f.keepDays}
        hint={f.keepDaysHint}
        field="keepPersonalDataDays"
        placeholder={words.forever}
        value={keepDays}
        onChange={onKeepDays}
      />
    </Section>
  )
}
