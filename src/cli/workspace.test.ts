import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Instance, run, startInstance } from '../../test/command-line.ts'
import { addEventType, addUser } from '../../test/kit.ts'
import { rowsOf } from '../../test/rows.ts'
import type { EngineName } from '../store/engine/engine.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  const other: EngineName = engine === 'sqlite' ? 'postgres' : 'sqlite'

  describe(`the command line’s workspaces on ${engine}`, () => {
    let here: Instance
    before(async () => {
      here = await startInstance(engine)
      await here.do('migrate')
    })
    after(() => here?.end())

    it('carries a workspace to another instance, once, and again under other slugs', async () => {
      const target = await startInstance(other)
      try {
        await addEventType(here.db(), await addUser(here.db(), 'fay'), { slug: 'intro' })
        const file = join(here.folder, 'fay.json')
        assert.equal(await here.do('export', '--user', 'fay', file), '')
        assert.equal((await stat(file)).mode & 0o777, 0o600)
        const printed = await here.do('export', '--user', 'fay', '--with-bookings', '-')
        assert.equal(JSON.parse(printed).users[0].slug, 'fay')
        assert.match(await here.refused('export', '--team', 'fay', '-'), /no team "fay"/)

        const [line = ''] = (await target.do('import', file)).split('\n')
        assert.deepEqual(line.split('\t').slice(1), ['user', 'fay'])
        assert.match(await target.refused('import', file), /Taken here already: fay\/intro\./)
        await target.do('import', '--rename', file)
        const { event_types = [] } = await rowsOf(target.db())
        assert.deepEqual(event_types.map(({ slug }) => slug).sort(), ['intro', 'intro-2'])

        const again = await run(['import', '--rename', '-'], target.env, printed)
        assert.deepEqual([again.code, again.stderr], [0, ''])
        const wrong = await run(['import', '-'], target.env, '{}')
        assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
        assert.match(wrong.stderr, /^The file is not an exported workspace of Punctual\.\n$/)
        assert.match(await target.refused('import', join(target.folder, 'none.json')), /ENOENT/)
      } finally {
        await target.end()
      }
    })
  })
}
