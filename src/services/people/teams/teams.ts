import type { PageRequest } from '../../../domain/cursor.ts'
import { hookRemovalJob, paymentsUnderWay } from '../../../domain/payments/account.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import { slugTaken } from '../../../domain/people/slug.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { brokenConstraint, type Db } from '../../../store/engine/database.ts'
import { newId } from '../../../store/new-id.ts'
import { insertJobs } from '../../../store/outbox.ts'
import { findPaymentAccountOf, hasPaymentsUnderWay } from '../../../store/payments/accounts.ts'
import { insertTeamMember } from '../../../store/people/members.ts'
import { insertScheduler, isSlugTaken } from '../../../store/people/schedulers.ts'
import {
  countTeamBookings,
  deleteTeam,
  findMembership,
  findMemberships,
  type Membership,
  type TeamRules,
  updateTeamRules,
} from '../../../store/people/teams.ts'
import { findUser } from '../../../store/people/users.ts'
import { change, changedFields, type VersionOf } from '../../change.ts'
import type { Context } from '../../context.ts'
import { getId, notFound, readIdPage, requireRole } from '../access.ts'
import { replaceImages } from '../images.ts'
import { changePage, checkPage, type PageChange } from '../me.ts'
import type { Principal } from '../sign-in/principal.ts'

export async function listTeams(
  context: Context,
  principal: Principal,
  page: PageRequest,
): Promise<Membership[]> {
  return findMemberships(context.db, principal.userId, readIdPage(page))
}

/** One of the user's teams; throws `not_found` for all others. */
export async function getTeam(db: Db, principal: Principal, id: string): Promise<Membership> {
  const membership = await findMembership(db, getId(id), principal.userId)
  if (membership === undefined) throw notFound()
  return membership
}

/** What admins may change about a team. */
type TeamChange = PageChange & Partial<TeamRules>

/** Adds a team, owned by the user who adds it. */
export async function createTeam(
  context: Context,
  principal: Principal,
  { membersSeeAll = false, ...input }: TeamChange & Pick<Scheduler, 'slug' | 'name'>,
): Promise<Membership> {
  const { userId } = principal
  return refuseTakenSlug(input.slug, () =>
    change(context, principal, userId, async (trx) => {
      const creator = await findUser(trx, userId)
      if (creator === undefined) throw notFound()
      const team: Scheduler = {
        bio: '',
        avatarUrl: '',
        timeZone: creator.timeZone,
        locale: creator.locale,
        germanAddress: creator.germanAddress,
        theme: 'auto',
        ...input,
        branding: { primaryColor: '#2563eb', logoUrl: '', ...input.branding },
        id: newId(),
        kind: 'team',
      }
      checkPage(team)
      await replaceImages(trx, team.id, undefined, team)
      if (await isSlugTaken(trx, team.slug)) throw slugTaken(team.slug)
      await insertScheduler(trx, { ...team, email: null, createdAt: context.now() })
      await updateTeamRules(trx, team.id, { membersSeeAll })
      await insertTeamMember(trx, { teamId: team.id, userId, role: 'owner' }, context.now())
      const changes = [...Object.keys(input), ...(membersSeeAll ? ['membersSeeAll'] : [])]
      const audit = { ...about(team.id), action: 'created', changes }
      return { result: { team, role: 'owner', membersSeeAll }, audit, affects: [team.id] }
    }),
  )
}

export async function changeTeam(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<Membership>,
  input: TeamChange,
): Promise<Membership> {
  return refuseTakenSlug(input.slug, () =>
    change(context, principal, getId(id), async (trx) => {
      const before = await getTeam(trx, principal, id)
      await requireRole(trx, principal, id, 'admin')
      expect(before)
      const { membersSeeAll = before.membersSeeAll, ...page } = input
      await updateTeamRules(trx, id, { membersSeeAll })
      const changes = [
        ...(await changePage(trx, before.team, page)),
        ...changedFields({ membersSeeAll: before.membersSeeAll }, { membersSeeAll }),
      ]
      const audit = { ...about(id), action: 'updated', changes }
      return { result: await getTeam(trx, principal, id), audit, affects: [id] }
    }),
  )
}

/** Deletes a team, with its event types and forms. Refused if it was ever booked, or money is on its way. */
export async function removeTeam(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<Membership>,
): Promise<void> {
  await change(context, principal, getId(id), async (trx) => {
    const team = await getTeam(trx, principal, id)
    await requireRole(trx, principal, id, 'owner')
    expect(team)
    const bookings = await countTeamBookings(trx, id)
    if (bookings > 0) {
      throw new Problem(
        'in_use',
        bookings === 1
          ? sentence`This team has 1 booking, which would be lost. Hide its event types instead.`
          : sentence`This team has ${bookings} bookings, which would be lost. Hide its event types instead.`,
      )
    }
    const account = await findPaymentAccountOf(trx, id)
    // Its bookings may be gone already, for their age.
    if (account !== undefined && (await hasPaymentsUnderWay(trx, account.id))) throw paymentsUnderWay()
    await deleteTeam(trx, id)
    if (account !== undefined && account.hookId !== '') {
      const { id: accountId, sealedKey, hookId } = account
      const now = context.now()
      await insertJobs(trx, [hookRemovalJob({ accountId, sealedKey, hookId }, now)], now)
    }
    // The team is gone, so the audit entry goes to the user who deleted it.
    const audit = { ...about(id), schedulerId: principal.userId, action: 'deleted', changes: [] }
    return { result: undefined, audit, affects: [id] }
  })
  context.outbox.wake()
}

/** Turns a lost race for a slug into `slug_taken`. */
async function refuseTakenSlug<T>(slug: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (slug !== undefined && brokenConstraint(error) === 'unique') throw slugTaken(slug)
    throw error
  }
}

const about = (id: string) => ({ schedulerId: id, objectType: 'team', objectId: id })
