import type { Actor } from '../../../domain/people/audit.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import type { Role } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { english } from '../../../domain/sentence.ts'
import type { Db, Trx } from '../../../store/engine/database.ts'
import { replaceInvitation } from '../../../store/people/invitations.ts'
import { findRole } from '../../../store/people/members.ts'
import { findSchedulerBySlug } from '../../../store/people/schedulers.ts'
import { findUserByEmail, findUsers } from '../../../store/people/users.ts'
import { recordAudit } from '../../change.ts'
import type { Context } from '../../context.ts'
import { readEmail } from '../sign-in/sign-in.ts'
import { newInvitation, newToken } from './invitations.ts'

/** The invited address, and the team if there is one. */
interface Invited {
  readonly email: string
  readonly team: Scheduler | undefined
  /** Of the link to send; empty: they have an account. */
  readonly token: string
}

/** Invites an address to a team or to this instance, for the command line. Sends no mail. */
export async function invite(
  context: Context,
  actor: Actor,
  given: { readonly email: string; readonly teamSlug?: string; readonly role?: Role },
): Promise<Invited> {
  const email = readEmail(given.email)
  return context.db.transaction().execute(async (trx) => {
    const team = given.teamSlug === undefined ? undefined : await getTeam(trx, given.teamSlug)
    await refuseKnown(trx, email, team)
    const token = (await findUserByEmail(trx, email)) === undefined ? newToken(context) : ''
    const invitation = newInvitation(context, actor, {
      email,
      teamId: team?.id ?? null,
      role: given.role ?? 'member',
      token,
    })
    await replaceInvitation(trx, invitation)
    for (const schedulerId of team ? [team.id] : await findAdmins(trx)) {
      const audit = { schedulerId, objectType: 'invitation', objectId: invitation.id }
      await recordAudit(trx, actor, context.now(), {
        ...audit,
        action: 'created',
        changes: ['email', 'role'],
      })
    }
    return { email, team, token }
  })
}

async function getTeam(db: Db, slug: string): Promise<Scheduler> {
  const team = await findSchedulerBySlug(db, slug)
  if (team?.kind !== 'team') throw new Problem('not_found', english`There is no team "${slug}".`)
  return team
}

async function refuseKnown(trx: Trx, email: string, team: Scheduler | undefined): Promise<void> {
  const user = await findUserByEmail(trx, email)
  if (user === undefined) return
  if (team === undefined) throw new Problem('in_use', english`${email} already has an account.`)
  if ((await findRole(trx, team.id, user.id)) !== undefined) {
    throw new Problem('in_use', english`${email} is already a member of ${team.slug}.`)
  }
}

/** Instance admins: invitations to the instance are recorded for them. */
async function findAdmins(db: Db): Promise<string[]> {
  return (await findUsers(db)).filter(({ admin }) => admin).map(({ id }) => id)
}
