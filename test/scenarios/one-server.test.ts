import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
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

  it('can be used on the command line', async () => {
    await here.do('migrate')
    await here.do('user', 'create', '--email', 'ada@hosts.example', '--admin')
    assert.match(await here.do('user', 'list'), /ada@hosts\.example/)
    await here.do('token', 'create', '--email', 'ada@hosts.example')
    await here.do('login-link', '--email', 'ada@hosts.example')
    await here.do('outbox', 'list')
    await here.do('backup', join(here.folder, 'backup.jsonl.gz'))
    assert.match(await here.do('doctor'), /^ok +Database/m)
  })

  it('is not restored', async () => {
    const empty = await startInstance('sqlite')
    const other = await startServer({ environment: empty.env })
    try {
      const file = join(here.folder, 'for-restore.jsonl.gz')
      await here.do('backup', file)
      assert.match(await empty.refused('restore', file), /^Another Punctual process uses .+ Stop it first/)
      other.send('SIGTERM')
      await other.exited
      await empty.do('restore', file)
    } finally {
      other.send('SIGKILL')
      await empty.end()
    }
  })

  it('is free as soon as that server is killed', async () => {
    server.send('SIGKILL')
    await server.exited
    server = await startServer({ environment: here.env })
  })
})
