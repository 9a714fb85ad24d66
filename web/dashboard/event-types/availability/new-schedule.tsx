import { useState } from 'react'
import { call } from '../../core/data/api.ts'
import { useChange, useMe } from '../../core/data/data.ts'
import type { CreateSchedule, ScheduleView } from '../../core/data/views.ts'
import { CreateSheet } from '../../core/dialogs.tsx'
import { TextInput } from '../../core/fields/fields.tsx'
import { navigate } from '../../core/router.tsx'
import { words } from '../../words.ts'
import { NINE_TO_FIVE, WORKDAYS } from './week.ts'

export function NewSchedule({ onClose }: { readonly onClose: () => void }) {
  const me = useMe().data?.body
  const [name, setName] = useState('')
  const create = useChange(() => {
    const body: CreateSchedule = {
      name,
      timezone: me?.timezone ?? 'UTC',
      weekly: Object.fromEntries(WORKDAYS.map((day) => [String(day), NINE_TO_FIVE])),
    }
    return call<ScheduleView>('/schedules', { method: 'POST', body })
  }, ['/schedules'])
  return (
    <CreateSheet
      title={words.availability.addSchedule}
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() =>
        create.mutate(undefined, {
          onSuccess: ({ body }) => {
            onClose()
            navigate(`/app/availability?schedule=${body.id}`)
          },
        })
      }
    >
      <p className="muted">{words.availability.addScheduleHint}</p>
      <TextInput label={words.name} field="name" maxLength={200} value={name} onChange={setName} />
    </CreateSheet>
  )
}
