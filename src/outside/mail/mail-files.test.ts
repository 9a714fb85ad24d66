import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileMailer } from './mail.ts'
import { deleteMailFiles } from './mail-files.ts'

describe('deleteMailFiles', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'punctual-mail-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('deletes what the mailer wrote before an instant, and nothing else', async () => {
    const at = 1_800_000_000_000
    const [older, newer] = [`${at - 1}-${randomUUID()}.eml`, `${at}-${randomUUID()}.eml`]
    const others = ['notes.eml', `${at - 1}.eml`, `x${at - 1}-${randomUUID()}.eml`]
    for (const name of [older, newer, ...others]) await writeFile(join(folder, name), '')
    await deleteMailFiles(folder, at)
    assert.deepEqual((await readdir(folder)).sort(), [newer, ...others].sort())
  })

  it('recognises the mailer’s file names', async () => {
    let written = ''
    const send = fileMailer(folder, 'Punctual <punctual@example.com>', (_mail, path) => {
      written = basename(path)
    })
    await send({ to: 'ada@hosts.example', subject: 'Hello', text: '', html: '' })
    assert.ok((await readdir(folder)).includes(written))
    await deleteMailFiles(folder, Date.now() + 1)
    assert.ok(!(await readdir(folder)).includes(written))
  })

  it('works without the folder', async () => {
    await deleteMailFiles(join(folder, 'nothing'), Date.now())
  })
})
