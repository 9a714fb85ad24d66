import { useState } from 'react'
import { LANGUAGE_NAMES, LANGUAGES } from '../../../src/domain/languages.ts'
import { isAbout, isMoment } from '../../../src/domain/messages/message.ts'
import { BRANCHES } from '../../../src/domain/messages/timeline.ts'
import { withQuery } from '../core/data/api.ts'
import { combine, type Owner, useOne } from '../core/data/data.ts'
import type { EventTypeView, MessageView, TimelineView } from '../core/data/views.ts'
import { Select } from '../core/fields/fields.tsx'
import { Loaded, RowsSkeleton, Section } from '../core/page.tsx'
import { formatInstant, instantAt, useTimes } from '../core/time/times.ts'
import { messageWords, words } from '../words.ts'
import { MessageCard } from './message-card.tsx'
import { type Desk, MessageDesk } from './message-desk.tsx'
import { type Beginning, useMessages, useOwnerPage } from './use-messages.ts'

interface Props {
  readonly eventType: EventTypeView
  readonly owner: Owner
}

type Entry = TimelineView[number]

const MINUTE = 60_000
const DAY = 1440

/** Everything that guests and hosts of an event type get, in order: the place where it is changed. */
export default function Timeline({ eventType, owner }: Props) {
  const messages = useMessages(owner.id, (message) => isAbout(message, eventType.id))
  const page = useOwnerPage(owner)
  const [branch, setBranch] = useState<string>()
  const [chosen, setLanguage] = useState<string>()
  const [now] = useState(Date.now)
  const language = chosen ?? page.data?.body.locale
  // Far enough away for all that comes before the start.
  const ahead = (messages.data ?? []).map(({ on, minutes }) => (on === 'before' ? (minutes ?? 0) : 0))
  const minutes = Math.max(6 * DAY, ...ahead, ...eventType.reminderMinutes) + DAY
  const { zone, date } = useTimes()
  const startsAt = instantAt(zone, date(now + minutes * MINUTE), '10:00')
  const start = formatInstant(startsAt)
  const path = `/event-types/${eventType.id}/timeline`
  const ready = messages.data !== undefined && language !== undefined
  const usual = useOne<TimelineView>(withQuery(path, { start, language }), ready)
  const shown = useOne<TimelineView>(withQuery(path, { start, language, branch }), ready)
  const m = messageWords
  // Only what asks for approval can be declined.
  const branches = BRANCHES.filter((id) => id !== 'declined' || eventType.requiresApproval)
  return (
    <Section id="messages" title={words.eventTypes.messages} hint={m.hint}>
      <div className="columns">
        <Select
          label={m.branch}
          value={branch ?? 'none'}
          options={(['none', ...branches] as const).map((id) => ({ id, label: m.branches[id] }))}
          onChange={(next) => setBranch(BRANCHES.find((one) => one === next))}
        />
        <Select
          label={m.guestLanguage}
          value={language ?? ''}
          options={LANGUAGES.map((id) => ({ id, label: LANGUAGE_NAMES[id] }))}
          onChange={setLanguage}
        />
      </div>
      <Loaded
        query={combine(combine(messages, page), combine(usual, shown))}
        skeleton={<RowsSkeleton rows={5} />}
      >
        {([[found, { body }], [base, current]]) => (
          <MessageDesk
            owner={owner}
            page={body}
            messages={found}
            eventTypeId={eventType.id}
            scope={{ eventTypeIds: [eventType.id] }}
            newPath={`/messages/new-for-${eventType.id}`}
          >
            {(desk) => (
              <Moments
                desk={desk}
                messages={found}
                entries={compare(base.body, current.body)}
                startsAt={startsAt}
              />
            )}
          </MessageDesk>
        )}
      </Loaded>
    </Section>
  )
}

type Marked = Entry & { readonly mark?: 'onlyThen' | 'notThen' }

const keyOf = ({ messageId, standard, to, when }: Entry) => [messageId ?? standard, to, when].join()

/** What a branch adds to the usual course of things, and what it leaves out. */
function compare(usual: readonly Entry[], shown: readonly Entry[]): readonly Marked[] {
  const [before, now] = [usual, shown].map((entries) => new Set(entries.map(keyOf)))
  return [
    ...shown.map((entry): Marked => (before?.has(keyOf(entry)) ? entry : { ...entry, mark: 'onlyThen' })),
    ...usual
      .filter((entry) => !now?.has(keyOf(entry)))
      .map((entry): Marked => ({ ...entry, mark: 'notThen' })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

interface MomentsProps {
  readonly desk: Desk
  readonly messages: readonly MessageView[]
  readonly entries: readonly Marked[]
  readonly startsAt: number
}

/** The entries by their moments, and the messages that are in none of them. */
function Moments({ desk, messages, entries, startsAt }: MomentsProps) {
  const times = useTimes()
  const m = messageWords
  const moments = [...Map.groupBy(entries, ({ at, when }) => `${at} ${when}`)]
  const others = messages.filter(({ id }) => !entries.some(({ messageId }) => messageId === id))
  return (
    <>
      <ol className="timeline">
        {moments.map(([key, [first, ...more]]) => (
          <li key={key}>
            <h3>
              {first?.when} <span className="muted small">{first && times.moment(first.at)}</span>
            </h3>
            {[...(first ? [first] : []), ...more].map((entry) => (
              <MessageCard
                key={keyOf(entry)}
                desk={desk}
                message={messages.find(({ id }) => id === entry.messageId)}
                subject={entry.subject}
                text={entry.text}
                to={entry.to}
                mark={entry.mark}
                place={keyOf(entry)}
                onReplace={() => desk.begin('blank', beginningOf(entry, startsAt), keyOf(entry))}
              />
            ))}
          </li>
        ))}
      </ol>
      {desk.place && !entries.some((entry) => keyOf(entry) === desk.place) && desk.editor()}
      {others.length > 0 && (
        <div className="stack">
          <h3 className="label">{m.others}</h3>
          <p className="hint">{m.othersHint}</p>
          {others.map((message) => (
            <MessageCard key={message.id} desk={desk} message={message} to={message.to} />
          ))}
        </div>
      )}
      <p className="hint">{m.reminders}</p>
    </>
  )
}

/** A message in the place of a mail of the service. */
function beginningOf({ at, standard = '', to, when }: Entry, startsAt: number): Beginning {
  const isReminder = standard === 'reminder'
  return {
    on: isReminder ? 'before' : isMoment(standard) ? standard : 'booked',
    minutes: isReminder ? Math.round((startsAt - Date.parse(at)) / MINUTE) : null,
    to,
    replaces: true,
    name: when,
  }
}
