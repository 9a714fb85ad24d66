import { useMutation } from '@tanstack/react-query'
import { Button } from '../core/buttons.tsx'
import type { Versioned } from '../core/data/api.ts'
import { useMe } from '../core/data/data.ts'
import { saveFile } from '../core/data/save-file.ts'
import type { MeView } from '../core/data/views.ts'
import { SaveBar, useDraft } from '../core/fields/draft.tsx'
import { ErrorAlert, FormErrors } from '../core/fields/form-errors.tsx'
import { Loaded, Page, RowsSkeleton, Section } from '../core/page.tsx'
import { usePublicUrl } from '../core/share/public-url.ts'
import { words } from '../words.ts'
import { DeleteAccount } from './delete-account.tsx'
import { EmailSection } from './email-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'
import { PageEditor } from './page-editor.tsx'
import { PreferencesSection } from './preferences-section.tsx'
import { PasskeysSection } from './sign-in/passkeys-section.tsx'
import { SessionsSection } from './sign-in/sessions-section.tsx'

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
  return (
    <>
      <FormErrors error={edited.save.error}>
        <PageEditor edited={edited} />
        <PreferencesSection draft={edited.draft} set={edited.set} />
        <SaveBar draft={edited} />
      </FormErrors>
      <NotificationsSection />
      <EmailSection email={loaded.body.email} />
      <PasskeysSection />
      <SessionsSection />
      <Download slug={loaded.body.slug} />
      <DeleteAccount email={loaded.body.email} />
    </>
  )
}

function Download({ slug }: { readonly slug: string }) {
  const download = useMutation({ mutationFn: () => saveFile('/me/export', `${slug}-account.json`) })
  const p = words.profile
  return (
    <Section title={p.download} hint={p.downloadHint}>
      <ErrorAlert error={download.error} />
      <div>
        <Button busy={download.isPending} onPress={() => download.mutate()}>
          {p.downloadFile}
        </Button>
      </div>
    </Section>
  )
}
