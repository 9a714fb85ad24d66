import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, mock } from 'node:test'
import { startSmtpSink } from '../test/smtp-sink.ts'
import { signInMail } from './services/people/sign-in/sign-in-mail.ts'
import { readSettings } from './settings.ts'
import { openService } from './start.ts'

describe('the mail of a service', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'punctual-start-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const signIn = signInMail('ada@hosts.example', 'https://book.example.com/app/sign-in#token=abc', 'en')

  it('leaves no connection behind when the service is closed', async () => {
    const sink = await startSmtpSink()
    const { context, close } = await openService(readSettings({ DATA_DIR: folder, SMTP_URL: sink.url }))
    await context.mailer(signIn)
    assert.deepEqual(sink.connections(), { made: 1, open: 1 })
    await close()
    await sink.quiet()
    await sink.close()
  })

  it('is files without a server: the console has a sign-in link whole, and a line for each other mail', async () => {
    const { context, close } = await openService(readSettings({ DATA_DIR: folder }))
    const printed: string[] = []
    const write = mock.method(process.stdout, 'write', (text: unknown) => printed.push(String(text)) > 0)
    try {
      await context.mailer(signIn)
      await context.mailer({ ...signIn, to: 'grace@guests.example', messageId: '<a@book.example>' })
    } finally {
      write.mock.restore()
    }
    await close()
    const [link, line] = printed.filter((text) => text.startsWith('Mail to '))
    assert.match(link ?? '', /^Mail to ada@hosts\.example: .*\n {2}https:\S+#token=abc\n {2}\S+\.eml\n$/)
    assert.match(line ?? '', /^Mail to grace@guests\.example: [^\n]*\.eml\)\n$/)
    assert.doesNotMatch(line ?? '', /token/)
    assert.equal((await readdir(join(folder, 'mail'))).length, 2)
  })

  it('prints neither a sign-in link nor an address on a public server', async () => {
    for (const environment of [{ NODE_ENV: 'production' }, { PUBLIC_URL: 'https://book.example.com' }]) {
      const { context, close } = await openService(readSettings({ DATA_DIR: folder, ...environment }))
      const printed: string[] = []
      const write = mock.method(process.stdout, 'write', (text: unknown) => printed.push(String(text)) > 0)
      try {
        await context.mailer(signIn)
      } finally {
        write.mock.restore()
      }
      await close()
      assert.match(printed.join(''), /^Mail saved: \S+\.eml\n$/)
      assert.doesNotMatch(printed.join(''), /token|ada@/)
    }
  })
})
