import { useState } from 'react'
import { addDays, dateIn } from '../../parts/dates.ts'
import { cityOf } from '../../parts/zones.ts'
import { call } from '../core/api.ts'
import { Action, Switch, TextInput, Trouble } from '../core/controls.tsx'
import { useAll, useChange } from '../core/data.ts'
import { Sheet } from '../core/dialogs.tsx'
import { PlusIcon, TrashIcon } from '../core/icons.tsx'
import { Empty, Loaded, Section } from '../core/page.tsx'
import { instantAt, useTimes } from '../core/times.ts'
import type { AbsenceView } from '../core/views.ts'
import { words } from '../words.ts'

/** When the host is away, whatever their schedules say. */
export function Absences() {
  const absences = useAll<AbsenceView>('/absences')
  const times = useTimes()
  const [adding, setAdding] = useState(false)
  const remove = useChange((id: string) => call(`/absences/${id}`, { method: 'DELETE' }), ['/absences'])
  return (
    <Section
      title={words.absences.title}
      hint={words.absences.hint}
      actions={
        <Action small onPress={() => setAdding(true)}>
          <PlusIcon size={16} />
          {words.absences.add}
        </Action>
      }
    >
      <Trouble error={remove.error} />
      <Loaded query={absences} skeleton={<span className="bar bar-wide" />}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={words.absences.none}>{words.absences.noneHint}</Empty>
          ) : (
            <ul className="rows rows-inner">
              {all.map(({ id, startTime, endTime, note }) => (
                <li key={id} className="row">
                  <div className="min-w-0 flex-1">
                    <p className="m-0 font-semibold">
                      {times.moment(startTime)} – {times.moment(endTime)}
                    </p>
                    {note !== '' && <p className="row-sub">{note}</p>}
                  </div>
                  <button
                    type="button"
                    className="round"
                    aria-label={words.removeOf(times.moment(startTime))}
                    onClick={() => remove.mutate(id)}
                  >
                    <TrashIcon />
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {adding && <AddAbsence onClose={() => setAdding(false)} />}
    </Section>
  )
}

function AddAbsence({ onClose }: { readonly onClose: () => void }) {
  const { zone } = useTimes()
  const tomorrow = addDays(dateIn(zone, Date.now()), 1)
  const [whole, setWhole] = useState(true)
  const [from, setFrom] = useState({ date: tomorrow, time: '09:00' })
  const [to, setTo] = useState({ date: tomorrow, time: '17:00' })
  const [note, setNote] = useState('')
  const add = useChange(() => {
    const starts = instantAt(zone, from.date, whole ? '00:00' : from.time)
    const ends = whole ? instantAt(zone, addDays(to.date, 1), '00:00') : instantAt(zone, to.date, to.time)
    const body = { startTime: iso(starts), endTime: iso(ends), note }
    return call('/absences', { method: 'POST', body })
  }, ['/absences'])
  const complete = from.date !== '' && to.date !== '' && (whole || (from.time !== '' && to.time !== ''))
  const backwards =
    complete && (to.date < from.date || (!whole && to.date === from.date && to.time <= from.time))
  return (
    <Sheet title={words.absences.add} onClose={onClose}>
      <Switch label={words.absences.wholeDays} on={whole} onChange={setWhole} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextInput
          label={words.absences.from}
          type="date"
          value={from.date}
          onChange={(date) => {
            setFrom({ ...from, date })
            if (to.date < date) setTo({ ...to, date })
          }}
        />
        {!whole && (
          <TextInput
            label={words.absences.fromTime}
            type="time"
            value={from.time}
            onChange={(time) => setFrom({ ...from, time })}
          />
        )}
        <TextInput
          label={whole ? words.absences.through : words.absences.to}
          type="date"
          value={to.date}
          error={backwards ? words.absences.backwards : undefined}
          onChange={(date) => setTo({ ...to, date })}
        />
        {!whole && (
          <TextInput
            label={words.absences.toTime}
            type="time"
            value={to.time}
            onChange={(time) => setTo({ ...to, time })}
          />
        )}
      </div>
      <p className="hint">{words.absences.clock(cityOf(zone))}</p>
      <TextInput
        label={words.absences.note}
        hint={words.absences.noteHint}
        maxLength={1000}
        value={note}
        onChange={setNote}
      />
      <Trouble error={add.error} />
      <div className="flex flex-wrap justify-end gap-3">
        <Action onPress={onClose}>{words.cancel}</Action>
        <Action
          kind="main"
          busy={add.isPending}
          onPress={() => complete && !backwards && add.mutate(undefined, { onSuccess: onClose })}
        >
          {words.absences.add}
        </Action>
      </div>
    </Sheet>
  )
}

const iso = (instant: number) => new Date(instant).toISOString()
