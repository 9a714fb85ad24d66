import { refuseBrokenFilters } from '../../../domain/forms/form-attributes.ts'
import {
  type Attribute,
  checkAttributes,
  type ImportedRow,
  planImport,
  refuseLostValues,
} from '../../../domain/people/attributes.ts'
import { Problem } from '../../../domain/problem.ts'
import { inTurn, sentence } from '../../../domain/sentence.ts'
import { readCsv } from '../../../format/text/csv.ts'
import type { Db } from '../../../store/engine/database.ts'
import { findFormsOf } from '../../../store/forms/forms.ts'
import {
  findAttributedMembers,
  findAttributes,
  updateAttributes,
  updateMemberAttributes,
} from '../../../store/people/attributes.ts'
import { change, recordAudit, type VersionOf } from '../../change.ts'
import type { Context } from '../../context.ts'
import { getId, requireRole } from '../access.ts'
import type { Principal } from '../sign-in/principal.ts'
import { getTeam } from './teams.ts'

/** What a team of the user records about its members. */
export async function getAttributes(db: Db, principal: Principal, teamId: string): Promise<Attribute[]> {
  const { team } = await getTeam(db, principal, teamId)
  return findAttributes(db, team.id)
}

/** Replaces a team's attributes. Refused if that would lose what is set for a member, or break a form. */
export async function replaceAttributes(
  context: Context,
  principal: Principal,
  { id: teamId, expect }: VersionOf<readonly Attribute[]>,
  given: readonly Attribute[],
): Promise<Attribute[]> {
  return change(context, principal, getId(teamId), async (trx) => {
    const before = await getAttributes(trx, principal, teamId)
    await requireRole(trx, principal, teamId, 'admin')
    expect(before)
    const after = checkAttributes(given)
    refuseLostValues(before, after, await findAttributedMembers(trx, teamId))
    refuseBrokenFilters(after, await findFormsOf(trx, teamId))
    await updateAttributes(trx, teamId, after)
    const audit = { ...about(teamId), action: 'updated', changes: ['attributes'] }
    return { result: after, audit, affects: [] }
  })
}

/** What a file changes about a team's members, or would change. */
export interface AttributeImport {
  readonly rows: readonly ImportedRow[]
  readonly saved: boolean
}

/**
 * Sets members' attributes from CSV: all rows or none. A dry run saves nothing and says what is wrong.
 *
 * `readFile` is called once it is clear that the user may do this.
 */
export async function importAttributes(
  context: Context,
  principal: Principal,
  teamId: string,
  { readFile, dryRun }: { readonly readFile: () => string; readonly dryRun: boolean },
): Promise<AttributeImport> {
  const plan = async (db: Db) => {
    const attributes = await getAttributes(db, principal, teamId)
    await requireRole(db, principal, teamId, 'admin')
    const members = await findAttributedMembers(db, teamId)
    return planImport(attributes, members, readCsv(readFile(), Math.max(MOST_ROWS, members.length)))
  }
  if (dryRun) return { rows: withFewProblems(await plan(context.db)), saved: false }
  return change(context, principal, getId(teamId), async (trx) => {
    const rows = await plan(trx)
    refuseProblems(rows)
    for (const { userId, changes, attributes } of rows) {
      if (userId === null || changes.length === 0) continue
      await updateMemberAttributes(trx, teamId, userId, attributes)
      const member = { schedulerId: teamId, objectType: 'team-member', objectId: userId }
      const audit = { ...member, action: 'updated', changes: ['attributes'] }
      await recordAudit(trx, principal, context.now(), audit)
    }
    const audit = { ...about(teamId), action: 'imported', changes: ['attributes'] }
    return { result: { rows, saved: true }, audit, affects: [] }
  })
}

/** Rows of a file, unless the team has more members: each row costs time while nobody else is served. */
const MOST_ROWS = 1000

/** Problems that a dry run lists. */
const MOST_LISTED = 50

function withFewProblems(rows: readonly ImportedRow[]): ImportedRow[] {
  let problems = 0
  return rows.filter(({ problem }) => problem === null || ++problems <= MOST_LISTED)
}

const MOST_PROBLEMS = 5

function refuseProblems(rows: readonly ImportedRow[]): void {
  const wrong = rows.filter(({ problem }) => problem !== null)
  if (wrong.length === 0) return
  const listed = wrong
    .slice(0, MOST_PROBLEMS)
    .flatMap(({ row, problem }) => (problem === null ? [] : [sentence`Row ${row}: ${problem}`]))
  const more = wrong.length - MOST_PROBLEMS
  if (more > 0) {
    listed.push(more === 1 ? sentence`1 more row is wrong.` : sentence`${more} more rows are wrong.`)
  }
  throw new Problem('invalid', inTurn([sentence`Nothing was saved.`, ...listed]))
}

const about = (teamId: string) => ({ schedulerId: teamId, objectType: 'team', objectId: teamId })
