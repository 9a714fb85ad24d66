import { useMutation } from '@tanstack/react-query'
import type { DashboardData } from '../../../../src/http/pages/page-data.ts'
import { withBase } from '../../core/base.ts'
import { Button } from '../../core/buttons.tsx'
import { giveUpSession, requestLink } from '../../core/data/session.ts'
import { Sheet } from '../../core/dialogs.tsx'
import { ErrorAlert } from '../../core/fields/form-errors.tsx'
import { tell, words } from '../../words.ts'

interface Props {
  readonly email: string
  readonly ways: Pick<DashboardData, 'singleSignOn' | 'signInByEmail'>
}

/** Over a page with unsaved work, whose session has ended. Signing in, in whichever tab, closes it and goes on. */
export function SignInAgain({ email, ways: { singleSignOn, signInByEmail } }: Props) {
  const request = useMutation({ mutationFn: () => requestLink(email) })
  const s = words.signIn
  return (
    // Escape must not close it: nothing works before.
    <Sheet title={s.again} alert onClose={() => undefined}>
      <p>{s.againLead}</p>
      <div role="status">{request.isSuccess && <p>{tell(s.againSent, { email })}</p>}</div>
      <ErrorAlert error={request.error} />
      <div className="actions actions-end">
        <Button onPress={giveUpSession}>{s.againLeave}</Button>
        {singleSignOn !== '' && (
          <a className="button" href={withBase('/auth/oidc/start')} target="_blank" rel="noreferrer">
            {tell(s.withProvider, { name: singleSignOn })}
          </a>
        )}
        {signInByEmail && (
          <Button
            kind={singleSignOn === '' ? 'primary' : 'secondary'}
            busy={request.isPending}
            onPress={() => request.mutate()}
          >
            {s.send}
          </Button>
        )}
      </div>
    </Sheet>
  )
}
