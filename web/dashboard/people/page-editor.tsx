import { LANGUAGE_NAMES, LANGUAGES } from '../../../src/domain/languages.ts'
import { GERMAN_ADDRESSES } from '../../../src/domain/people/scheduler.ts'
import type { PageView } from '../core/data/views.ts'
import type { DraftOf } from '../core/fields/draft.tsx'
import { Select, TextArea, TextInput } from '../core/fields/fields.tsx'
import { SlugInput } from '../core/fields/slug.tsx'
import { ZoneField } from '../core/fields/zone-field.tsx'
import { Section } from '../core/page.tsx'
import { words } from '../words.ts'
import { ImageField } from './image-field.tsx'

const THEMES = ['auto', 'light', 'dark'] as const

interface PageEditorProps<T extends PageView> {
  readonly edited: DraftOf<T>
  /** The team whose page it is. Left out: the user's own. */
  readonly teamId?: string
}

/** What users and teams set about their own page. */
export function PageEditor<T extends PageView>({ edited, teamId }: PageEditorProps<T>) {
  const { draft } = edited
  const set = (part: Partial<PageView>) => edited.set(part as Partial<T>)
  const p = words.profile
  const t = words.teams.page
  const isUser = teamId === undefined
  return (
    <>
      <Section title={isUser ? p.page : t.page} hint={isUser ? p.pageHint : t.pageHint}>
        <TextInput
          label={words.name}
          field="name"
          maxLength={200}
          value={draft.name}
          onChange={(name) => set({ name })}
        />
        <SlugInput hint={p.slugHint} value={draft.slug} onChange={(slug) => set({ slug })} />
        <TextArea
          label={isUser ? p.bio : t.bio}
          field="bio"
          maxLength={5000}
          value={draft.bio}
          onChange={(bio) => set({ bio })}
        />
        <ZoneField
          hint={isUser ? p.zoneHint : t.zoneHint}
          zone={draft.timezone}
          onChange={(timezone) => set({ timezone })}
        />
      </Section>
      <Branding draft={draft} set={set} teamId={teamId} />
      <LanguageSection draft={draft} set={set} teamId={teamId} />
    </>
  )
}

interface PartProps {
  readonly draft: PageView
  readonly set: (part: Partial<PageView>) => void
  readonly teamId: string | undefined
}

function Branding({ draft, set, teamId }: PartProps) {
  const p = words.profile
  const { branding } = draft
  return (
    <Section title={p.branding} hint={teamId === undefined ? p.brandingHint : words.teams.page.brandingHint}>
      <div className="columns">
        <ColourField
          colour={branding.primaryColor}
          onChange={(primaryColor) => set({ branding: { ...branding, primaryColor } })}
        />
        <Select
          label={p.theme}
          field="theme"
          value={draft.theme}
          options={THEMES.map((id) => ({ id, label: p.themes[id] }))}
          onChange={(theme) => set({ theme: THEMES.find((one) => one === theme) ?? 'auto' })}
        />
        <ImageField
          label={p.avatar}
          field="avatarUrl"
          what={p.whatAvatar}
          teamId={teamId}
          value={draft.avatarUrl}
          onChange={(avatarUrl) => set({ avatarUrl })}
        />
        <ImageField
          label={p.logo}
          field="branding.logoUrl"
          what={p.whatLogo}
          teamId={teamId}
          value={branding.logoUrl}
          onChange={(logoUrl) => set({ branding: { ...branding, logoUrl } })}
        />
      </div>
    </Section>
  )
}

function LanguageSection({ draft, set, teamId }: PartProps) {
  const p = words.profile
  const isUser = teamId === undefined
  return (
    <Section title={p.language}>
      <div className="columns">
        <Select
          label={p.language}
          hint={isUser ? p.languageHint : p.languageHintTeam}
          field="locale"
          value={draft.locale}
          options={LANGUAGES.map((id) => ({ id, label: LANGUAGE_NAMES[id] }))}
          onChange={(locale) => set({ locale: LANGUAGES.find((one) => one === locale) ?? 'en' })}
        />
        {speaksGerman(draft) && (
          <Select
            label={p.germanAddress}
            hint={isUser ? p.germanAddressHint : words.teams.page.germanAddressHint}
            field="germanAddress"
            value={draft.germanAddress}
            options={GERMAN_ADDRESSES.map((id) => ({ id, label: p.germanAddresses[id] }))}
            onChange={(chosen) =>
              set({ germanAddress: GERMAN_ADDRESSES.find((one) => one === chosen) ?? 'sie' })
            }
          />
        )}
      </div>
    </Section>
  )
}

/** Whether German pages matter to this host: they speak it, or have chosen how it addresses guests. */
const speaksGerman = ({ locale, germanAddress }: PageView) =>
  locale === 'de' || germanAddress !== 'sie' || navigator.languages.some((tag) => /^de\b/.test(tag))

interface ColourProps {
  readonly colour: string
  readonly onChange: (colour: string) => void
}

function ColourField({ colour, onChange }: ColourProps) {
  const p = words.profile
  return (
    <div className="field">
      <label className="label" htmlFor="colour">
        {p.colour}
      </label>
      <div className="colour-field">
        <input
          id="colour"
          type="color"
          className="colour"
          value={/^#[0-9a-f]{6}$/i.test(colour) ? colour : '#2563eb'}
          onChange={({ target }) => onChange(target.value)}
        />
        <TextInput
          label={p.colourCode}
          hideLabel
          field="branding.primaryColor"
          maxLength={20}
          value={colour}
          onChange={onChange}
        />
      </div>
      <p className="hint">{p.colourHint}</p>
    </div>
  )
}
