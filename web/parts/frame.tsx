import type { ReactNode } from 'react'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../src/domain/languages.ts'
import { initialsOf } from '../../src/format/initials.ts'
import type { HostData, PageData } from '../../src/http/pages/page-data.ts'
import { useAddress } from './address.ts'

// The same boxes as the server's first paint (src/http/pages/first-paint.ts).

interface FrameProps extends Pick<PageData, 'base' | 'locale'> {
  readonly children: ReactNode
  /** Called before the page is loaded in another language. */
  readonly onLanguage?: () => void
}

/** The frame around every guest page, and around signing in. */
export function Frame({ base, locale, children, onLanguage }: FrameProps) {
  return (
    <div className="page">
      {children}
      <footer className="foot">
        <Languages present={locale.language} onChoose={onLanguage} />
        <a href={`${base}/docs`}>Punctual</a>
      </footer>
    </div>
  )
}

/** The same page in other languages. */
function Languages(props: { readonly present: Language; readonly onChoose: (() => void) | undefined }) {
  const { present, onChoose } = props
  const { search, hash } = new URL(useAddress())
  const address = (language: Language) => {
    const query = new URLSearchParams(search)
    query.set('lang', language)
    // The token of an emailed link is in the fragment.
    return `?${query}${hash}`
  }
  return (
    <ul className="languages">
      {LANGUAGES.map((language) => (
        <li key={language}>
          <a
            lang={language}
            aria-current={language === present || undefined}
            href={address(language)}
            onClick={onChoose}
          >
            {LANGUAGE_NAMES[language]}
          </a>
        </li>
      ))}
    </ul>
  )
}

export function Avatar({ host, large = false }: { readonly host: HostData; readonly large?: boolean }) {
  const picture = host.avatarUrl || host.branding.logoUrl
  return <Portrait name={host.name} picture={picture} size={large ? 'large' : 'usual'} />
}

const SIZES = { small: 'avatar avatar-small', usual: 'avatar', large: 'avatar avatar-large' } as const

interface PortraitProps {
  readonly name: string
  /** Empty: their initials are shown. */
  readonly picture: string
  readonly size: keyof typeof SIZES
}

export function Portrait({ name, picture, size }: PortraitProps) {
  // No alt text: the name is next to the picture.
  if (picture !== '') return <img className={SIZES[size]} src={picture} alt="" />
  return (
    <span className={SIZES[size]} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

/** The host's name and picture; `profile` is where it leads, if anywhere. */
export function Host({ host, profile }: { readonly host: HostData; readonly profile?: string }) {
  const content = (
    <>
      <Avatar host={host} />
      <span>{host.name}</span>
    </>
  )
  return <p className="host">{profile === undefined ? content : <a href={profile}>{content}</a>}</p>
}
