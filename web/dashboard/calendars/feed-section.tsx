import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useChange, useOne } from '../core/data/data.ts'
import type { FeedStateView, FeedView } from '../core/data/views.ts'
import { Confirm, Sheet } from '../core/dialogs.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { Section } from '../core/page.tsx'
import { ShownOnce } from '../core/shown-once.tsx'
import { words } from '../words.ts'

/** The host's bookings, for a calendar app to subscribe to. */
export function FeedSection() {
  const [open, setOpen] = useState(false)
  const [asking, setAsking] = useState(false)
  const c = words.calendars
  const path = '/me/calendar-feed'
  const isOpen = useOne<FeedStateView>(path).data?.body.active === true
  const create = useChange(() => call<FeedView>(path, { method: 'POST', body: {} }), [path])
  const revoke = useChange(() => call(path, { method: 'DELETE' }), [path])
  return (
    <Section title={c.feed} hint={c.feedHint}>
      <ErrorAlert error={create.error} />
      <div className="actions">
        <Button
          busy={create.isPending}
          onPress={() => create.mutate(undefined, { onSuccess: () => setOpen(true) })}
        >
          {c.feedNew}
        </Button>
        {isOpen && <Button onPress={() => setAsking(true)}>{c.feedRevoke}</Button>}
        {revoke.isSuccess && !isOpen && (
          <p className="muted" role="status">
            {c.feedRevoked}
          </p>
        )}
      </div>
      {asking && (
        <Confirm
          title={c.feedRevokeTitle}
          confirm={c.feedRevoke}
          cancel={c.feedKeep}
          busy={revoke.isPending}
          error={revoke.error}
          onClose={() => setAsking(false)}
          onConfirm={() => revoke.mutate(undefined, { onSuccess: () => setAsking(false) })}
        >
          {c.feedRevokeHint}
        </Confirm>
      )}
      {open && create.data !== undefined && (
        <Sheet title={c.feedReady} onClose={() => setOpen(false)} alert>
          <ShownOnce secret={create.data.body.url} onDone={() => setOpen(false)} />
        </Sheet>
      )}
    </Section>
  )
}
