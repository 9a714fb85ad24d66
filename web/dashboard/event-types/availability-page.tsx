import { useState } from 'react'
import { ZonePicker } from '../../parts/zone-picker.tsx'
import { call, type Versioned } from '../core/api.ts'
import { Action, Select, Switch, TextInput, Trouble } from '../core/controls.tsx'
import { useAll, useChange, useMe, useOne } from '../core/data.ts'
import { Confirm, Sheet } from '../core/dialogs.tsx'
import { SaveBar, useDraft } from '../core/draft.tsx'
import { PlusIcon } from '../core/icons.tsx'
import { Empty, Loaded, Page, RowsSkeleton, Section } from '../core/page.tsx'
import { navigate, usePlace } from '../core/router.tsx'
import type { ScheduleView } from '../core/views.ts'
import { words } from '../words.ts'
import { Absences } from './absences.tsx'
import { Overrides } from './overrides.tsx'
import { DayStrip, Ranges } from './ranges.tsx'

export default function AvailabilityPage() {
  const schedules = useAll<ScheduleView>('/schedules')
  const { query } = usePlace()
  const [adding, setAdding] = useState(false)
  const asked = query.get('schedule')
  return (
    <Page
      title={words.availability.title}
      lead={words.availability.lead}
      actions={
        <Action onPress={() => setAdding(true)}>
          <PlusIcon size={16} />
          {words.availability.addSchedule}
        </Action>
      }
    >
      <Loaded query={schedules} skeleton={<RowsSkeleton rows={5} />}>
        {(all) => {
          const chosen =
            all.find(({ id }) => id === asked) ?? all.find(({ isDefault }) => isDefault) ?? all[0]
          if (chosen === undefined) {
            return <Empty title={words.availability.noSchedule}>{words.availability.noScheduleHint}</Empty>
          }
          return (
            <>
              {all.length > 1 && (
                <div className="mb-6 max-w-sm">
                  <Select
                    label={words.availability.schedule}
                    value={chosen.id}
                    options={all.map(({ id, name, isDefault }) => ({
                      id,
                      label: isDefault ? `${name} (${words.availability.default})` : name,
                    }))}
                    onChange={(id) => navigate(`/app/availability?schedule=${id}`)}
                  />
                </div>
              )}
              <ScheduleEditor key={chosen.id} id={chosen.id} />
            </>
          )
        }}
      </Loaded>
      <Absences />
      {adding && <AddSchedule onClose={() => setAdding(false)} />}
    </Page>
  )
}

function ScheduleEditor({ id }: { readonly id: string }) {
  const schedule = useOne<ScheduleView>(`/schedules/${id}`)
  return (
    <Loaded query={schedule} skeleton={<RowsSkeleton rows={5} />}>
      {(found) => <Editor loaded={found} />}
    </Loaded>
  )
}

const NINE_TO_FIVE = [{ opens: '09:00', closes: '17:00' }]

function Editor({ loaded }: { readonly loaded: Versioned<ScheduleView> }) {
  const path = `/schedules/${loaded.body.id}`
  const edited = useDraft(path, loaded, ['/schedules'])
  const { draft, set } = edited
  const [removing, setRemoving] = useState(false)
  const remove = useChange(() => call(path, { method: 'DELETE' }), ['/schedules'])
  const hoursOf = (day: number) => draft.weekly[day] ?? []
  const setDay = (day: number, ranges: ScheduleView['weekly'][string]) =>
    set({ weekly: { ...draft.weekly, [day]: ranges } })
  const copyToWeekdays = (from: number) =>
    set({
      weekly: {
        ...draft.weekly,
        ...Object.fromEntries([1, 2, 3, 4, 5].map((day) => [day, hoursOf(from)])),
      },
    })
  const firstOpen = [1, 2, 3, 4, 5, 6, 7].find((day) => hoursOf(day).length > 0)
  const uneven = [1, 2, 3, 4, 5].some(
    (day) => firstOpen !== undefined && JSON.stringify(hoursOf(day)) !== JSON.stringify(hoursOf(firstOpen)),
  )
  return (
    <>
      <Section
        title={words.availability.weekly}
        hint={words.availability.weeklyHint}
        actions={
          firstOpen !== undefined &&
          uneven && (
            <button type="button" className="text-button" onClick={() => copyToWeekdays(firstOpen)}>
              {words.availability.copyToWeekdays(words.weekdays[firstOpen - 1] ?? '')}
            </button>
          )
        }
      >
        <div className="week">
          {words.weekdays.map((weekday, index) => {
            const ranges = hoursOf(index + 1)
            return (
              <div key={weekday} className="week-day" data-closed={ranges.length === 0 || undefined}>
                <Switch
                  label={weekday}
                  on={ranges.length > 0}
                  onChange={(on) => setDay(index + 1, on ? NINE_TO_FIVE : [])}
                />
                <div className="min-w-0">
                  <DayStrip ranges={ranges} />
                  {ranges.length === 0 ? (
                    <p className="m-0 text-muted text-sm">{words.availability.closed}</p>
                  ) : (
                    <Ranges name={weekday} ranges={ranges} onChange={(next) => setDay(index + 1, next)} />
                  )}
                </div>
              </div>
            )
          })}
        </div>
        <div>
          <p className="label m-0">{words.availability.zone}</p>
          <ZonePicker zone={draft.timezone} onChange={(timezone) => set({ timezone })} at={Date.now()} />
          <p className="hint">{words.availability.zoneHint}</p>
        </div>
      </Section>
      <Overrides schedule={draft} onChange={(overrides) => set({ overrides })} />
      <Section title={words.availability.thisSchedule}>
        <TextInput
          label={words.name}
          maxLength={200}
          value={draft.name}
          error={edited.errorAbout('name')}
          onChange={(name) => set({ name })}
        />
        <Switch
          label={words.availability.isDefault}
          hint={words.availability.isDefaultHint}
          on={draft.isDefault}
          disabled={loaded.body.isDefault}
          onChange={(isDefault) => set({ isDefault })}
        />
        {!loaded.body.isDefault && (
          <div>
            <Action onPress={() => setRemoving(true)}>{words.availability.remove}</Action>
          </div>
        )}
      </Section>
      <SaveBar draft={edited} />
      {removing && (
        <Confirm
          title={words.availability.removeTitle(loaded.body.name)}
          confirm={words.delete}
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setRemoving(false)}
          onConfirm={() =>
            remove.mutate(undefined, { onSuccess: () => navigate('/app/availability', { force: true }) })
          }
        >
          {words.availability.removeHint}
        </Confirm>
      )}
    </>
  )
}

function AddSchedule({ onClose }: { readonly onClose: () => void }) {
  const me = useMe().data?.body
  const [name, setName] = useState('')
  const add = useChange(
    () =>
      call<ScheduleView>('/schedules', {
        method: 'POST',
        body: {
          name,
          timezone: me?.timezone ?? 'UTC',
          weekly: Object.fromEntries([1, 2, 3, 4, 5].map((day) => [String(day), NINE_TO_FIVE])),
        },
      }),
    ['/schedules'],
  )
  return (
    <Sheet title={words.availability.addSchedule} onClose={onClose}>
      <p className="m-0 text-muted">{words.availability.addScheduleHint}</p>
      <TextInput label={words.name} maxLength={200} value={name} onChange={setName} />
      <Trouble error={add.error} />
      <div className="flex flex-wrap justify-end gap-3">
        <Action onPress={onClose}>{words.cancel}</Action>
        <Action
          kind="main"
          busy={add.isPending}
          onPress={() =>
            add.mutate(undefined, {
              onSuccess: ({ body }) => {
                onClose()
                navigate(`/app/availability?schedule=${body.id}`)
              },
            })
          }
        >
          {words.add}
        </Action>
      </div>
    </Sheet>
  )
}
