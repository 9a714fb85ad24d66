import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../core/buttons.tsx'
import { call } from '../../core/data/api.ts'
import { useChange, useOne } from '../../core/data/data.ts'
import { signOut } from '../../core/data/session.ts'
import type { SessionsView } from '../../core/data/views.ts'
import { Confirm } from '../../core/dialogs.tsx'
import { ErrorAlert } from '../../core/fields/form-errors.tsx'
import { Loaded, RowsSkeleton, Section } from '../../core/page.tsx'
import { useTimes } from '../../core/time/times.ts'
import { tell, words } from '../../words.ts'

type SessionView = SessionsView['items'][number]

/** Where the user is signed in. Each session can be ended, or all at once. */
export function SessionsSection() {
  const own = useOne<SessionsView>('/me/sessions')
  const [asking, setAsking] = useState(false)
  const end = useMutation({ mutationFn: signOut })
  const endOther = useChange(
    ({ id }: SessionView) => call(`/me/sessions/${id}`, { method: 'DELETE' }),
    ['/me/sessions'],
  )
  const p = words.profile
  return (
    <Section title={p.sessions}>
      <Loaded query={own} skeleton={<RowsSkeleton rows={1} />}>
        {({ body }) => (
          <ul className="rows-inner">
            {body.items.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => endOther.mutate(session)} />
            ))}
          </ul>
        )}
      </Loaded>
      {!asking && <ErrorAlert error={end.error ?? endOther.error} />}
      <div className="actions">
        <Button busy={end.isPending && !asking} onPress={() => end.mutate(false)}>
          {words.nav.signOut}
        </Button>
        <Button onPress={() => setAsking(true)}>{p.everywhere}</Button>
      </div>
      {asking && (
        <Confirm
          title={p.everywhereTitle}
          confirm={p.everywhere}
          busy={end.isPending}
          error={end.error}
          onClose={() => setAsking(false)}
          onConfirm={() => end.mutate(true)}
        >
          {p.everywhereHint}
        </Confirm>
      )}
    </Section>
  )
}

function SessionRow({ session, onEnd }: { readonly session: SessionView; readonly onEnd: () => void }) {
  const times = useTimes()
  const p = words.profile
  const { browser, system, createdAt, lastUsedAt, current } = session
  const known = [browser, system].filter((name) => name !== '')
  const device = known.length === 2 ? tell(p.device, { browser, system }) : (known[0] ?? p.unknownDevice)
  const time = times.moment(createdAt)
  return (
    <li className="row">
      <div className="row-main">
        <p className="row-title">
          {device} {current && <span className="status">{p.thisSession}</span>}
        </p>
        <p className="row-sub">
          {tell(p.signedIn, { time })} · {tell(words.passkeys.used, { time: times.moment(lastUsedAt) })}
        </p>
      </div>
      {!current && (
        <Button small label={tell(p.endSessionOf, { device, time })} onPress={onEnd}>
          {p.endSession}
        </Button>
      )}
    </li>
  )
}
