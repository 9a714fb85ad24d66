import { createContext, use } from 'react'
import { CAPTCHA_PROVIDERS, type CaptchaProvider } from '../../../../src/domain/event-types/event-type.ts'
import { words } from '../../words.ts'
import { Select, Switch } from './fields.tsx'

/** The CAPTCHAs whose keys the operator has set. */
export const WorkingCaptchas = createContext<readonly CaptchaProvider[]>(CAPTCHA_PROVIDERS)

export const useWorkingCaptchas = () => use(WorkingCaptchas)

interface HoneypotProps {
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

/** For event types and forms. */
export function HoneypotSwitch({ on, onChange }: HoneypotProps) {
  const { honeypot, honeypotHint } = words.protection
  return <Switch label={honeypot} hint={honeypotHint} on={on} onChange={onChange} />
}

interface CaptchaProps {
  readonly value: CaptchaProvider | ''
  readonly onChange: (provider: CaptchaProvider | '') => void
}

/** For event types and forms. */
export function CaptchaSelect({ value, onChange }: CaptchaProps) {
  const { captcha, captchaHint, captchas } = words.protection
  return (
    <Select
      label={captcha}
      hint={captchaHint}
      field="abuse.captcha"
      value={value}
      options={[
        { id: '', label: captchas.none },
        ...CAPTCHA_PROVIDERS.map((provider) => ({ id: provider, label: captchas[provider] })),
      ]}
      onChange={(chosen) => onChange(CAPTCHA_PROVIDERS.find((provider) => provider === chosen) ?? '')}
    />
  )
}
