import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiFailure } from '../../../parts/api.ts'
import { Button, SubmitButton } from '../../core/buttons.tsx'
import { type PasskeyRequest, signInWithPasskey, signInWithRecoveryCode } from '../../core/data/session.ts'
import { TextInput } from '../../core/fields/fields.tsx'
import { ErrorAlert, FormError, FormErrors } from '../../core/fields/form-errors.tsx'
import { usePublicUrl } from '../../core/share/public-url.ts'
import { tell, words } from '../../words.ts'
import { passkeysWorkHere, prepare, signWithPasskey } from './passkey-browser.ts'

interface StepProps {
  readonly request: PasskeyRequest
  /** It is over: someone is signed in, or must begin again. */
  readonly onDone: () => void
}

/** After the link: asks for a passkey, or for a recovery code instead. */
export function PasskeyStep({ request, onDone }: StepProps) {
  const [byCode, setByCode] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(prepare, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other way has another heading.
  useEffect(() => heading.current?.focus(), [byCode])
  const p = words.passkeys
  return (
    <main className="card sign-in">
      <h1 ref={heading} tabIndex={-1}>
        {byCode ? p.codeTitle : p.stepTitle}
      </h1>
      {byCode ? <ByCode onDone={onDone} /> : <ByPasskey request={request} onDone={onDone} />}
      <button type="button" className="text-button" onClick={() => setByCode(!byCode)}>
        {byCode ? p.back : p.lost}
      </button>
    </main>
  )
}

/** The server has ended this sign-in: only a new link helps. */
const isOver = (error: unknown) => error instanceof ApiFailure && error.status === 400

const NewLink = ({ onDone }: Pick<StepProps, 'onDone'>) => (
  <Button kind="primary" onPress={onDone}>
    {words.signIn.newLink}
  </Button>
)

function ByPasskey({ request, onDone }: StepProps) {
  const publicUrl = usePublicUrl()
  const p = words.passkeys
  const enter = useMutation({
    mutationFn: async () => signInWithPasskey(await signWithPasskey(request)),
    onSuccess: onDone,
  })
  if (!passkeysWorkHere(publicUrl)) return <p>{tell(p.elsewhere, { address: publicUrl })}</p>
  return (
    <>
      <p className="muted">{p.stepLead}</p>
      <ErrorAlert error={enter.error} />
      {isOver(enter.error) ? (
        <NewLink onDone={onDone} />
      ) : (
        <Button kind="primary" busy={enter.isPending} onPress={() => enter.mutate()}>
          {p.use}
        </Button>
      )}
    </>
  )
}

function ByCode({ onDone }: Pick<StepProps, 'onDone'>) {
  const [code, setCode] = useState('')
  const enter = useMutation({ mutationFn: () => signInWithRecoveryCode(code), onSuccess: onDone })
  const p = words.passkeys
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!enter.isPending) enter.mutate()
  }
  return (
    <FormErrors error={enter.error}>
      <form className="stack" noValidate onSubmit={submit}>
        <TextInput
          label={p.code}
          hint={p.codeHint}
          field="code"
          autoComplete="one-time-code"
          maxLength={100}
          value={code}
          onChange={setCode}
        />
        <FormError />
        {isOver(enter.error) ? (
          <NewLink onDone={onDone} />
        ) : (
          <SubmitButton busy={enter.isPending}>{words.signIn.enter}</SubmitButton>
        )}
      </form>
    </FormErrors>
  )
}
