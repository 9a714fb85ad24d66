import type { Static } from 'typebox'
import { eventTypeProperties } from '../../../format/event-type-schema.ts'
import { list, nullable } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'

const eventType = {
  ...eventTypeProperties,
  hosts: list(
    Type.Object({ userId: Type.String(), fixed: Type.Boolean(), weight: Type.Optional(Type.Integer()) }),
    { maxItems: 100 },
  ),
}

export type EventTypeView = Static<typeof EventTypeView>
export const EventTypeView = Type.Object({ id: Type.String(), ownerId: Type.String(), ...eventType })

export type ChangeEventType = Static<typeof ChangeEventType>
export const ChangeEventType = Type.Partial(Type.Object(eventType))

export type CreateEventType = Static<typeof CreateEventType>
export const CreateEventType = Type.Object({
  ...ChangeEventType.properties,
  slug: eventType.slug,
  name: eventType.name,
  durationMinutes: eventType.durationMinutes,
  teamId: Type.Optional(Type.String({ description: 'The team that owns it; you without it.' })),
})

export const OrderEventTypes = Type.Object({
  ids: list(Type.String({ maxLength: 64 }), { maxItems: 5000, description: 'All of them, each once.' }),
  teamId: Type.Optional(
    Type.String({ maxLength: 64, description: 'The team that owns them; you without it.' }),
  ),
})

const Ranges = Type.Array(Type.Object({ opens: Type.String(), closes: Type.String() }), { maxItems: 48 })

const schedule = {
  name: Type.String({ maxLength: 200 }),
  timezone: Type.String({ maxLength: 64 }),
  weekly: Type.Record(Type.String(), Ranges, {
    description: 'By ISO weekday, "1" is Monday: ranges of wall-clock times, up to 24:00.',
  }),
  overrides: Type.Record(Type.String(), Ranges, {
    description: 'By date (YYYY-MM-DD): hours that replace the weekly ones; an empty list is a day off.',
  }),
  isDefault: Type.Boolean(),
}

export type ScheduleView = Static<typeof ScheduleView>
export const ScheduleView = Type.Object({
  id: Type.String(),
  ...schedule,
  confirmed: Type.Boolean({
    description: 'False until an invited user has saved it once: it offers nothing until then.',
  }),
})

export type ChangeSchedule = Static<typeof ChangeSchedule>
export const ChangeSchedule = Type.Partial(Type.Object(schedule))

export type CreateSchedule = Static<typeof CreateSchedule>
export const CreateSchedule = Type.Object({
  ...ChangeSchedule.properties,
  name: schedule.name,
  timezone: schedule.timezone,
})

const absence = {
  startTime: Type.String({ maxLength: 64, description: 'A UTC instant, such as 2030-01-31T09:30:00Z.' }),
  endTime: Type.String({ maxLength: 64, description: 'At most 400 days after startTime.' }),
  note: Type.String({ maxLength: 1000, description: 'Only you see it; guests never do.' }),
  redirectTo: nullable(
    Type.String({ maxLength: 64 }),
    'The id of a colleague from one of your teams who stands in: your booking pages lead to theirs. Null: nobody.',
  ),
}

export type AbsenceView = Static<typeof AbsenceView>
export const AbsenceView = Type.Object({
  id: Type.String(),
  ...absence,
  startDate: nullable(Type.String(), 'The first day, if it is made of whole days in your zone.'),
  endDate: nullable(Type.String(), 'The last day, which is included.'),
  bookings: Type.Integer({ description: 'Meetings inside; time off does not cancel them.' }),
})

const wholeDays = {
  startDate: Type.Optional(
    Type.String({ maxLength: 10, description: 'Instead of startTime and endTime: whole days in your zone.' }),
  ),
  endDate: Type.Optional(Type.String({ maxLength: 10, description: 'The last day, which is included.' })),
}

export type ChangeAbsence = Static<typeof ChangeAbsence>
export const ChangeAbsence = Type.Object({ ...Type.Partial(Type.Object(absence)).properties, ...wholeDays })

export type CreateAbsence = Static<typeof CreateAbsence>
export const CreateAbsence = ChangeAbsence
