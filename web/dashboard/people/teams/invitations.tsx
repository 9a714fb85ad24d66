import { type FormEvent, type ReactNode, useState } from 'react'
import { Button, SubmitButton } from '../../core/buttons.tsx'
import { call } from '../../core/data/api.ts'
import { useAll, useChange } from '../../core/data/data.ts'
import type { InstanceInvitationView } from '../../core/data/views.ts'
import { Confirm } from '../../core/dialogs.tsx'
import { TextInput } from '../../core/fields/fields.tsx'
import { FormError, FormErrors } from '../../core/fields/form-errors.tsx'
import { Section } from '../../core/page.tsx'
import { useTimes } from '../../core/time/times.ts'
import { tell, words } from '../../words.ts'

/** Addresses as people paste them; one that is empty is refused like any other. */
function addressesIn(text: string): string[] {
  const found = text.split(/[\s,;]+/).filter((address) => address !== '')
  return found.length > 0 ? found : ['']
}

interface Props<T> {
  readonly title: string
  readonly hint: string
  readonly path: string
  /** What an invitation says besides the address. */
  readonly extra?: Readonly<Record<string, string>>
  /** Controls for it. */
  readonly children?: ReactNode
  /** What the list says about an invitation. */
  readonly describe?: (invitation: T) => string
}

/** Invites someone by email, and lists the invitations that are still open. */
export function Invitations<T extends InstanceInvitationView>(props: Props<T>) {
  const { title, hint, path, extra = {}, children, describe } = props
  const open = useAll<T>(path)
  const times = useTimes()
  const [email, setEmail] = useState('')
  const t = words.teams
  const invite = useChange(async () => {
    const [first, ...others] = addressesIn(email)
    const inviteOne = (to: string | undefined) =>
      call(path, { method: 'POST', body: { email: to, ...extra } })
    let answer = await inviteOne(first)
    for (const [index, to] of others.entries()) {
      // If this one is refused, the field holds it and those after it.
      setEmail(others.slice(index).join(', '))
      answer = await inviteOne(to)
    }
    return answer
  }, [path])
  const [withdrawing, setWithdrawing] = useState<T>()
  const withdraw = useChange((id: string) => call(`${path}/${id}`, { method: 'DELETE' }), [path])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!invite.isPending) invite.mutate(undefined, { onSuccess: () => setEmail('') })
  }
  return (
    <Section title={title} hint={hint}>
      <FormErrors error={invite.error}>
        <form className="invite" noValidate onSubmit={submit}>
          <TextInput label={words.email} field="email" value={email} onChange={setEmail} />
          {children}
          <SubmitButton kind="secondary" busy={invite.isPending}>
            {t.invite}
          </SubmitButton>
        </form>
        <FormError />
      </FormErrors>
      {open.data !== undefined && open.data.length > 0 && (
        <ul className="rows-inner">
          {open.data.map((invitation) => (
            <li key={invitation.id} className="row">
              <div className="row-main">
                <strong>{invitation.email}</strong>
                <p className="row-sub">
                  {[describe?.(invitation), tell(t.until, { time: times.moment(invitation.expiresAt) })]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
              <Button
                small
                label={`${t.withdraw}: ${invitation.email}`}
                onPress={() => setWithdrawing(invitation)}
              >
                {t.withdraw}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {withdrawing !== undefined && (
        <Confirm
          title={tell(t.withdrawTitle, { email: withdrawing.email })}
          confirm={t.withdraw}
          busy={withdraw.isPending}
          error={withdraw.error}
          onClose={() => {
            withdraw.reset()
            setWithdrawing(undefined)
          }}
          onConfirm={() => withdraw.mutate(withdrawing.id, { onSuccess: () => setWithdrawing(undefined) })}
        >
          {t.withdrawHint}
        </Confirm>
      )}
    </Section>
  )
}
