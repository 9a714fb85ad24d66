import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BARE_ENVIRONMENT } from '../../test/bare-environment.ts'
import { asDump, seededSource } from '../../test/imports/seeded-source.ts'
import type { Bench, Part } from '../part.ts'
import { findPostgres, makeDatabase } from '../postgres.ts'
import type { Row } from '../table.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Fewer with `BENCH_BOOKINGS`, to see that it runs. */
const BOOKINGS = Number(process.env.BENCH_BOOKINGS ?? 100_000)
const LOOK_EVERY = 50

/** Reads, plans and applies a dump with 100,000 bookings, as the command line does. */
export const imports: Part = (bench) => moveIn(bench, 'SQLite', '')

/** Measured only when named, as `growth-postgres` is. */
export const importsPostgres: Part = async function* (bench) {
  await using server = await findPostgres()
  await using database = await makeDatabase(server.url, 'punctual_bench_imports')
  yield* moveIn(bench, 'PostgreSQL', database.url)
}

async function* moveIn(bench: Bench, engine: string, databaseUrl: string): AsyncIterable<Row> {
  const folder = bench.folder(`imports-${engine}`)
  const file = join(folder, 'dump.sql')
  writeFileSync(file, asDump(seededSource({ bookings: BOOKINGS, now: Date.now() }), { style: 'copy' }))
  const environment = { DATA_DIR: join(folder, 'data'), DATABASE_URL: databaseUrl }
  const count = BOOKINGS.toLocaleString('en')
  const planned = await measure(['import', 'calcom', '--dump', file], environment, 2)
  yield {
    what: `${count} bookings read and planned on ${engine}`,
    ours: `${planned.seconds.toFixed(1)} s`,
    baseline: `${planned.megabytes} MB at most`,
    value: planned.seconds,
    unit: 's',
    target: { atMost: 60 },
  }
  const applied = await measure(['import', 'calcom', '--dump', file, '--yes'], environment, 0)
  yield {
    what: `${count} bookings read, planned and applied on ${engine}`,
    ours: `${applied.seconds.toFixed(1)} s`,
    baseline: `${applied.megabytes} MB at most`,
    value: applied.seconds,
    unit: 's',
  }
}

interface Measured {
  readonly seconds: number
  /** The most that the process had at once. */
  readonly megabytes: number
}

async function measure(
  args: readonly string[],
  environment: Record<string, string>,
  expected: number,
): Promise<Measured> {
  const began = performance.now()
  const child = spawn(process.execPath, ['src/cli.ts', ...args], {
    cwd: ROOT,
    // As `npm run punctual` runs it.
    env: { ...BARE_ENVIRONMENT, MALLOC_ARENA_MAX: '1', ...environment },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  let megabytes = 0
  const timer = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child.pid))
  }, LOOK_EVERY)
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.on('exit', resolve)
  const code = await promise
  clearInterval(timer)
  if (code !== expected) throw new Error(`The import ended with ${code} instead of ${expected}`)
  return { seconds: (performance.now() - began) / 1000, megabytes }
}

/** As Linux tells it; 0 elsewhere, and when the process has just ended. */
function peakOf(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes) / 1024)
  } catch {
    return 0
  }
}
