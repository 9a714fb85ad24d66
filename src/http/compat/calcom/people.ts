import type { FastifyInstance } from 'fastify'
import { shownImage } from '../../../domain/people/image.ts'
import type { Context } from '../../../services/context.ts'
import { listSchedules } from '../../../services/event-types/schedules.ts'
import { notFound } from '../../../services/people/access.ts'
import { getMe } from '../../../services/people/me.ts'
import type { Principal } from '../../../services/people/sign-in/principal.ts'
import type { NamedSchedule } from '../../../store/event-types/schedules.ts'
import { success } from './envelope.ts'
import { requirePrincipal } from './request.ts'

/** More than anyone has. */
const ALL = 200

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** The signed-in user, and when they are open. */
export function addPeopleRoutes(app: FastifyInstance, { context }: { readonly context: Context }): void {
  app.get('/me', async (request) => success(await showMe(context, await requirePrincipal(context, request))))
  app.get('/schedules', async (request) => {
    const principal = await requirePrincipal(context, request)
    const found = await listSchedules(context, principal, { limit: ALL })
    return success(await Promise.all(found.map((one) => toSchedule(context, one))))
  })
  app.get('/schedules/default', async (request) => {
    const found = await findDefault(context, await requirePrincipal(context, request))
    if (found === undefined) throw notFound()
    return success(await toSchedule(context, found))
  })
  app.get('/schedules/:id', async (request) => {
    const principal = await requirePrincipal(context, request)
    const id = await context.numbers.idOf('schedule', Number((request.params as { id: string }).id))
    const found = (await listSchedules(context, principal, { limit: ALL })).find((one) => one.id === id)
    if (found === undefined) throw notFound()
    return success(await toSchedule(context, found))
  })
}

async function findDefault(context: Context, principal: Principal): Promise<NamedSchedule | undefined> {
  return (await listSchedules(context, principal, { limit: ALL })).find(({ isDefault }) => isDefault)
}

async function showMe(context: Context, principal: Principal) {
  const { user } = await getMe(context, principal)
  const schedule = await findDefault(context, principal)
  return {
    id: await context.numbers.of('user', user.id),
    username: user.slug,
    email: user.email,
    name: user.name,
    avatarUrl: shownImage(context.publicUrl, user.avatarUrl) || null,
    bio: user.bio,
    timeFormat: user.timeFormat === '12h' ? 12 : 24,
    defaultScheduleId: schedule === undefined ? null : await context.numbers.of('schedule', schedule.id),
    weekStart: weekStartOf(user.weekStart),
    timeZone: user.timeZone,
    locale: user.locale || 'en',
    organizationId: null,
    metadata: {},
  }
}

/** The day by its English name; Sunday unless it is chosen, as there. */
export const weekStartOf = (day: string): string =>
  WEEKDAYS.find((name) => name.toLowerCase() === day) ?? 'Sunday'

/** A schedule. Days with the same hours share an entry. */
async function toSchedule({ numbers }: Context, schedule: NamedSchedule) {
  const { id, userId, name, timeZone, weekly, overrides, isDefault } = schedule
  const availability = new Map<string, { days: string[]; startTime: string; endTime: string }>()
  for (const [index, day] of WEEKDAYS.entries()) {
    for (const { opens, closes } of weekly[index + 1] ?? []) {
      const key = `${opens} ${closes}`
      const entry = availability.get(key) ?? { days: [], startTime: opens, endTime: endOf(closes) }
      entry.days.push(day)
      availability.set(key, entry)
    }
  }
  return {
    id: await numbers.of('schedule', id),
    ownerId: await numbers.of('user', userId),
    name,
    timeZone,
    availability: [...availability.values()],
    isDefault,
    overrides: Object.entries(overrides).flatMap(([date, ranges]) =>
      // A day off is told there as hours without length.
      ranges.length === 0
        ? [{ date, startTime: '00:00', endTime: '00:00' }]
        : ranges.map(({ opens, closes }) => ({ date, startTime: opens, endTime: endOf(closes) })),
    ),
  }
}

/** There, a day ends a minute before midnight. */
const endOf = (closes: string) => (closes === '24:00' ? '23:59' : closes)
