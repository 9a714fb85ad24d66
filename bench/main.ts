import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'
import type { Job, Outcome } from './load.ts'
import { makeBench, type Part } from './part.ts'
import { book, bookPostgres } from './parts/book.ts'
import { desk } from './parts/desk.ts'
import { engine } from './parts/engine.ts'
import { growth, growthPostgres } from './parts/growth.ts'
import { page } from './parts/page.ts'
import { slots } from './parts/slots.ts'
import { start } from './parts/start.ts'
import { formatTable, type Row } from './table.ts'

const USUAL: Readonly<Record<string, Part>> = {
  start,
  engine,
  slots,
  book,
  'book-postgres': bookPostgres,
  growth,
  desk,
  page,
}

/** Measured only when named. */
const ON_REQUEST: Readonly<Record<string, Part>> = { 'growth-postgres': growthPostgres }

const PARTS = { ...USUAL, ...ON_REQUEST }

/** Measures the parts that were named, or the usual ones; says whether every one of them could be measured. */
async function main(asked: readonly string[]): Promise<boolean> {
  const unknown = asked.filter((name) => PARTS[name] === undefined)
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}.`)
    return false
  }
  const root = mkdtempSync(join(tmpdir(), 'punctual-bench-'))
  process.on('exit', () => rmSync(root, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

  const rows: Row[] = []
  const failures: string[] = []
  const chosen = Object.entries(asked.length > 0 ? PARTS : USUAL)
  for (const [name, part] of chosen.filter(([name]) => asked.length === 0 || asked.includes(name))) {
    process.stderr.write(`measuring ${name} …\n`)
    // A new one for each part, so that none inherits another's heap.
    await using load = startChild<Job, Outcome>('load.ts')
    try {
      rows.push(...(await part(makeBench(root, load))))
    } catch (error) {
      failures.push(`${name} could not be measured: ${(error as Error).message}`)
    }
  }
  console.log(formatTable(rows))
  for (const failure of failures) console.error(failure)
  return failures.length === 0
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1
