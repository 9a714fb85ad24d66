import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { untilEnded } from '../test/process-end.ts'
import { startPart } from './part-process.ts'
import type { Row } from './table.ts'

const ROW: Row = { what: 'a row', ours: '', baseline: '', value: 1 }

describe('a part of the benchmark', { timeout: 400_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-part-'))
  after(() => rmSync(folder, { recursive: true }))

  async function run(body: string, limitSeconds = 60): Promise<{ failure: string | undefined; rows: Row[] }> {
    const script = join(folder, 'part.mjs')
    writeFileSync(script, body)
    const rows: Row[] = []
    const failure = await startPart(script, [], limitSeconds, (row) => rows.push(row)).failure
    return { failure, rows }
  }
  const sendRow = `process.send({ row: ${JSON.stringify(ROW)} })`

  it('ends with its children when it passes its limit, and keeps the rows it has measured', async () => {
    const pidFile = join(folder, 'pid')
    const hanging = `
      import { spawn } from 'node:child_process'
      import { writeFileSync } from 'node:fs'
      ${sendRow}
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
      writeFileSync(${JSON.stringify(pidFile)}, String(child.pid))`
    // Long enough for a busy machine to send the row.
    assert.deepEqual(await run(hanging, 8), { failure: 'it passed its limit of 8 s', rows: [ROW] })
    await untilEnded(Number(readFileSync(pidFile, 'utf8')))
  })

  it('fails with the reason that it sends', async () => {
    const failing = `${sendRow}; process.send({ error: 'no browser' })`
    assert.deepEqual(await run(failing), { failure: 'no browser', rows: [ROW] })
  })

  it('fails when its process ends early', async () => {
    assert.deepEqual(await run(sendRow), { failure: 'its process ended early', rows: [ROW] })
    assert.deepEqual(await run(`${sendRow}; process.send({ done: true })`), {
      failure: undefined,
      rows: [ROW],
    })
  })
})
