import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { DAY, MINUTE } from '../../src/domain/interval.ts'
import { type Instance, startInstance } from '../command-line.ts'
import { type ServerProcess, startServer } from '../server-process.ts'

describe('a SQLite database that a server uses', () => {
  let here: Instance
  let server: ServerProcess
  before(async () => {
    here = await startInstance('sqlite')
    server = await startServer({ environment: here.env })
  })
  after(async () => {
    server?.send('SIGTERM')
    await server?.exited
    await here?.end()
  })

  it('is refused to a second server, in one line and with exit code 1', async () => {
    await assert.rejects(
      startServer({ environment: here.env }),
      /^Error: The server did not start \(exit 1\):\nPunctual could not start: Another Punctual process uses [^\n]+ Stop it first, [^\n]+\n$/,
    )
  })

  it('can be used on the command line, but not restored', async () => {
    const file = join(here.folder, 'backup.jsonl.gz')
    await here.do('user', 'create', '--email', 'ada@hosts.example')
    const [findings, refusal] = await Promise.all([
      here.do('doctor'),
      here.refused('restore', file),
      here.do('token', 'create', '--email', 'ada@hosts.example'),
      here.do('backup', file),
    ])
    assert.match(findings, /^ok +Database/m)
    assert.match(refusal, /^Another Punctual process uses .+ Stop it first/)
  })

  it('is free as soon as that server is killed, with all its jobs', async () => {
    server.send('SIGKILL')
    await server.exited
    const now = Date.now()
    const job = { kind: 'reminder', lane: null, data: '{}', due_at: now + DAY, created_at: now } as const
    await here
      .db()
      .insertInto('outbox')
      .values({ ...job, leased_until: now + MINUTE })
      .execute()
    server = await startServer({ environment: here.env })
    const [left] = await here.db().selectFrom('outbox').select('leased_until').execute()
    assert.equal(left?.leased_until, null)
  })
})
