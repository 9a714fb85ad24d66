import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { isEmail } from '../../../../src/domain/people/contact.ts'
import { SIGN_IN_OUTCOMES, type SignInOutcome } from '../../../../src/domain/people/single-sign-on.ts'
import type { DashboardData } from '../../../../src/http/pages/page-data.ts'
import { ApiFailure } from '../../../parts/api.ts'
import { Live } from '../../../parts/live.tsx'
import { withBase } from '../../core/base.ts'
import { Button, SubmitButton } from '../../core/buttons.tsx'
import { type PasskeyRequest, requestLink, type Session, signIn } from '../../core/data/session.ts'
import { TextInput } from '../../core/fields/fields.tsx'
import { ErrorAlert, FormError, FormErrors } from '../../core/fields/form-errors.tsx'
import { navigate } from '../../core/router.tsx'
import { tell, words } from '../../words.ts'
import { PasskeyStep } from './passkey-step.tsx'
import { peekReturnPath, takeReturnPath } from './return-path.ts'

/** The token of an emailed link. It is in the fragment, which no server sees. */
const tokenIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('token') ?? ''

/** How people can sign in here. */
type Ways = Pick<DashboardData, 'singleSignOn' | 'signInByEmail' | 'unclaimed'>

interface SignInProps {
  readonly session: Session
  readonly ways: Ways
}

/** How a sign-in at the identity provider failed. It is in the address, which the provider's page led to. */
function outcomeIn(query: string): SignInOutcome | undefined {
  const given = new URLSearchParams(query).get('outcome')
  return SIGN_IN_OUTCOMES.find((outcome) => outcome === given)
}

export function SignInPage({ session, ways }: SignInProps) {
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
  if (token === '') return <ChooseWay ways={ways} />
  const forget = () => {
    history.replaceState(null, '', location.pathname)
    setToken('')
  }
  return <UseLink token={token} onDone={forget} />
}

function ChooseWay({ ways }: { readonly ways: Ways }) {
  const s = words.signIn
  const outcome = outcomeIn(location.search)
  if (ways.singleSignOn === '') return <RequestLink unclaimed={ways.unclaimed} />
  const problem = outcome && (
    <p className="alert" role="alert">
      {s.outcome[outcome]}
    </p>
  )
  const button = (
    <a
      className="button"
      href={withBase(`/auth/oidc/start?${new URLSearchParams({ returnTo: peekReturnPath() })}`)}
    >
      {tell(s.withProvider, { name: ways.singleSignOn })}
    </a>
  )
  if (ways.signInByEmail) {
    return (
      <RequestLink unclaimed={ways.unclaimed}>
        {problem}
        {button}
      </RequestLink>
    )
  }
  return (
    <main className="card sign-in">
      <h1 tabIndex={-1}>{s.title}</h1>
      {problem}
      {button}
    </main>
  )
}

interface RequestProps {
  /** Any address may sign in, so there is no secret to keep about which ones may. */
  readonly unclaimed: boolean
  /** Another way to sign in. */
  readonly children?: ReactNode
}

function RequestLink({ unclaimed, children }: RequestProps) {
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
  if (request.isSuccess) {
    const said = unclaimed ? tell(s.sentTo, { email: email.trim() }) : s.sent
    return <LinkSent onBack={() => request.reset()}>{said}</LinkSent>
  }
  return (
    <main className="card sign-in">
      <h1 tabIndex={-1}>{s.title}</h1>
      {children}
      <p className="muted">{children === undefined ? s.lead : s.orLead}</p>
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
          <SubmitButton busy={request.isPending} kind={children === undefined ? 'primary' : 'secondary'}>
            {s.send}
          </SubmitButton>
        </form>
      </FormErrors>
      <Live>{request.isPending ? s.checking : ''}</Live>
    </main>
  )
}

function LinkSent({ onBack, children }: { readonly onBack: () => void; readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <main className="card sign-in">
      <h1 ref={heading} tabIndex={-1}>
        {words.signIn.sentTitle}
      </h1>
      <p>{children}</p>
      <p className="muted small">{words.signIn.noMail}</p>
      <button type="button" className="text-button" onClick={onBack}>
        {words.signIn.another}
      </button>
    </main>
  )
}

/** Opening a link must not sign anyone in, because mail scanners open links. The button does. */
function UseLink({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const [passkey, setPasskey] = useState<PasskeyRequest>()
  const enter = useMutation({
    mutationFn: () => signIn(token),
    onSuccess: (next) => (next === undefined ? onDone() : setPasskey(next)),
  })
  const dead = enter.error instanceof ApiFailure && enter.error.status > 0 && enter.error.status < 500
  const s = words.signIn
  if (passkey !== undefined) return <PasskeyStep request={passkey} onDone={onDone} />
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
