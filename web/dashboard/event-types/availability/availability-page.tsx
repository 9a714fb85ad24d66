import { useState } from 'react'
import { AddButton } from '../../core/buttons.tsx'
import { useAll } from '../../core/data/data.ts'
import type { ScheduleView } from '../../core/data/views.ts'
import { Select } from '../../core/fields/fields.tsx'
import { EmptyState, Loaded, Page, RowsSkeleton } from '../../core/page.tsx'
import { navigate, useRoute } from '../../core/router.tsx'
import { words } from '../../words.ts'
import { NewSchedule } from './new-schedule.tsx'
import { ScheduleEditor } from './schedule-editor.tsx'
import { TimeOff } from './time-off.tsx'

export default function AvailabilityPage() {
  const schedules = useAll<ScheduleView>('/schedules')
  const [adding, setAdding] = useState(false)
  const a = words.availability
  return (
    <Page
      title={a.title}
      lead={a.lead}
      actions={<AddButton onPress={() => setAdding(true)}>{a.addSchedule}</AddButton>}
    >
      <Loaded query={schedules} skeleton={<RowsSkeleton rows={5} />}>
        {(all) => <Schedules all={all} />}
      </Loaded>
      <TimeOff />
      {adding && <NewSchedule onClose={() => setAdding(false)} />}
    </Page>
  )
}

/** The schedule that the address names, or the default one. */
function Schedules({ all }: { readonly all: readonly ScheduleView[] }) {
  const wanted = useRoute().query.get('schedule')
  const a = words.availability
  const chosen = all.find(({ id }) => id === wanted) ?? all.find(({ isDefault }) => isDefault) ?? all[0]
  if (chosen === undefined) return <EmptyState title={a.noSchedule}>{a.noScheduleHint}</EmptyState>
  return (
    <>
      {all.length > 1 && (
        <div className="filters">
          <Select
            label={a.schedule}
            value={chosen.id}
            options={all.map(({ id, name, isDefault }) => ({
              id,
              label: isDefault ? `${name} (${a.default})` : name,
            }))}
            onChange={(id) => navigate(`/app/availability?schedule=${id}`)}
          />
        </div>
      )}
      <ScheduleEditor key={chosen.id} id={chosen.id} />
    </>
  )
}
