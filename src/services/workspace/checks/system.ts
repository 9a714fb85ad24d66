import { JOB_KINDS, type JobKind } from '../../../domain/job.ts'
import type { Sentence } from '../../../domain/sentence.ts'
import { type EngineName, engine, type PoolUsage } from '../../../store/engine/engine.ts'
import { findMigrations } from '../../../store/engine/migrate.ts'
import { findFailedJobs } from '../../../store/outbox.ts'
import { countFailedDeliveries, findFailedDeliveries } from '../../../store/webhooks/deliveries.ts'
import { COUNTED_AT_MOST, sampleWork } from '../../../store/work-sample.ts'
import type { Context } from '../../context.ts'
import { isId, notFound, requireInstanceAdmin } from '../../people/access.ts'
import type { Principal } from '../../people/sign-in/principal.ts'
import { retryJob, retryJobs } from '../../retry-jobs.ts'
import { retryDeliveries, retryDelivery } from '../../webhooks/deliveries.ts'
import { readBackups } from '../backup/scheduled-backup.ts'
import type { Finding } from './check-surroundings.ts'
import { type DiskUsage, readDiskUsage } from './disk-usage.ts'
import { examine } from './examine.ts'
import { withoutPeople } from './without-people.ts'

/** What admins of the instance are told about it. Nothing in it says who a guest is. */
export interface System {
  readonly version: string
  /** Empty where nothing tells it. */
  readonly commit: string
  readonly node: string
  readonly startedAt: number
  readonly database: {
    readonly engine: EngineName
    /** Such as `PostgreSQL 18.4`. */
    readonly version: string
    readonly sizeBytes: number
    /** The newest one that has run. */
    readonly migration: string
    readonly connections: PoolUsage | null
  }
  readonly queue: readonly QueuedKind[]
  readonly failing: readonly Failing[]
  readonly backups: BackupState | null
  readonly storage: DiskUsage & { readonly folder: string }
}

/** The jobs of one kind. Counting stops at 10,000. */
export interface QueuedKind {
  readonly kind: JobKind
  /** Due, and not yet started. */
  readonly waiting: number
  readonly running: number
  /** Due later. */
  readonly scheduled: number
  /** Failed, and retried by itself. */
  readonly failing: number
  readonly givenUp: number
  /** Since when the oldest one has been due. */
  readonly oldestDueAt: number | null
}

/** Something that could not be sent or done. */
export interface Failing {
  /** Of a job, or of a delivery to a webhook. */
  readonly id: string
  readonly kind: JobKind
  readonly attempts: number
  /** Why, without addresses. */
  readonly error: Sentence
  readonly createdAt: number
  /** When it is retried; null: it was given up. */
  readonly nextAttemptAt: number | null
}

/** Null where a folder can't be read. */
export interface BackupState {
  readonly every: number
  readonly keep: number
  readonly folder: string
  readonly lastAt: number | null
  readonly nextAt: number
  readonly files: number | null
  readonly bytes: number | null
  readonly freeBytes: number | null
}

/** How many failures are listed; the counts tell of the others. */
const LISTED = 50

/** The state of this instance, its database and its queue. Asks no other server. */
export async function getSystem(context: Context, principal: Principal): Promise<System> {
  requireInstanceAdmin(principal)
  const { db, surroundings } = context
  const now = context.now()
  // One after the other: nobody waits for this, and others need the connections.
  const { jobs, backedUpAt } = await sampleWork(db, now)
  const undelivered = await countFailedDeliveries(db, COUNTED_AT_MOST)
  const facts = await engine(db).readServerFacts(db)
  return {
    version: surroundings.version,
    commit: surroundings.commit,
    node: process.versions.node,
    startedAt: Math.round(performance.timeOrigin),
    database: {
      engine: engine(db).name,
      version: facts.version,
      sizeBytes: await engine(db).readSize(db),
      migration: (await findMigrations(db)).at(-1) ?? '',
      connections: engine(db).poolUsage?.() ?? null,
    },
    queue: JOB_KINDS.map((kind) => {
      const job = jobs.get(kind)
      const { due = 0, running = 0, scheduled = 0, failing = 0, dead = 0, oldestDueAt = null } = job ?? {}
      // A delivery that failed for good has no job left.
      const givenUp = kind === 'webhook' ? dead + undelivered : dead
      return { kind, waiting: due - running, running, scheduled, failing, givenUp, oldestDueAt }
    }),
    failing: await listFailing(context),
    backups: await readBackupState(context, backedUpAt),
    storage: { folder: surroundings.dataDir, ...(await readDiskUsage(surroundings.dataDir)) },
  }
}

async function listFailing({ db }: Context): Promise<Failing[]> {
  const jobs = await findFailedJobs(db, LISTED)
  const deliveries = await findFailedDeliveries(db, LISTED)
  const failing = [
    ...jobs.map((job) => ({ ...job, id: String(job.id) })),
    ...deliveries.map((one) => ({ ...one, kind: 'webhook' as const, nextAttemptAt: null })),
  ]
  return failing
    .sort((a, b) => b.createdAt - a.createdAt)
    .slice(0, LISTED)
    .map((one) => ({ ...one, error: withoutPeople(one.error) }))
}

async function readBackupState({ surroundings, now }: Context, lastAt: number): Promise<BackupState | null> {
  const { backupEvery: every, backupKeep: keep, backupDir: folder } = surroundings
  if (every === 0) return null
  const { files, bytes } = await readBackups(folder).catch(() => ({ files: null, bytes: null }))
  const { freeBytes } = await readDiskUsage(folder)
  const [last, next] = lastAt === 0 ? [null, now()] : [lastAt, lastAt + every]
  return { every, keep, folder, lastAt: last, nextAt: next, files, bytes, freeBytes }
}

/** Examines the instance as `punctual doctor` does. Asks other servers, so callers limit it. */
export async function checkSystem(context: Context, principal: Principal): Promise<Finding[]> {
  requireInstanceAdmin(principal)
  return examine(context.surroundings, context, 1)
}

const JOB_ID = /^[1-9]\d{0,14}$/

/** Tries once more now, whether it was given up or would be retried later. Returns 1. */
export async function retryFailing(context: Context, principal: Principal, id: string): Promise<number> {
  requireInstanceAdmin(principal)
  if (JOB_ID.test(id)) return retryJob(context, Number(id))
  if (!isId(id) || !(await retryDelivery(context, id))) throw notFound()
  return 1
}

/** The same for everything of a kind. Returns how many. */
export async function retryAllFailing(
  context: Context,
  principal: Principal,
  kind: JobKind,
): Promise<number> {
  requireInstanceAdmin(principal)
  const jobs = await retryJobs(context, kind)
  return kind === 'webhook' ? jobs + (await retryDeliveries(context)) : jobs
}
