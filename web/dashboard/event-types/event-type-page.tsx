import { useState } from 'react'
import { CAPTCHA_PROVIDERS, LOCATION_TYPES } from '../../../src/domain/event-types/event-type.ts'
import type { Versioned } from '../core/api.ts'
import { CopyButton, NumberInput, Select, SpanInput, Switch, TextArea, TextInput } from '../core/controls.tsx'
import { together, useAll, useOne, useOwners } from '../core/data.ts'
import { SaveBar, useDraft } from '../core/draft.tsx'
import { Loaded, Page, RowsSkeleton, Section } from '../core/page.tsx'
import { usePublicUrl } from '../core/public-url.ts'
import type { EventTypeView, ScheduleView } from '../core/views.ts'
import { words } from '../words.ts'
import { Hosts } from './hosts.tsx'
import { Preview } from './preview.tsx'
import { Questions } from './questions.tsx'

export default function EventTypePage({ id }: { readonly id: string }) {
  const eventType = useOne<EventTypeView>(`/event-types/${id}`)
  const known = together(eventType, useAll<ScheduleView>('/schedules'))
  return (
    <Page
      wide
      title={eventType.data?.body.name ?? words.eventTypes.title}
      back={{ to: '/app/event-types', label: words.eventTypes.title }}
    >
      <Loaded query={known} skeleton={<RowsSkeleton rows={5} />}>
        {([found, schedules]) => <Editor loaded={found} schedules={schedules} />}
      </Loaded>
    </Page>
  )
}

const WINDOWS = ['rolling', 'fixed', 'unlimited'] as const

interface EditorProps {
  readonly loaded: Versioned<EventTypeView>
  /** The host's own; a team's event types go by its members'. */
  readonly schedules: readonly ScheduleView[]
}

function Editor({ loaded, schedules }: EditorProps) {
  const { id } = loaded.body
  const edited = useDraft(`/event-types/${id}`, loaded, ['/event-types'])
  const { draft, set, errorAbout } = edited
  const publicUrl = usePublicUrl()
  const owner = useOwners().find((one) => one.id === draft.ownerId)
  const e = words.eventTypes
  const link = `${publicUrl}/${owner?.slug ?? ''}/${loaded.body.slug}`
  const readOnly = owner !== undefined && !owner.manages
  const { window: opened, limits, abuse, location } = draft
  return (
    <div className="editor">
      <div className="editor-main">
        {readOnly && <p className="alert">{e.readOnly}</p>}
        {/* A fieldset that is disabled takes everything in it along. */}
        <fieldset disabled={readOnly} className="contents">
          <Section title={e.basics}>
            <TextInput
              label={words.name}
              maxLength={200}
              value={draft.name}
              error={errorAbout('a name')}
              onChange={(name) => set({ name })}
            />
            <TextInput
              label={e.address}
              hint={draft.slug === loaded.body.slug ? undefined : e.slugHint}
              prefix={`${publicUrl.replace(/^https?:\/\//, '')}/${owner?.slug ?? ''}/`}
              maxLength={64}
              value={draft.slug}
              error={errorAbout('slug', 'taken')}
              onChange={(slug) => set({ slug })}
            />
            <TextArea
              label={e.description}
              hint={e.descriptionHint}
              maxLength={5000}
              value={draft.description}
              error={errorAbout('description')}
              onChange={(description) => set({ description })}
            />
            <div className="grid gap-4 sm:grid-cols-2">
              <NumberInput
                label={e.duration}
                unit={words.units.minutes}
                value={draft.durationMinutes}
                error={errorAbout('durationMinutes')}
                onChange={(durationMinutes) => set({ durationMinutes: durationMinutes ?? 0 })}
              />
              <NumberInput
                label={e.interval}
                hint={e.intervalHint}
                unit={words.units.minutes}
                placeholder={String(draft.durationMinutes)}
                value={draft.intervalMinutes}
                error={errorAbout('intervalMinutes')}
                onChange={(intervalMinutes) => set({ intervalMinutes })}
              />
              <Select
                label={e.location}
                value={location.type}
                options={LOCATION_TYPES.map((type) => ({ id: type, label: words.locations[type] }))}
                onChange={(type) =>
                  set({
                    location: { ...location, type: LOCATION_TYPES.find((one) => one === type) ?? 'Video' },
                  })
                }
              />
              <TextInput
                label={e.locationValues[location.type]}
                hint={e.locationHint}
                maxLength={2000}
                value={location.value}
                error={errorAbout('location', 'location.value')}
                onChange={(value) => set({ location: { ...location, value } })}
              />
            </div>
            <Switch
              label={e.hidden}
              hint={e.hiddenHint}
              on={draft.hidden}
              onChange={(hidden) => set({ hidden })}
            />
          </Section>

          <Section title={e.when} hint={e.whenHint}>
            {owner?.team === false && (
              <Select
                label={e.schedule}
                value={draft.scheduleId ?? ''}
                options={[
                  { id: '', label: e.defaultSchedule },
                  ...schedules.map((one) => ({ id: one.id, label: one.name })),
                ]}
                error={errorAbout('schedule', 'scheduleId')}
                onChange={(chosen) => set({ scheduleId: chosen === '' ? null : chosen })}
              />
            )}
            <div className="grid gap-4 sm:grid-cols-2">
              <SpanInput
                label={e.bufferBefore}
                minutes={draft.bufferBeforeMinutes}
                error={errorAbout('bufferBeforeMinutes')}
                onChange={(bufferBeforeMinutes) => set({ bufferBeforeMinutes })}
              />
              <SpanInput
                label={e.bufferAfter}
                minutes={draft.bufferAfterMinutes}
                error={errorAbout('bufferAfterMinutes')}
                onChange={(bufferAfterMinutes) => set({ bufferAfterMinutes })}
              />
              <SpanInput
                label={e.notice}
                hint={e.noticeHint}
                minutes={draft.noticeMinutes}
                error={errorAbout('noticeMinutes', 'notice')}
                onChange={(noticeMinutes) => set({ noticeMinutes })}
              />
            </div>
            <div className="grid gap-4 sm:grid-cols-2">
              <Select
                label={e.window}
                value={opened.kind}
                options={WINDOWS.map((kind) => ({ id: kind, label: e.windows[kind] }))}
                onChange={(kind) => {
                  if (kind === 'rolling') set({ window: { kind, days: 60 } })
                  if (kind === 'unlimited') set({ window: { kind } })
                  if (kind === 'fixed') {
                    const today = new Date().toISOString().slice(0, 10)
                    set({ window: { kind, from: today, to: today } })
                  }
                }}
              />
              {opened.kind === 'rolling' && (
                <NumberInput
                  label={e.windowDays}
                  unit={words.units.days}
                  value={opened.days}
                  error={errorAbout('window.days')}
                  onChange={(days) => set({ window: { kind: 'rolling', days: days ?? 0 } })}
                />
              )}
              {opened.kind === 'fixed' && (
                <>
                  <TextInput
                    label={e.windowFrom}
                    type="date"
                    value={opened.from}
                    onChange={(from) => set({ window: { ...opened, from } })}
                  />
                  <TextInput
                    label={e.windowTo}
                    type="date"
                    value={opened.to}
                    error={errorAbout('booking window')}
                    onChange={(to) => set({ window: { ...opened, to } })}
                  />
                </>
              )}
            </div>
            <fieldset className="m-0 border-0 p-0">
              <legend className="label mb-2">{e.limits}</legend>
              <div className="grid gap-4 sm:grid-cols-3">
                {(['day', 'week', 'month'] as const).map((period) => (
                  <NumberInput
                    key={period}
                    label={e.limitPer[period]}
                    placeholder={e.noLimit}
                    value={limits[period]}
                    error={errorAbout(`limits.${period}`)}
                    onChange={(limit) => set({ limits: { ...limits, [period]: limit } })}
                  />
                ))}
              </div>
            </fieldset>
          </Section>

          <Section title={e.guests}>
            <Switch
              label={e.approval}
              hint={e.approvalHint}
              on={draft.requiresApproval}
              onChange={(requiresApproval) => set({ requiresApproval })}
            />
            <div className="grid gap-4 sm:grid-cols-2">
              <NumberInput
                label={e.seats}
                hint={e.seatsHint}
                value={draft.seats}
                error={errorAbout('seats')}
                onChange={(seats) => set({ seats: seats ?? 1 })}
              />
            </div>
            <div className="grid gap-4 sm:grid-cols-2">
              <SpanInput
                label={e.cancelNotice}
                hint={e.cutOffHint}
                minutes={draft.cancelNoticeMinutes}
                error={errorAbout('cancelNoticeMinutes')}
                onChange={(cancelNoticeMinutes) => set({ cancelNoticeMinutes })}
              />
              <SpanInput
                label={e.rescheduleNotice}
                hint={e.cutOffHint}
                minutes={draft.rescheduleNoticeMinutes}
                error={errorAbout('rescheduleNoticeMinutes')}
                onChange={(rescheduleNoticeMinutes) => set({ rescheduleNoticeMinutes })}
              />
            </div>
            <Reminders
              minutes={draft.reminderMinutes}
              error={errorAbout('reminderMinutes', 'reminders')}
              onChange={(reminderMinutes) => set({ reminderMinutes })}
            />
          </Section>

          {owner?.team && (
            <Hosts
              draft={draft}
              teamId={owner.id}
              error={errorAbout('hosts?', 'round-robin', 'collective')}
              set={set}
            />
          )}

          <Questions
            questions={draft.questions}
            error={errorAbout('questions?', 'options', 'keys?')}
            onChange={(questions) => set({ questions })}
          />

          <Section title={e.abuse} hint={e.abuseHint}>
            <Switch
              label={e.honeypot}
              hint={e.honeypotHint}
              on={abuse.honeypot}
              onChange={(honeypot) => set({ abuse: { ...abuse, honeypot } })}
            />
            <Switch
              label={e.duplicates}
              hint={e.duplicatesHint}
              on={abuse.detectDuplicates}
              onChange={(detectDuplicates) => set({ abuse: { ...abuse, detectDuplicates } })}
            />
            <div className="grid gap-4 sm:grid-cols-2">
              <Select
                label={e.captcha}
                hint={e.captchaHint}
                value={abuse.captcha}
                options={[
                  { id: '', label: e.captchas.none },
                  ...CAPTCHA_PROVIDERS.map((provider) => ({ id: provider, label: e.captchas[provider] })),
                ]}
                error={errorAbout('captcha', ...CAPTCHA_PROVIDERS)}
                onChange={(captcha) =>
                  set({
                    abuse: { ...abuse, captcha: CAPTCHA_PROVIDERS.find((one) => one === captcha) ?? '' },
                  })
                }
              />
              <NumberInput
                label={e.rateLimit}
                hint={e.rateLimitHint}
                placeholder="15"
                value={abuse.rateLimit}
                error={errorAbout('abuse.rateLimit')}
                onChange={(rateLimit) => set({ abuse: { ...abuse, rateLimit } })}
              />
            </div>
            <ListArea
              label={e.blocklist}
              hint={e.blocklistHint}
              values={abuse.blocklist}
              error={errorAbout('blocklist', 'blocked')}
              onChange={(blocklist) => set({ abuse: { ...abuse, blocklist } })}
            />
            <ListArea
              label={e.allowedOrigins}
              hint={e.allowedOriginsHint}
              values={draft.allowedOrigins}
              error={errorAbout('allowedOrigins', 'origins?')}
              onChange={(allowedOrigins) => set({ allowedOrigins })}
            />
          </Section>
        </fieldset>
        <SaveBar draft={edited} />
      </div>
      <aside className="editor-side">
        <Section title={e.share}>
          <p className="link-box">
            <code>{link}</code>
          </p>
          <div className="flex flex-wrap gap-2">
            <CopyButton text={link}>{words.copyLink}</CopyButton>
            <CopyButton text={snippetOf(link)}>{e.copyEmbed}</CopyButton>
            <a className="button button-quiet button-small" href={link} target="_blank" rel="noreferrer">
              {e.open}
            </a>
          </div>
        </Section>
        {owner && <Preview saved={loaded.body} draft={draft} dirty={edited.dirty} owner={owner} />}
      </aside>
    </div>
  )
}

/** For a page of another site: `/docs/embed` has the other ways. */
function snippetOf(link: string): string {
  const [, service = '', path = ''] = /^(.*)\/([^/]+\/[^/]+)$/.exec(link) ?? []
  return `<div data-punctual="${path}"></div>\n<script src="${service}/embed.js" defer></script>`
}

interface ListAreaProps {
  readonly label: string
  readonly hint: string
  readonly values: readonly string[]
  readonly error: string | undefined
  readonly onChange: (values: readonly string[]) => void
}

/** One a line. What is being typed keeps its empty lines. */
function ListArea({ label, hint, values, error, onChange }: ListAreaProps) {
  const [text, setText] = useState(values.join('\n'))
  const linesOf = (given: string) =>
    given
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  const shown = JSON.stringify(linesOf(text)) === JSON.stringify(values) ? text : values.join('\n')
  return (
    <TextArea
      label={label}
      hint={hint}
      error={error}
      value={shown}
      onChange={(next) => {
        setText(next)
        onChange(linesOf(next))
      }}
    />
  )
}

interface RemindersProps {
  readonly minutes: readonly number[]
  readonly error: string | undefined
  readonly onChange: (minutes: readonly number[]) => void
}

const MOST_REMINDERS = 5

function Reminders({ minutes, error, onChange }: RemindersProps) {
  const e = words.eventTypes
  return (
    <fieldset className="m-0 grid gap-3 border-0 p-0">
      <legend className="label mb-2">{e.reminders}</legend>
      {minutes.length === 0 && <p className="hint">{e.noReminders}</p>}
      {minutes.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: reminders have nothing else to be known by
        <div key={index} className="flex items-end gap-2 max-w-md">
          <div className="flex-1">
            <SpanInput
              label={e.reminder(index + 1)}
              minutes={one}
              {...(index === 0 && { error })}
              onChange={(next) => onChange(minutes.map((value, at) => (at === index ? next : value)))}
            />
          </div>
          <button
            type="button"
            className="button button-quiet button-small"
            onClick={() => onChange(minutes.filter((_, at) => at !== index))}
          >
            {words.remove}
            <span className="sr-only"> {e.reminder(index + 1)}</span>
          </button>
        </div>
      ))}
      {minutes.length < MOST_REMINDERS && (
        <div>
          <button
            type="button"
            className="text-button"
            onClick={() => onChange([...minutes, freeReminder(minutes)])}
          >
            {e.addReminder}
          </button>
        </div>
      )}
    </fieldset>
  )
}

/** A time that is not taken yet: two reminders at once would be refused. */
const freeReminder = (taken: readonly number[]) =>
  [60, 1440, 15, 2880, 10080, 30].find((minutes) => !taken.includes(minutes)) ?? 45
