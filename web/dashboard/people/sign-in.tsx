import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isEmail } from '../../../src/domain/people/contact.ts'
import { ApiFailure } from '../../parts/api.ts'
import { read, write } from '../../parts/clock.ts'
import { Live } from '../../parts/live.tsx'
import { TextInput, Trouble } from '../core/controls.tsx'
import { navigate } from '../core/router.tsx'
import { askForLink, type Session, signIn } from '../core/session.ts'
import { words } from '../words.ts'

const WANTED = 'punctual:wanted'

/**
 * Remembers which page was asked for. The link in the mail opens in another tab, so this cannot wait in memory;
 * it is an address and nothing else.
 */
export function keepWanted(path: string): void {
  wanted = path === '/app' ? '' : path
  write(WANTED, wanted)
}

/** In the tab that was asked. It is signed in together with the other, and must not take away what that one looks up. */
let wanted = ''

function takeWanted(): string {
  const path = wanted === '' ? (read(WANTED) ?? '') : wanted
  if (wanted === '') write(WANTED, '')
  wanted = ''
  // Whatever wrote it there, it leads to a page of this desk.
  return /^\/app\/(?!sign-in)[\w/?=&%.:-]*$/.test(path) ? path : '/app'
}

/** The token of a mailed link. It is in the fragment, which no server ever sees. */
const tokenIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('token') ?? ''

export function SignInPage({ session }: { readonly session: Session }) {
  const [token, setToken] = useState(() => tokenIn(location.hash))
  useEffect(() => {
    document.title = `${words.signIn.title} · Punctual`
  }, [])
  useEffect(() => {
    // A link that is followed while this page is open.
    const follow = () => setToken(tokenIn(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    if (session.status === 'in' && token === '') navigate(takeWanted(), { replace: true })
  }, [session, token])
  if (token === '') return <AskForLink />
  const forget = () => {
    history.replaceState(null, '', location.pathname)
    setToken('')
  }
  return <EnterByLink token={token} onDone={forget} />
}

function AskForLink() {
  const [email, setEmail] = useState('')
  const [wrong, setWrong] = useState(false)
  const ask = useMutation({ mutationFn: askForLink })
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (ask.isSuccess) heading.current?.focus()
  }, [ask.isSuccess])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = email.trim()
    setWrong(!isEmail(given))
    if (isEmail(given)) ask.mutate(given)
    else event.currentTarget.querySelector('input')?.focus()
  }
  if (ask.isSuccess) {
    return (
      <main className="card sign-in">
        <h1 ref={heading} tabIndex={-1}>
          {words.signIn.sentTitle}
        </h1>
        <p className="m-0">{ask.data}</p>
        <p className="m-0 text-muted text-sm">{words.signIn.noMail}</p>
        <button type="button" className="text-button justify-self-start" onClick={() => ask.reset()}>
          {words.signIn.other}
        </button>
      </main>
    )
  }
  return (
    <main className="card sign-in">
      <h1 ref={heading} tabIndex={-1}>
        {words.signIn.title}
      </h1>
      <p className="m-0 text-muted">{words.signIn.lead}</p>
      <form className="grid gap-4" onSubmit={submit} noValidate>
        <TextInput
          label={words.signIn.email}
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={setEmail}
          error={wrong ? words.signIn.noEmail : undefined}
        />
        <Trouble error={ask.error} />
        <button type="submit" className="button" aria-disabled={ask.isPending}>
          {ask.isPending && <span className="spinner" aria-hidden="true" />}
          {words.signIn.send}
        </button>
      </form>
      <Live>{ask.isPending ? words.signIn.checking : ''}</Live>
    </main>
  )
}

/** Opening a link does nothing: scanners of mail open links, too. The button signs in. */
function EnterByLink({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const enter = useMutation({ mutationFn: () => signIn(token), onSuccess: onDone })
  const dead = enter.error instanceof ApiFailure && enter.error.status > 0 && enter.error.status < 500
  return (
    <main className="card sign-in">
      <h1>{dead ? words.signIn.deadTitle : words.signIn.enterTitle}</h1>
      {!dead && <p className="m-0 text-muted">{words.signIn.enterLead}</p>}
      <Trouble error={enter.error} />
      {dead ? (
        <button type="button" className="button" onClick={onDone}>
          {words.signIn.fresh}
        </button>
      ) : (
        <button
          type="button"
          className="button"
          aria-disabled={enter.isPending}
          onClick={() => enter.isPending || enter.mutate()}
        >
          {enter.isPending && <span className="spinner" aria-hidden="true" />}
          {words.signIn.enter}
        </button>
      )}
    </main>
  )
}
