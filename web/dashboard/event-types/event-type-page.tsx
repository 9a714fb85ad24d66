import { type ReactNode, useState } from 'react'
import { Button } from '../core/buttons.tsx'
import type { Versioned } from '../core/data/api.ts'
import { combine, type Owner, useAll, useOne, useOwners } from '../core/data/data.ts'
import type { EventTypeView, ScheduleView } from '../core/data/views.ts'
import { type DraftOf, SaveBar, useDraft } from '../core/fields/draft.tsx'
import { FormErrors } from '../core/fields/form-errors.tsx'
import { Tabs } from '../core/fields/tabs.tsx'
import { Loaded, Page, RowsSkeleton } from '../core/page.tsx'
import { navigate } from '../core/router.tsx'
import { SectionAnchor } from '../core/section-anchor.tsx'
import { useSettled } from '../core/settled.ts'
import { usePublicUrl } from '../core/share/public-url.ts'
import { ShareSheet } from '../core/share/share-sheet.tsx'
import { EventTypeMessages } from '../messages/lazy-messages.tsx'
import { words } from '../words.ts'
import { AdvancedSection } from './advanced-section.tsx'
import { BasicsSection } from './basics-section.tsx'
import { GapList } from './gap-list.tsx'
import { useGaps } from './gaps.ts'
import { GuestsSection } from './guests-section.tsx'
import { HostsSection } from './hosts-section.tsx'
import { Preview } from './preview/preview.tsx'
import { PriceSection } from './price-section.tsx'
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
  const owner = useOwners().find(({ id }) => id === edited.draft.ownerId)
  return owner && <OwnedEditor saved={saved} edited={edited} schedules={schedules} owner={owner} />
}

interface OwnedProps extends Pick<EditorProps, 'schedules'> {
  readonly saved: EventTypeView
  readonly edited: DraftOf<EventTypeView>
  readonly owner: Owner
}

function OwnedEditor({ saved, edited, schedules, owner }: OwnedProps) {
  const { draft } = edited
  const publicUrl = usePublicUrl()
  const path = `${owner.slug}/${saved.slug}`
  const [sharing, setSharing] = useState(false)
  const settled = { saved, draft: useSettled(draft), owner }
  const gaps = useGaps(settled)
  const e = words.eventTypes
  return (
    <div className="editor">
      <div className="editor-main">
        {!owner.manages && <p className="alert">{e.readOnly}</p>}
        <FormErrors
          error={edited.save.error}
          warnings={Object.fromEntries(gaps.map(({ field, sentence }) => [field, sentence]))}
        >
          <Tabs
            label={words.sections}
            incomplete={new Set(gaps.map(({ tab }) => tab))}
            above={(goTo) => <GapList gaps={gaps} goTo={goTo} />}
            tabs={tabsOf({ saved, edited, schedules, owner })}
          />
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
      </div>
      <aside className="editor-side">
        <Preview {...settled} />
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

/** The tabs of the editor, each with its sections. */
function tabsOf({ saved, edited: { draft, set }, schedules, owner }: OwnedProps) {
  const e = words.eventTypes
  const isTeams = owner.team
  const tab = (id: string, label: string, section: ReactNode, below?: ReactNode) => ({
    id,
    label,
    content: (
      <>
        {/* A disabled fieldset disables everything in it. */}
        <fieldset disabled={!owner.manages} className="contents">
          {section}
        </fieldset>
        {below}
      </>
    ),
  })
  return [
    tab(
      'basics',
      e.basics,
      <BasicsSection
        draft={draft}
        set={set}
        ownerSlug={owner.slug}
        savedSlug={saved.slug}
        isTeams={isTeams}
      />,
    ),
    tab(
      'times',
      e.timesShort,
      <TimesSection draft={draft} set={set} schedules={isTeams ? undefined : schedules} />,
    ),
    tab('guests', e.guests, <GuestsSection draft={draft} set={set} />),
    tab(
      'price',
      e.price,
      <PriceSection
        draft={draft}
        set={set}
        owner={owner}
        lengths={draft}
        requiresApproval={draft.requiresApproval}
      />,
    ),
    ...(isTeams
      ? [tab('hosts', words.hosts.title, <HostsSection draft={draft} set={set} teamId={owner.id} />)]
      : []),
    tab('questions', words.questions.title, <QuestionsSection draft={draft} set={set} />),
    {
      id: 'messages',
      label: e.messages,
      whenShown: <EventTypeMessages eventType={saved} owner={owner} />,
    },
    tab('protection', words.protection.title, <ProtectionSection draft={draft} set={set} />),
    tab(
      'advanced',
      e.advanced,
      <AdvancedSection draft={draft} set={set} isTeams={isTeams} />,
      owner.manages && <PrivateLinks eventType={saved} teamId={isTeams ? owner.id : undefined} />,
    ),
  ]
}
