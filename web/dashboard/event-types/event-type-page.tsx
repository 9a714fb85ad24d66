import { type CSSProperties, useState } from 'react'
import { Button } from '../core/buttons.tsx'
import type { Versioned } from '../core/data/api.ts'
import { combine, useAll, useOne, useOwners } from '../core/data/data.ts'
import type { EventTypeView, ScheduleView } from '../core/data/views.ts'
import { SaveBar, useDraft } from '../core/fields/draft.tsx'
import { FormErrors } from '../core/fields/form-errors.tsx'
import { Loaded, Page, RowsSkeleton } from '../core/page.tsx'
import { navigate } from '../core/router.tsx'
import { SectionAnchor, SectionNav } from '../core/section-nav.tsx'
import { usePublicUrl } from '../core/share/public-url.ts'
import { ShareSheet } from '../core/share/share-sheet.tsx'
import { words } from '../words.ts'
import { BasicsSection } from './basics-section.tsx'
import { GuestsSection } from './guests-section.tsx'
import { HostsSection } from './hosts-section.tsx'
import { Preview } from './preview.tsx'
import { PrivateLinks } from './private-links.tsx'
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
  const [sharing, setSharing] = useState(false)
  const e = words.eventTypes
  const sections = [
    { id: 'basics', label: e.basics },
    { id: 'times', label: e.timesShort },
    { id: 'guests', label: e.guests },
    ...(owner?.team ? [{ id: 'hosts', label: words.hosts.title }] : []),
    { id: 'questions', label: words.questions.title },
    { id: 'protection', label: words.protection.title },
    ...(readOnly ? [] : [{ id: 'links', label: words.privateLinks.title }]),
  ]
  return (
    <div className="editor" style={{ '--sections': sections.length } as CSSProperties}>
      <SectionNav sections={sections} />
      <div className="editor-main">
        {readOnly && <p className="alert">{e.readOnly}</p>}
        <FormErrors error={edited.save.error}>
          {/* A disabled fieldset disables everything in it. */}
          <fieldset disabled={readOnly} className="contents">
            <BasicsSection
              draft={draft}
              set={set}
              ownerSlug={owner?.slug ?? ''}
              savedSlug={saved.slug}
              isTeams={owner?.team === true}
            />
            <TimesSection draft={draft} set={set} schedules={owner?.team === false ? schedules : undefined} />
            <GuestsSection draft={draft} set={set} />
            {owner?.team && <HostsSection draft={draft} set={set} teamId={owner.id} />}
            <QuestionsSection draft={draft} set={set} />
            <ProtectionSection draft={draft} set={set} />
          </fieldset>
          <SaveBar draft={edited}>
            <SectionAnchor id="preview" className="button button-quiet button-small">
              {words.preview.short}
            </SectionAnchor>
            <Button small onPress={() => navigate(`/app/bookings?book=${saved.id}`)}>
              {words.bookings.bookForGuest}
            </Button>
            <Button small onPress={() => setSharing(true)}>
              {words.share.title}
            </Button>
          </SaveBar>
        </FormErrors>
        {owner?.manages && <PrivateLinks eventType={saved} teamId={owner.team ? owner.id : undefined} />}
      </div>
      <aside className="editor-side">
        {owner && <Preview saved={saved} draft={draft} dirty={edited.dirty} owner={owner} />}
      </aside>
      {sharing && (
        <ShareSheet
          name={saved.name}
          path={path}
          link={`${publicUrl}/${path}`}
          open={e.open}
          onClose={() => setSharing(false)}
        />
      )}
    </div>
  )
}
