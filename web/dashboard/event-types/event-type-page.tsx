import type { Versioned } from '../core/api.ts'
import { CopyButton } from '../core/buttons.tsx'
import { combine, useAll, useOne, useOwners } from '../core/data.ts'
import { SaveBar, useDraft } from '../core/draft.tsx'
import { FormErrors } from '../core/form-errors.tsx'
import { Loaded, Page, RowsSkeleton } from '../core/page.tsx'
import { usePublicUrl } from '../core/public-url.ts'
import { ShareSection } from '../core/share-section.tsx'
import type { EventTypeView, ScheduleView } from '../core/views.ts'
import { words } from '../words.ts'
import { BasicsSection } from './basics-section.tsx'
import { GuestsSection } from './guests-section.tsx'
import { HostsSection } from './hosts-section.tsx'
import { Preview } from './preview.tsx'
import { ProtectionSection } from './protection-section.tsx'
import { QuestionsSection } from './questions-section.tsx'
import { TimesSection } from './times-section.tsx'

export default function EventTypePage({ id }: { readonly id: string }) {
  const eventType = useOne<EventTypeView>(`/event-types/${id}`)
  const loaded = combine(eventType, useAll<ScheduleView>('/schedules'))
  return (
    <Page
      wide
      title={eventType.data?.body.name ?? words.eventTypes.title}
      back={{ to: '/app/event-types', label: words.eventTypes.title }}
    >
      <Loaded query={loaded} skeleton={<RowsSkeleton rows={5} />}>
        {([found, schedules]) => <Editor loaded={found} schedules={schedules} />}
      </Loaded>
    </Page>
  )
}

interface EditorProps {
  readonly loaded: Versioned<EventTypeView>
  /** The user's own; event types of a team use the schedules of its members. */
  readonly schedules: readonly ScheduleView[]
}

function Editor({ loaded, schedules }: EditorProps) {
  const saved = loaded.body
  const edited = useDraft(`/event-types/${saved.id}`, loaded, ['/event-types'])
  const { draft, set } = edited
  const publicUrl = usePublicUrl()
  const owner = useOwners().find(({ id }) => id === draft.ownerId)
  const readOnly = owner !== undefined && !owner.manages
  const path = `${owner?.slug ?? ''}/${saved.slug}`
  return (
    <div className="editor">
      <div className="editor-main">
        {readOnly && <p className="alert">{words.eventTypes.readOnly}</p>}
        <FormErrors error={edited.save.error}>
          {/* A disabled fieldset disables everything in it. */}
          <fieldset disabled={readOnly} className="contents">
            <BasicsSection draft={draft} set={set} ownerSlug={owner?.slug ?? ''} savedSlug={saved.slug} />
            <TimesSection draft={draft} set={set} schedules={owner?.team === false ? schedules : undefined} />
            <GuestsSection draft={draft} set={set} />
            {owner?.team && <HostsSection draft={draft} set={set} teamId={owner.id} />}
            <QuestionsSection draft={draft} set={set} />
            <ProtectionSection draft={draft} set={set} />
          </fieldset>
          <SaveBar draft={edited} />
        </FormErrors>
      </div>
      <aside className="editor-side">
        <ShareSection link={`${publicUrl}/${path}`} open={words.eventTypes.open}>
          <CopyButton text={embedCode(publicUrl, path)}>{words.eventTypes.copyEmbed}</CopyButton>
        </ShareSection>
        {owner && <Preview saved={saved} draft={draft} dirty={edited.dirty} owner={owner} />}
      </aside>
    </div>
  )
}

/** For a page of another site; `/docs/embed` shows the other ways to embed. */
const embedCode = (service: string, path: string) =>
  `<div data-punctual="${path}"></div>\n<script src="${service}/embed.js" defer></script>`
