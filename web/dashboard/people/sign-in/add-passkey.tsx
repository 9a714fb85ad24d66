import { type FormEvent, useEffect, useRef, useState } from 'react'
import { SubmitButton } from '../../core/buttons.tsx'
import { call } from '../../core/data/api.ts'
import { useChange } from '../../core/data/data.ts'
import type { AddedPasskeyView, PasskeyCreationView } from '../../core/data/views.ts'
import { CreateSheet, Sheet } from '../../core/dialogs.tsx'
import { TextInput } from '../../core/fields/fields.tsx'
import { FormError, FormErrors } from '../../core/fields/form-errors.tsx'
import { ShownOnce } from '../../core/shown-once.tsx'
import { words } from '../../words.ts'
import { createPasskey, prepare } from './passkey-browser.ts'

function useAddPasskey() {
  useEffect(prepare, [])
  return useChange(
    async (name: string) => {
      const options = await call<PasskeyCreationView>('/me/passkeys/options', { method: 'POST' })
      const body = { name, ...(await createPasskey(options.body)) }
      return call<AddedPasskeyView>('/me/passkeys', { method: 'POST', body })
    },
    ['/me/passkeys'],
  )
}

/** Adds a passkey, in a dialog. */
export function NewPasskey({ first, onClose }: { readonly first: boolean; readonly onClose: () => void }) {
  const p = words.passkeys
  const [name, setName] = useState<string>(p.defaultName)
  const add = useAddPasskey()
  const codes = add.data?.body.recoveryCodes ?? []
  const send = () =>
    add.mutate(name, { onSuccess: ({ body }) => body.recoveryCodes.length === 0 && onClose() })
  if (codes.length > 0) return <Codes codes={codes} onClose={onClose} />
  return (
    <CreateSheet
      title={p.add}
      submit={p.create}
      busy={add.isPending}
      error={add.error}
      onClose={onClose}
      onSubmit={send}
    >
      <NameInput name={name} onChange={setName} />
      {first && <p className="hint">{p.firstHint}</p>}
    </CreateSheet>
  )
}

/** Recovery codes in a dialog, once. */
export function Codes({
  codes,
  onClose,
}: {
  readonly codes: readonly string[]
  readonly onClose: () => void
}) {
  const p = words.passkeys
  return (
    <Sheet title={p.codesReady} onClose={onClose} alert>
      <p>{p.codesHint}</p>
      <ShownOnce secret={codes.join('\n')} onDone={onClose} />
    </Sheet>
  )
}

/** Adds the passkey without which this service lets nobody in. */
export function FirstPasskey({ onDone }: { readonly onDone: () => void }) {
  const p = words.passkeys
  const [name, setName] = useState<string>(p.defaultName)
  const add = useAddPasskey()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (add.isSuccess) heading.current?.focus()
  }, [add.isSuccess])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!add.isPending) add.mutate(name)
  }
  if (add.data !== undefined) {
    return (
      <>
        <h1 ref={heading} tabIndex={-1}>
          {p.codesReady}
        </h1>
        <p>{p.codesHint}</p>
        <ShownOnce secret={add.data.body.recoveryCodes.join('\n')} onDone={onDone} />
      </>
    )
  }
  return (
    <FormErrors error={add.error}>
      <h1>{p.add}</h1>
      <p className="muted">{p.requiredLead}</p>
      <form className="stack" noValidate onSubmit={submit}>
        <NameInput name={name} onChange={setName} />
        <FormError />
        <SubmitButton busy={add.isPending}>{p.create}</SubmitButton>
      </form>
    </FormErrors>
  )
}

function NameInput({ name, onChange }: { readonly name: string; readonly onChange: (name: string) => void }) {
  return (
    <TextInput
      label={words.name}
      hint={words.passkeys.nameHint}
      field="name"
      maxLength={100}
      value={name}
      onChange={onChange}
    />
  )
}
