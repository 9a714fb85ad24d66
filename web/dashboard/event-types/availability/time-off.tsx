import { useState } from 'react'
import { addDays, dateIn } from '../../../parts/time/dates.ts'
import { useCity } from '../../../parts/time/zones.ts'
import { AddButton, Button, IconButton } from '../../core/buttons.tsx'
import { call } from '../../core/data/api.ts'
import { useAll, useChange, useMe } from '../../core/data/data.ts'
import { useTeamHosts } from '../../core/data/team-hosts.ts'
import type { AbsenceView, CreateAbsence } from '../../core/data/views.ts'
import { Confirm, CreateSheet } from '../../core/dialogs.tsx'
import { Select, Switch, TextInput } from '../../core/fields/fields.tsx'
import { ErrorAlert } from '../../core/fields/form-errors.tsx'
import { TrashIcon } from '../../core/icons.tsx'
import { EmptyState, Loaded, Section } from '../../core/page.tsx'
import { instantAt, useTimes } from '../../core/time/times.ts'
import { HandOverMeetingsSheet } from '../../people/teams/hand-over-meetings.tsx'
import { tell, words } from '../../words.ts'

/** Spans in which the host can't be booked, even within their schedule. */
export function TimeOff() {
  const absences = useAll<AbsenceView>('/absences')
  const times = useTimes()
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<AbsenceView>()
  const [leaving, setLeaving] = useState<AbsenceView>()
  const me = useMe().data?.body
  const remove = useChange((id: string) => call(`/absences/${id}`, { method: 'DELETE' }), ['/absences'])
  const spanOf = ({ startDate, endDate, startTime, endTime }: AbsenceView) => {
    if (startDate === null || endDate === null) return `${times.moment(startTime)} – ${times.moment(endTime)}`
    const [first, last] = [times.onDate(startDate), times.onDate(endDate)]
    return first === last ? first : `${first} – ${last}`
  }
  const colleagues = useTeamHosts()
  const nameOf = (userId: string) => colleagues.find(({ id }) => id === userId)?.label ?? '…'
  const t = words.timeOff
  return (
    <Section
      title={t.title}
      hint={t.hint}
      actions={
        <AddButton small onPress={() => setAdding(true)}>
          {t.add}
        </AddButton>
      }
    >
      <ErrorAlert error={remove.error} />
      <Loaded query={absences} skeleton={<span className="bar bar-wide" />}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={t.none}>{t.noneHint}</EmptyState>
          ) : (
            <ul className="rows-inner">
              {all.map((absence) => (
                <li key={absence.id} className="row">
                  <div className="row-main">
                    <strong>{spanOf(absence)}</strong>
                    {absence.redirectTo !== null && (
                      <p className="row-sub">{tell(t.standsIn, { name: nameOf(absence.redirectTo) })}</p>
                    )}
                    {absence.note !== '' && <p className="row-sub">{absence.note}</p>}
                    {absence.bookings > 0 && (
                      <p className="row-sub">{tell(t.inside, { count: absence.bookings })}</p>
                    )}
                  </div>
                  {absence.bookings > 0 && me !== undefined && me.teams.length > 0 && (
                    <Button
                      small
                      label={tell(words.handOver.openOf, { name: spanOf(absence) })}
                      onPress={() => setLeaving(absence)}
                    >
                      {words.handOver.open}
                    </Button>
                  )}
                  <IconButton
                    label={tell(words.removeOf, { name: spanOf(absence) })}
                    onPress={() => setRemoving(absence)}
                  >
                    <TrashIcon />
                  </IconButton>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {removing !== undefined && (
        <Confirm
          title={tell(t.remove, { span: spanOf(removing) })}
          confirm={words.remove}
          error={remove.error}
          busy={remove.isPending}
          onClose={() => setRemoving(undefined)}
          onConfirm={() => remove.mutate(removing.id, { onSettled: () => setRemoving(undefined) })}
        >
          {t.removeHint}
        </Confirm>
      )}
      {leaving !== undefined && me !== undefined && (
        <HandOverMeetingsSheet
          teams={me.teams}
          userId={me.id}
          title={words.handOver.ownTitle}
          span={{ from: leaving.startTime, to: leaving.endTime }}
          onClose={() => setLeaving(undefined)}
        />
      )}
      {adding && <NewTimeOff onClose={() => setAdding(false)} />}
    </Section>
  )
}

interface Moment {
  readonly date: string
  readonly time: string
}

function NewTimeOff({ onClose }: { readonly onClose: () => void }) {
  const cityOf = useCity()
  const { zone } = useTimes()
  const tomorrow = addDays(dateIn(zone, Date.now()), 1)
  const [allDay, setAllDay] = useState(true)
  const [from, setFrom] = useState<Moment>({ date: tomorrow, time: '09:00' })
  const [to, setTo] = useState<Moment>({ date: tomorrow, time: '17:00' })
  const [note, setNote] = useState('')
  const [standIn, setStandIn] = useState('')
  const [, ...colleagues] = useTeamHosts()
  const t = words.timeOff
  const create = useChange(() => {
    const span: CreateAbsence = allDay
      ? { startDate: from.date, endDate: to.date }
      : {
          startTime: iso(instantAt(zone, from.date, from.time)),
          endTime: iso(instantAt(zone, to.date, to.time)),
        }
    const body: CreateAbsence = { ...span, note, redirectTo: standIn || null }
    return call('/absences', { method: 'POST', body })
  }, ['/absences'])
  const complete = from.date !== '' && to.date !== '' && (allDay || (from.time !== '' && to.time !== ''))
  const backwards =
    complete && (to.date < from.date || (!allDay && to.date === from.date && to.time <= from.time))
  return (
    <CreateSheet
      title={t.add}
      submit={t.add}
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() => complete && !backwards && create.mutate(undefined, { onSuccess: onClose })}
    >
      <Switch label={t.allDay} on={allDay} onChange={setAllDay} />
      <div className="columns">
        <TextInput
          label={allDay ? t.firstDay : t.startDate}
          field={allDay ? 'startDate' : 'startTime'}
          type="date"
          value={from.date}
          onChange={(date) => {
            setFrom({ ...from, date })
            if (to.date < date) setTo({ ...to, date })
          }}
        />
        {!allDay && (
          <TextInput
            label={t.startTime}
            type="time"
            value={from.time}
            onChange={(time) => setFrom({ ...from, time })}
          />
        )}
        <TextInput
          label={allDay ? t.lastDay : t.endDate}
          field={allDay ? 'endDate' : 'endTime'}
          type="date"
          value={to.date}
          error={backwards ? t.backwards : undefined}
          onChange={(date) => setTo({ ...to, date })}
        />
        {!allDay && (
          <TextInput
            label={t.endTime}
            type="time"
            value={to.time}
            onChange={(time) => setTo({ ...to, time })}
          />
        )}
      </div>
      <p className="hint">{tell(t.zone, { city: cityOf(zone) })}</p>
      {colleagues.length > 0 && (
        <Select
          label={t.standIn}
          hint={t.standInHint}
          field="redirectTo"
          value={standIn}
          options={[{ id: '', label: t.nobody }, ...colleagues]}
          onChange={setStandIn}
        />
      )}
      <TextInput
        label={t.note}
        hint={t.noteHint}
        field="note"
        maxLength={1000}
        value={note}
        onChange={setNote}
      />
    </CreateSheet>
  )
}

const iso = (instant: number) => new Date(instant).toISOString()
