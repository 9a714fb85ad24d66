import { type FormEvent, useState } from 'react'
import { SubmitButton } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useChange } from '../core/data/data.ts'
import type { ErasureView } from '../core/data/views.ts'
import { Confirm } from '../core/dialogs.tsx'
import { TextInput } from '../core/fields/fields.tsx'
import { FormErrors } from '../core/fields/form-errors.tsx'
import { Section } from '../core/page.tsx'
import { tell, words } from '../words.ts'

/** Erases what is known about a guest, after a question. */
export function EraseGuest() {
  const [email, setEmail] = useState('')
  const [asking, setAsking] = useState(false)
  const e = words.erasure
  const erase = useChange(
    () => call<ErasureView>('/erasures', { method: 'POST', body: { email: email.trim() } }),
    ['/bookings', '/forms', '/audit', '/webhooks'],
  )
  const ask = (event: FormEvent) => {
    event.preventDefault()
    erase.reset()
    setAsking(email.trim() !== '')
  }
  const close = () => setAsking(false)
  const done = erase.data?.body
  return (
    <Section title={e.title} hint={e.hint}>
      <FormErrors error={asking ? null : erase.error}>
        <form className="stack" onSubmit={ask} noValidate>
          <TextInput
            label={e.email}
            field="email"
            type="email"
            maxLength={254}
            value={email}
            onChange={setEmail}
          />
          <div>
            <SubmitButton kind="danger" busy={erase.isPending}>
              {e.erase}
            </SubmitButton>
          </div>
        </form>
      </FormErrors>
      {done && <p role="status">{tell(e.done, { bookings: done.bookings, responses: done.responses })}</p>}
      {asking && (
        <Confirm
          title={tell(e.confirmTitle, { email: email.trim() })}
          confirm={e.confirm}
          cancel={e.keep}
          busy={erase.isPending}
          error={erase.error}
          onClose={close}
          onConfirm={() =>
            erase.mutate(undefined, {
              onSuccess: () => {
                close()
                setEmail('')
              },
            })
          }
        >
          <p>{e.what}</p>
          <p>{e.undone}</p>
        </Confirm>
      )}
    </Section>
  )
}
