import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isEmail } from '../../../src/domain/people/contact.ts'
import { ApiFailure } from '../../parts/api.ts'
import { Live } from '../../parts/live.tsx'
import { Button, SubmitButton } from '../core/buttons.tsx'
import { TextInput } from '../core/fields.tsx'
import { ErrorAlert, FormError, FormErrors } from '../core/form-errors.tsx'
import { navigate } from '../core/router.tsx'
import { requestLink, type Session, signIn } from '../core/session.ts'
import { words } from '../words.ts'
import { takeReturnPath } from './return-path.ts'

/** The token of an emailed link. It is in the fragment, which no server sees. */
const tokenIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('token') ?? ''

export function SignInPage({ session }: { readonly session: Session }) {
  const [token, setToken] = useState(() => tokenIn(location.hash))
  useEffect(() => {
    document.title = `${words.signIn.title} · Punctual`
  }, [])
  useEffect(() => {
    // A link that is opened while this page is shown.
    const follow = () => setToken(tokenIn(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    if (session.status === 'signed-in' && token === '') navigate(takeReturnPath(), { replace: true })
  }, [session, token])
  if (token === '') return <RequestLink />
  const forget = () => {
    history.replaceState(null, '', location.pathname)
    setToken('')
  }
  return <UseLink token={token} onDone={forget} />
}

function RequestLink() {
  const [email, setEmail] = useState('')
  const [wrong, setWrong] = useState(false)
  const request = useMutation({ mutationFn: requestLink })
  const s = words.signIn
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = email.trim()
    setWrong(!isEmail(given))
    if (isEmail(given)) request.mutate(given)
    else event.currentTarget.querySelector('input')?.focus()
  }
  if (request.isSuccess) return <LinkSent message={request.data} onBack={() => request.reset()} />
  return (
    <main className="card sign-in">
      <h1 tabIndex={-1}>{s.title}</h1>
      <p className="muted">{s.lead}</p>
      <FormErrors error={request.error}>
        <form className="stack" onSubmit={submit} noValidate>
          <TextInput
            label={s.email}
            field="email"
            type="email"
            autoComplete="email"
            required
            value={email}
            onChange={setEmail}
            error={wrong ? s.noEmail : undefined}
          />
          <FormError />
          <SubmitButton busy={request.isPending}>{s.send}</SubmitButton>
        </form>
      </FormErrors>
      <Live>{request.isPending ? s.checking : ''}</Live>
    </main>
  )
}

function LinkSent({ message, onBack }: { readonly message: string; readonly onBack: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <main className="card sign-in">
      <h1 ref={heading} tabIndex={-1}>
        {words.signIn.sentTitle}
      </h1>
      <p>{message}</p>
      <p className="muted small">{words.signIn.noMail}</p>
      <button type="button" className="text-button" onClick={onBack}>
        {words.signIn.other}
      </button>
    </main>
  )
}

/** Opening a link must not sign anyone in, because mail scanners open links. The button does. */
function UseLink({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const enter = useMutation({ mutationFn: () => signIn(token), onSuccess: onDone })
  const dead = enter.error instanceof ApiFailure && enter.error.status > 0 && enter.error.status < 500
  const s = words.signIn
  return (
    <main className="card sign-in">
      <h1>{dead ? s.deadTitle : s.linkTitle}</h1>
      {!dead && <p className="muted">{s.linkLead}</p>}
      <ErrorAlert error={enter.error} />
      {dead ? (
        <Button kind="primary" onPress={onDone}>
          {s.newLink}
        </Button>
      ) : (
        <Button kind="primary" busy={enter.isPending} onPress={() => enter.mutate()}>
          {s.enter}
        </Button>
      )}
    </main>
  )
}
