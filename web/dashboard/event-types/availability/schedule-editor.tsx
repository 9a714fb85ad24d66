import { useState } from 'react'
import { useCity } from '../../../parts/time/zones.ts'
import { Button } from '../../core/buttons.tsx'
import { call, type Versioned } from '../../core/data/api.ts'
import { useChange, useOne } from '../../core/data/data.ts'
import type { ScheduleView } from '../../core/data/views.ts'
import { Confirm } from '../../core/dialogs.tsx'
import { SaveBar, useDraft } from '../../core/fields/draft.tsx'
import { Switch, TextInput } from '../../core/fields/fields.tsx'
import { ErrorAlert, FormErrors } from '../../core/fields/form-errors.tsx'
import { Loaded, RowsSkeleton, Section } from '../../core/page.tsx'
import { navigate } from '../../core/router.tsx'
import { tell, words } from '../../words.ts'
import { Overrides } from './overrides.tsx'
import { WeeklyHours } from './weekly-hours.tsx'

export function ScheduleEditor({ id }: { readonly id: string }) {
  const schedule = useOne<ScheduleView>(`/schedules/${id}`)
  return (
    <Loaded query={schedule} skeleton={<RowsSkeleton rows={5} />}>
      {(found) => <Editor loaded={found} />}
    </Loaded>
  )
}

function Editor({ loaded }: { readonly loaded: Versioned<ScheduleView> }) {
  const saved = loaded.body
  const edited = useDraft(`/schedules/${saved.id}`, loaded, ['/schedules'])
  const { draft, set } = edited
  const a = words.availability
  return (
    <FormErrors error={edited.save.error}>
      {!saved.confirmed && !edited.dirty && <ConfirmHours id={saved.id} onConfirmed={edited.reload} />}
      <WeeklyHours schedule={draft} set={set} />
      <Overrides schedule={draft} onChange={(overrides) => set({ overrides })} />
      <Section title={a.settings}>
        <TextInput
          label={words.name}
          field="name"
          maxLength={200}
          value={draft.name}
          onChange={(name) => set({ name })}
        />
        <Switch
          label={a.isDefault}
          hint={a.isDefaultHint}
          on={draft.isDefault}
          disabled={saved.isDefault}
          onChange={(isDefault) => set({ isDefault })}
        />
        {!saved.isDefault && <DeleteSchedule schedule={saved} />}
      </Section>
      <SaveBar draft={edited} />
    </FormErrors>
  )
}

interface ConfirmHoursProps {
  readonly id: string
  readonly onConfirmed: () => Promise<void>
}

/** An invited person's hours are a guess; saving them in their own zone makes them count. */
function ConfirmHours({ id, onConfirmed }: ConfirmHoursProps) {
  const cityOf = useCity()
  const timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
  const confirm = useChange(
    () => call(`/schedules/${id}`, { method: 'PATCH', body: { timezone } }),
    ['/schedules', '/teams'],
  )
  const a = words.availability
  return (
    <Section
      title={a.unconfirmed}
      hint={a.unconfirmedHint}
      actions={
        <Button
          kind="primary"
          busy={confirm.isPending}
          onPress={() => confirm.mutate(undefined, { onSuccess: () => void onConfirmed() })}
        >
          {tell(a.confirmHours, { zone: cityOf(timezone) })}
        </Button>
      }
    >
      <ErrorAlert error={confirm.error} />
    </Section>
  )
}

function DeleteSchedule({ schedule }: { readonly schedule: ScheduleView }) {
  const [asking, setAsking] = useState(false)
  const remove = useChange(() => call(`/schedules/${schedule.id}`, { method: 'DELETE' }), ['/schedules'])
  const a = words.availability
  return (
    <div>
      <Button onPress={() => setAsking(true)}>{a.remove}</Button>
      {asking && (
        <Confirm
          title={tell(a.removeTitle, { name: schedule.name })}
          confirm={words.delete}
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            remove.mutate(undefined, { onSuccess: () => navigate('/app/availability', { force: true }) })
          }
        >
          {a.removeHint}
        </Confirm>
      )}
    </div>
  )
}
