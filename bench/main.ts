import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleStaleServer } from '../tools/bundle.ts'
import { type PartProcess, startPart } from './part-process.ts'
import { PARTS } from './parts.ts'
import { formatRow, HEADING, isMissed, type Row } from './table.ts'

const SCRIPT = fileURLToPath(new URL('measure-part.ts', import.meta.url))

/** Measures the named parts, or the usual ones. Returns whether all of them could be measured. */
async function main(named: readonly string[]): Promise<boolean> {
  const unknown = named.filter((name) => PARTS[name] === undefined)
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}. The parts are ${Object.keys(PARTS).join(', ')}.`)
    return false
  }
  await bundleStaleServer()
  const root = mkdtempSync(join(tmpdir(), 'punctual-bench-'))
  let running: PartProcess | undefined
  process.on('exit', () => {
    running?.kill()
    rmSync(root, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

  const rows: Row[] = []
  const failures: string[] = []
  console.log(HEADING)
  for (const [name, { limitSeconds, onRequest }] of Object.entries(PARTS)) {
    if (named.length > 0 ? !named.includes(name) : onRequest) continue
    process.stderr.write(`measuring ${name} …\n`)
    const folder = join(root, name)
    running = startPart(SCRIPT, [name, folder], limitSeconds, (row) => {
      rows.push(row)
      console.log(formatRow(row))
    })
    const failure = await running.failure
    running = undefined
    rmSync(folder, { recursive: true, force: true })
    if (failure === undefined) continue
    failures.push(name)
    console.log(`${name} could not be measured: ${failure}`)
  }
  const missed = rows.filter(isMissed).length
  console.log(`\n${rows.length} measured, ${missed} missed, ${failures.length} failed`)
  return failures.length === 0
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1
