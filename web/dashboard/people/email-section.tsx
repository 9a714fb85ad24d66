import { type FormEvent, useEffect, useState } from 'react'
import { Live } from '../../parts/live.tsx'
import { SubmitButton } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useChange } from '../core/data/data.ts'
import { Confirm } from '../core/dialogs.tsx'
import { TextInput } from '../core/fields/fields.tsx'
import { FormError, FormErrors } from '../core/fields/form-errors.tsx'
import { Section } from '../core/page.tsx'
import { tell, words } from '../words.ts'

/** The token of the mailed link. It is in the fragment, which no server sees. */
const tokenIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('new-email') ?? ''

/** Changes the address to sign in with. */
export function EmailSection({ email }: { readonly email: string }) {
  const [given, setGiven] = useState('')
  const [token, setToken] = useState(() => tokenIn(location.hash))
  useEffect(() => {
    // A link that is opened while this page is shown.
    const follow = () => setToken(tokenIn(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const p = words.profile
  const ask = useChange(() => call('/me/email', { method: 'POST', body: { email: given } }), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate()
  }
  const forget = () => {
    history.replaceState(null, '', location.pathname)
    setToken('')
  }
  return (
    <Section title={p.email} hint={tell(p.signedInAs, { email })}>
      <FormErrors error={ask.error}>
        <form className="stack" onSubmit={submit} noValidate>
          <TextInput
            label={p.newEmail}
            hint={p.newEmailHint}
            field="email"
            type="email"
            autoComplete="email"
            maxLength={254}
            value={given}
            onChange={setGiven}
          />
          <FormError />
          <div>
            <SubmitButton busy={ask.isPending}>{p.sendLink}</SubmitButton>
          </div>
        </form>
      </FormErrors>
      <Live>{ask.isSuccess ? p.linkSent : ''}</Live>
      {ask.isSuccess && <p className="muted">{p.linkSent}</p>}
      {token !== '' && <ConfirmEmail token={token} onClose={forget} />}
    </Section>
  )
}

/** Opening the link changes nothing, because mail scanners open links. The button does. */
function ConfirmEmail({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  const p = words.profile
  const confirm = useChange(() => call('/me/email/confirm', { method: 'POST', body: { token } }), ['/me'])
  return (
    <Confirm
      title={p.confirmEmailTitle}
      confirm={p.confirmEmail}
      busy={confirm.isPending}
      error={confirm.error}
      onClose={onClose}
      onConfirm={() => confirm.mutate(undefined, { onSuccess: onClose })}
    >
      {p.confirmEmailHint}
    </Confirm>
  )
}
