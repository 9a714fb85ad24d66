import { useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useChange } from '../core/data/data.ts'
import type { FormView, LookupSecretView } from '../core/data/views.ts'
import { Confirm, Sheet } from '../core/dialogs.tsx'
import { Section } from '../core/page.tsx'
import { ShownOnce } from '../core/shown-once.tsx'
import { words } from '../words.ts'

/** Replaces the secret that signs the owner lookups of a saved form, if it has any. */
export function LookupSecret({ form }: { readonly form: FormView }) {
  const path = `/routing-forms/${form.id}/rotate-lookup-secret`
  const [asking, setAsking] = useState(false)
  const rotate = useChange(() => call<LookupSecretView>(path, { method: 'POST', body: {} }), [])
  const targets = [...form.rules.map(({ target }) => target), form.fallback]
  if (!targets.some(({ ownerLookupUrl }) => ownerLookupUrl)) return null
  const f = words.forms
  const close = () => {
    rotate.reset()
    setAsking(false)
  }
  return (
    <Section title={f.lookup} hint={f.lookupSecretHint}>
      <div>
        <Button onPress={() => setAsking(true)}>{f.lookupSecret}</Button>
      </div>
      {asking && rotate.data === undefined && (
        <Confirm
          title={f.lookupSecretTitle}
          confirm={f.lookupSecret}
          danger={false}
          busy={rotate.isPending}
          error={rotate.error}
          onClose={close}
          onConfirm={() => rotate.mutate(undefined)}
        >
          {f.lookupSecretWarning}
        </Confirm>
      )}
      {rotate.data !== undefined && (
        <Sheet title={words.webhooks.secretReady} onClose={close} alert>
          <ShownOnce secret={rotate.data.body.lookupSecret} onDone={close} />
        </Sheet>
      )}
    </Section>
  )
}
