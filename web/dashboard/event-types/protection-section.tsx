import { ListArea, NumberInput, Switch } from '../core/fields/fields.tsx'
import { CaptchaSelect, HoneypotSwitch } from '../core/fields/protection.tsx'
import { Section } from '../core/page.tsx'
import { words } from '../words.ts'
import type { EventTypeSection } from './event-type-section.ts'

/** Against bots and unwanted guests. */
export function ProtectionSection({ draft, set }: EventTypeSection<'protection'>) {
  const e = words.eventTypes
  const { abuse } = draft
  const protect = (part: Partial<typeof abuse>) => set({ abuse: { ...abuse, ...part } })
  return (
    <Section id="protection" title={words.protection.title} hint={e.protectionHint}>
      <HoneypotSwitch on={abuse.honeypot} onChange={(honeypot) => protect({ honeypot })} />
      <Switch
        label={e.duplicates}
        hint={e.duplicatesHint}
        on={abuse.detectDuplicates}
        onChange={(detectDuplicates) => protect({ detectDuplicates })}
      />
      <div className="columns">
        <CaptchaSelect value={abuse.captcha} onChange={(captcha) => protect({ captcha })} />
        <NumberInput
          label={e.rateLimit}
          hint={e.rateLimitHint}
          field="abuse.rateLimit"
          placeholder="15"
          value={abuse.rateLimit}
          onChange={(rateLimit) => protect({ rateLimit })}
        />
      </div>
      <ListArea
        label={e.blocklist}
        hint={e.blocklistHint}
        field="abuse.blocklist"
        values={abuse.blocklist}
        onChange={(blocklist) => protect({ blocklist })}
      />
    </Section>
  )
}
