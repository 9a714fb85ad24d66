import type { PageRequest } from '../../../domain/cursor.ts'
import type { Actor } from '../../../domain/people/audit.ts'
import type { Scheduler } from '../../../domain/people/scheduler.ts'
import { type Role, reaches } from '../../../domain/people/user.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { newId } from '../../../store/new-id.ts'
import {
  deleteInvitation,
  findInvitations,
  findInvitationsTo,
  type Invitation,
  replaceInvitation,
  takeInvitationsTo,
} from '../../../store/people/invitations.ts'
import { findRole } from '../../../store/people/members.ts'
import { findScheduler } from '../../../store/people/schedulers.ts'
import type { Membership } from '../../../store/people/teams.ts'
import { findUser, findUserByEmail } from '../../../store/people/users.ts'
import { createRateLimit } from '../../../store/rate-limits.ts'
import { change } from '../../change.ts'
import type { Context } from '../../context.ts'
import { hashSecret, newSecret } from '../../secret.ts'
import { getId, notFound, readIdPage, requireInstanceAdmin, requireRole } from '../access.ts'
import type { Principal } from '../sign-in/principal.ts'
import { linkTo, readEmail } from '../sign-in/sign-in.ts'
import { invitationMail } from './invitation-mail.ts'
import { isToTeam, joinTeam } from './join-team.ts'
import { getTeam } from './teams.ts'

const INVITATION_LASTS = 14 * 24 * 3_600_000

/** Invitations mail any address, so these limits keep them from being used for spam. */
export const invitationLimits = ({ db }: Context) => ({
  perUser: createRateLimit(db, 'invite', 60, 3600),
  perEmail: createRateLimit(db, 'invite-email', 5, 24 * 3600),
})

/** Open invitations to a team. They name outsiders, so only those who may invite see them. */
export async function listInvitations(
  context: Context,
  principal: Principal,
  teamId: string,
  page: PageRequest,
): Promise<Invitation[]> {
  const { team } = await getTeam(context.db, principal, teamId)
  await requireRole(context.db, principal, team.id, 'admin')
  return findInvitations(context.db, team.id, context.now(), readIdPage(page))
}

/** Invites an address to a team, with at most the inviter's own role. A newer invitation replaces an older one. */
export async function inviteToTeam(
  context: Context,
  principal: Principal,
  teamId: string,
  given: { readonly email: string; readonly role: Role },
): Promise<Invitation> {
  const email = readEmail(given.email)
  const { invitation, team, token } = await change(context, principal, getId(teamId), async (trx) => {
    const { team, role } = await getTeam(trx, principal, teamId)
    await requireRole(trx, principal, teamId, 'admin')
    if (!reaches(role, given.role)) {
      const reason =
        given.role === 'owner'
          ? sentence`Only an owner can invite an owner.`
          : sentence`Only an admin can invite an admin.`
      throw new Problem('forbidden', reason, { field: 'role' })
    }
    const user = await findUserByEmail(trx, email)
    if (user !== undefined && (await findRole(trx, teamId, user.id)) !== undefined) {
      throw new Problem('in_use', sentence`${email} is already a member of the team.`, { field: 'email' })
    }
    const token = user === undefined ? newToken(context) : ''
    const invitation = newInvitation(context, principal, { email, teamId, role: given.role, token })
    await replaceInvitation(trx, invitation)
    const audit = { ...about(invitation, teamId), action: 'created', changes: ['email', 'role'] }
    return { result: { invitation, team, token }, audit, affects: [] }
  })
  await mailInvitation(context, principal, { email, token, team })
  return invitation
}

export async function withdrawInvitation(
  context: Context,
  principal: Principal,
  teamId: string,
  id: string,
): Promise<void> {
  await change(context, principal, getId(teamId), async (trx) => {
    await getTeam(trx, principal, teamId)
    await requireRole(trx, principal, teamId, 'admin')
    if (!(await deleteInvitation(trx, getId(id), teamId))) throw notFound()
    return {
      result: undefined,
      audit: { ...about({ id }, teamId), action: 'deleted', changes: [] },
      affects: [],
    }
  })
}

/** Open invitations to sign up, for instance admins. */
export async function listInstanceInvitations(
  context: Context,
  principal: Principal,
  page: PageRequest,
): Promise<Invitation[]> {
  requireInstanceAdmin(principal)
  return findInvitations(context.db, null, context.now(), readIdPage(page))
}

/** Lets an address sign up in any sign-up mode. */
export async function inviteToInstance(
  context: Context,
  principal: Principal,
  given: string,
): Promise<Invitation> {
  requireInstanceAdmin(principal)
  const email = readEmail(given)
  const token = newToken(context)
  const invitation = await change(context, principal, principal.userId, async (trx) => {
    if ((await findUserByEmail(trx, email)) !== undefined) {
      throw new Problem('in_use', sentence`${email} already has an account.`, { field: 'email' })
    }
    const invitation = newInvitation(context, principal, { email, teamId: null, role: 'member', token })
    await replaceInvitation(trx, invitation)
    const audit = { ...about(invitation, principal.userId), action: 'created', changes: ['email'] }
    return { result: invitation, audit, affects: [] }
  })
  await mailInvitation(context, principal, { email, token })
  return invitation
}

export async function withdrawInstanceInvitation(
  context: Context,
  principal: Principal,
  id: string,
): Promise<void> {
  requireInstanceAdmin(principal)
  const { userId } = principal
  await change(context, principal, userId, async (trx) => {
    if (!(await deleteInvitation(trx, getId(id), null))) throw notFound()
    return {
      result: undefined,
      audit: { ...about({ id }, userId), action: 'deleted', changes: [] },
      affects: [],
    }
  })
}

/** An invitation as the invited person sees it. */
export interface MyInvitation {
  readonly invitation: Invitation
  readonly team: Scheduler
}

/** Invitations of the user to teams. */
export async function listMyInvitations(
  context: Context,
  principal: Principal,
  page: PageRequest,
): Promise<MyInvitation[]> {
  const after = page.cursor === undefined ? '' : getId(page.cursor)
  const open = await findInvitationsTo(context.db, principal.email, context.now())
  const rest = open.filter(isToTeam).filter(({ id }) => id > after)
  const mine: MyInvitation[] = []
  for (const invitation of rest.slice(0, page.limit)) {
    const team = await findScheduler(context.db, invitation.teamId)
    if (team !== undefined) mine.push({ invitation, team })
  }
  return mine
}

/** Joins the team. Only a user with the invited email address can. */
export async function acceptInvitation(
  context: Context,
  principal: Principal,
  id: string,
): Promise<Membership> {
  const { teamId } = await getMine(context, principal, id)
  return change(context, principal, teamId, async (trx) => {
    const now = context.now()
    const taken = (await takeInvitationsTo(trx, principal.email, now, id)).find(isToTeam)
    if (taken === undefined) throw notFound()
    const audit = await joinTeam(trx, principal.userId, taken, now)
    return { result: await getTeam(trx, principal, teamId), audit, affects: [] }
  })
}

/** Declines an invitation. */
export async function declineInvitation(context: Context, principal: Principal, id: string): Promise<void> {
  const { teamId } = await getMine(context, principal, id)
  await change(context, principal, teamId, async (trx) => {
    const [taken] = await takeInvitationsTo(trx, principal.email, context.now(), id)
    if (taken === undefined) throw notFound()
    const audit = { ...about(taken, teamId), action: 'declined', changes: [] }
    return { result: undefined, audit, affects: [] }
  })
}

async function getMine(context: Context, principal: Principal, id: string) {
  const open = await findInvitationsTo(context.db, principal.email, context.now())
  const mine = open.filter(isToTeam).find((invitation) => invitation.id === id)
  if (mine === undefined) throw notFound()
  return mine
}

/** The token of the link in the mail; empty: none. */
interface LinkToken {
  readonly token: string
}

export function newInvitation(
  context: Context,
  actor: Actor,
  { email, teamId, role, token }: Pick<Invitation, 'email' | 'teamId' | 'role'> & LinkToken,
): Invitation {
  const now = context.now()
  return {
    id: newId(),
    email,
    teamId,
    role,
    invitedBy: actor.userId,
    tokenHash: token === '' ? null : hashSecret(token),
    createdAt: now,
    expiresAt: now + INVITATION_LASTS,
  }
}

/** The token of a new invitation's link; empty where single sign-on is the only way in. */
export const newToken = ({ singleSignOn }: Context) => (singleSignOn?.only ? '' : newSecret())

/**
 * The link creates the account of someone who has none. For anyone else it only leads to the sign-in page: it lasts for
 * days, and emails get forwarded.
 */
export const invitationLink = (context: Context, token: string) =>
  token === '' ? `${context.publicUrl}/app/sign-in` : linkTo(context, token)

async function mailInvitation(
  context: Context,
  principal: Principal,
  { email, token, team }: LinkToken & { readonly email: string; readonly team?: Scheduler },
): Promise<void> {
  const inviter = await findUser(context.db, principal.userId)
  const invited = await findUserByEmail(context.db, email)
  const link = invitationLink(context, token)
  const mail = invitationMail(email, {
    inviter: inviter?.name ?? principal.email,
    link,
    signsIn: token !== '',
    // Someone without an account hardly speaks another language than who invites them.
    locale: (invited ?? inviter)?.locale ?? 'en',
    ...(team && { team: team.name }),
  })
  context.inBackground(() => context.mailer(mail))
}

const about = ({ id }: Pick<Invitation, 'id'>, schedulerId: string) => ({
  schedulerId,
  objectType: 'invitation',
  objectId: id,
})
