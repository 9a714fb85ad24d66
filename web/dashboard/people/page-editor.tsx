import { LANGUAGES } from '../../../src/domain/languages.ts'
import { ZonePicker } from '../../parts/zone-picker.tsx'
import { Select, TextArea, TextInput } from '../core/controls.tsx'
import type { DraftOf } from '../core/draft.tsx'
import { Section } from '../core/page.tsx'
import { usePublicUrl } from '../core/public-url.ts'
import type { PageView } from '../core/views.ts'
import { words } from '../words.ts'

const THEMES = ['auto', 'light', 'dark'] as const

/** What users and teams set about their own page. */
export function PageEditor<T extends PageView>({ edited }: { readonly edited: DraftOf<T> }) {
  const { draft, errorAbout } = edited
  const set = (part: Partial<PageView>) => edited.set(part as Partial<T>)
  const publicUrl = usePublicUrl()
  const p = words.profile
  const { branding } = draft
  return (
    <>
      <Section title={p.page} hint={p.pageHint}>
        <TextInput
          label={words.name}
          maxLength={200}
          value={draft.name}
          error={errorAbout('name')}
          onChange={(name) => set({ name })}
        />
        <TextInput
          label={words.eventTypes.address}
          hint={p.slugHint}
          prefix={`${publicUrl.replace(/^https?:\/\//, '')}/`}
          maxLength={64}
          value={draft.slug}
          error={errorAbout('slug', 'taken')}
          onChange={(slug) => set({ slug })}
        />
        <TextArea
          label={p.bio}
          maxLength={5000}
          value={draft.bio}
          error={errorAbout('bio')}
          onChange={(bio) => set({ bio })}
        />
        <div>
          <p className="label m-0">{p.zone}</p>
          <ZonePicker zone={draft.timezone} onChange={(timezone) => set({ timezone })} at={Date.now()} />
          <p className="hint">{p.zoneHint}</p>
        </div>
      </Section>
      <Section title={p.branding} hint={p.brandingHint}>
        <div className="grid gap-4 sm:grid-cols-2">
          <div className="field">
            <label className="label" htmlFor="colour">
              {p.colour}
            </label>
            <div className="flex gap-2">
              <input
                id="colour"
                type="color"
                className="colour"
                value={/^#[0-9a-f]{6}$/i.test(branding.primaryColor) ? branding.primaryColor : '#2563eb'}
                onChange={({ target }) => set({ branding: { ...branding, primaryColor: target.value } })}
              />
              <div className="flex-1">
                <TextInput
                  label={p.colourCode}
                  hideLabel
                  maxLength={20}
                  value={branding.primaryColor}
                  error={errorAbout('primaryColor', 'colour')}
                  onChange={(primaryColor) => set({ branding: { ...branding, primaryColor } })}
                />
              </div>
            </div>
            <p className="hint">{p.colourHint}</p>
          </div>
          <Select
            label={p.theme}
            value={draft.theme}
            options={THEMES.map((id) => ({ id, label: p.themes[id] }))}
            onChange={(theme) => set({ theme: THEMES.find((one) => one === theme) ?? 'auto' })}
          />
          <TextInput
            label={p.avatar}
            type="url"
            maxLength={2000}
            placeholder="https://"
            value={draft.avatarUrl}
            error={errorAbout('avatarUrl')}
            onChange={(avatarUrl) => set({ avatarUrl })}
          />
          <TextInput
            label={p.logo}
            type="url"
            maxLength={2000}
            placeholder="https://"
            value={branding.logoUrl}
            error={errorAbout('logoUrl')}
            onChange={(logoUrl) => set({ branding: { ...branding, logoUrl } })}
          />
          <Select
            label={p.language}
            hint={p.languageHint}
            value={draft.locale}
            options={LANGUAGES.map((id) => ({ id, label: p.languages[id] }))}
            onChange={(locale) => set({ locale })}
          />
        </div>
      </Section>
    </>
  )
}
