import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../src/domain/languages.ts'
import { initialsOf } from '../../src/format/initials.ts'
import { LinkIcon, ShieldIcon } from '../parts/icons.tsx'
import { isWanted, Lazy, lazyPart } from '../parts/lazy-part.tsx'
import { usePendingCount } from './bookings/pending-count.ts'
import { withBase } from './core/base.ts'
import { call } from './core/data/api.ts'
import { useMe } from './core/data/data.ts'
import { signOut } from './core/data/session.ts'
import type { MeView } from './core/data/views.ts'
import { Confirm } from './core/dialogs.tsx'
import { ErrorAlert } from './core/fields/form-errors.tsx'
import { GlobeIcon, MenuIcon, OutIcon, SearchIcon } from './core/icons.tsx'
import { language, speak, wordingOf } from './core/language.ts'
import { Link, leave, stay, useLeaving, useRoute } from './core/router.tsx'
import { pagesFor } from './navigation.ts'
import { tell, words } from './words.ts'

const palette = lazyPart('palette', () => import('./palette.tsx'))

/** The bar and the navigation around every page of the dashboard. */
export function Frame({ base, children }: { readonly base: string; readonly children: ReactNode }) {
  const { path } = useRoute()
  const [open, setOpen] = useState(false)
  const leaving = useLeaving()
  const [searching, setSearching] = usePalette()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setOpen(false), [path])
  return (
    <div className="dashboard">
      <a className="skip" href="#content">
        {words.nav.skip}
      </a>
      <header className="dashboard-bar">
        <Link className="brand" to="/app">
          <img src={`${base}/assets/punctual-mark-2.svg`} alt="" width="26" height="26" />
          <span>Punctual</span>
        </Link>
        <button
          type="button"
          className="search-button"
          aria-keyshortcuts="Control+K Meta+K /"
          aria-haspopup="dialog"
          onClick={() => setSearching(true)}
        >
          <SearchIcon size={18} />
          <span className="sr-only">{words.palette.open}</span>
          <span className="shortcut" aria-hidden="true">
            {isApple() ? '⌘K' : 'Ctrl K'}
          </span>
        </button>
        <button
          type="button"
          className="round dashboard-menu"
          aria-expanded={open}
          aria-controls="navigation"
          aria-label={words.nav.menu}
          onClick={() => setOpen(!open)}
        >
          <MenuIcon size={22} />
        </button>
      </header>
      <div className="dashboard-side" id="navigation" data-open={open || undefined}>
        <Navigation path={path} />
        <Account base={base} />
      </div>
      <main className="dashboard-main" id="content" tabIndex={-1}>
        {searching && (
          <Lazy part={palette}>{(Palette) => <Palette onClose={() => setSearching(false)} />}</Lazy>
        )}
        {children}
      </main>
      {leaving && (
        <Confirm
          title={words.leaveTitle}
          confirm={words.leave}
          cancel={words.keepEditing}
          onClose={stay}
          onConfirm={leave}
        >
          {words.leaveHint}
        </Confirm>
      )}
    </div>
  )
}

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform)

/** Whether the palette is open: the button, Ctrl-K or ⌘K opens it, and `/` where nothing is typed. */
function usePalette() {
  const [open, setOpen] = useState(() => isWanted(palette))
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return
      const isShortcut =
        event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isTyping(event.target)
      if (!isShortcut && !isSlash) return
      // A dialog keeps what it asks for.
      if (document.querySelector('[role=dialog], [role=alertdialog]') !== null) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return [open, setOpen] as const
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role=textbox]'))

function Navigation({ path }: { readonly path: string }) {
  const pending = usePendingCount()
  const isAdmin = useMe().data?.body.admin === true
  return (
    <nav aria-label={words.nav.label}>
      {pagesFor(isAdmin).map(({ title, items }) => (
        <div key={title} className="nav-group">
          <p>{title}</p>
          <ul>
            {items.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link to={to} className="nav-item" aria-current={path.startsWith(to) ? 'page' : undefined}>
                  <Icon size={18} />
                  <span>{label}</span>
                  {to === '/app/bookings' && pending > 0 && (
                    <span className="count" title={tell(words.nav.pending, { count: pending })}>
                      {pending}
                      <span className="sr-only"> {tell(words.nav.pending, { count: pending })}</span>
                    </span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function Account({ base }: { readonly base: string }) {
  const me = useMe().data?.body
  return (
    <section className="account" aria-label={words.nav.account}>
      <div className="account-head">
        <span className="avatar" aria-hidden="true">
          {initialsOf(me?.name ?? '')}
        </span>
        <div>
          <strong>{me?.name ?? ' '}</strong>
          <p className="muted">{me?.email ?? ' '}</p>
        </div>
      </div>
      <a
        className="nav-item"
        href={me === undefined ? undefined : `${base}/${me.slug}`}
        target="_blank"
        rel="noreferrer"
      >
        <LinkIcon size={18} />
        {words.nav.yourPage}
      </a>
      <a className="nav-item" href={withBase('/docs')}>
        <ShieldIcon size={18} />
        {words.nav.apiDocs}
      </a>
      <LanguageChoice />
      <button type="button" className="nav-item" onClick={() => void signOut(false)}>
        <OutIcon size={18} />
        {words.nav.signOut}
      </button>
    </section>
  )
}

/** The language of the dashboard, which is a setting of the user. */
function LanguageChoice() {
  const choose = useMutation({
    mutationFn: (locale: Language) => call<MeView>('/me', { method: 'PATCH', body: { locale } }),
    onSuccess: ({ body }) => speak(wordingOf(body)),
  })
  return (
    <>
      <label className="nav-item nav-language">
        <GlobeIcon size={18} />
        <span className="sr-only">{words.nav.language}</span>
        <select
          value={choose.isError ? language() : (choose.variables ?? language())}
          onChange={({ target }) => choose.mutate(target.value as Language)}
        >
          {LANGUAGES.map((one) => (
            <option key={one} value={one} lang={one}>
              {LANGUAGE_NAMES[one]}
            </option>
          ))}
        </select>
      </label>
      <ErrorAlert error={choose.error} />
    </>
  )
}
