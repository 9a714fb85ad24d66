import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Versioned } from '../core/api.ts'
import { Action } from '../core/controls.tsx'
import { useMe } from '../core/data.ts'
import { Confirm } from '../core/dialogs.tsx'
import { SaveBar, useDraft } from '../core/draft.tsx'
import { Loaded, Page, RowsSkeleton, Section } from '../core/page.tsx'
import { usePublicUrl } from '../core/public-url.ts'
import { signOut } from '../core/session.ts'
import type { MeView } from '../core/views.ts'
import { words } from '../words.ts'
import { PageEditor } from './page-editor.tsx'

export default function ProfilePage() {
  const me = useMe()
  const publicUrl = usePublicUrl()
  return (
    <Page
      title={words.profile.title}
      actions={
        me.data && (
          <a
            className="button button-quiet"
            href={`${publicUrl}/${me.data.body.slug}`}
            target="_blank"
            rel="noreferrer"
          >
            {words.profile.see}
          </a>
        )
      }
    >
      <Loaded query={me} skeleton={<RowsSkeleton rows={5} />}>
        {(found) => <Editor loaded={found} />}
      </Loaded>
    </Page>
  )
}

function Editor({ loaded }: { readonly loaded: Versioned<MeView> }) {
  const edited = useDraft('/me', loaded, ['/me'])
  const [leaving, setLeaving] = useState(false)
  const out = useMutation({ mutationFn: signOut })
  const p = words.profile
  return (
    <>
      <PageEditor edited={edited} />
      <Section title={p.sessions} hint={p.signedInAs(loaded.body.email)}>
        <div className="flex flex-wrap gap-3">
          <Action busy={out.isPending && !leaving} onPress={() => out.mutate(false)}>
            {words.nav.signOut}
          </Action>
          <Action onPress={() => setLeaving(true)}>{p.everywhere}</Action>
        </div>
      </Section>
      <SaveBar draft={edited} />
      {leaving && (
        <Confirm
          title={p.everywhereTitle}
          confirm={p.everywhere}
          busy={out.isPending}
          error={out.error}
          onClose={() => setLeaving(false)}
          onConfirm={() => out.mutate(true)}
        >
          {p.everywhereHint}
        </Confirm>
      )}
    </>
  )
}
