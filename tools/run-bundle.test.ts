import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bundleStaleServer } from './bundle.ts'
import { SERVER } from './stamps.mjs'

describe('running a bundle', () => {
  let root: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'punctual-run-bundle-'))
    for (const path of [SERVER.main, SERVER.bundle]) mkdirSync(dirname(join(root, path)), { recursive: true })
    cpSync(fileURLToPath(new URL('run-bundle.cjs', import.meta.url)), join(root, SERVER.main))
  })
  after(() => rmSync(root, { recursive: true }))

  const bundle = (firstLine: string, says: string) => {
    writeFileSync(
      join(root, SERVER.bundle),
      `// ${firstLine}\nconst say = () => console.log('${says}')\nsay()\n`,
    )
  }

  /** What a run prints: what the bundle says, and whether V8 has refused the compiled code, if it got any. */
  function run(more = ''): string[] {
    const code = `const { script, firstLine } = require(${JSON.stringify(join(root, SERVER.main))})
      console.log(script.cachedDataRejected)
      ${more}`
    const { stdout, stderr } = spawnSync(process.execPath, ['--eval', code], { encoding: 'utf8' })
    assert.equal(stderr, '')
    return stdout.trim().split('\n')
  }

  const keep = () =>
    run(`const compiled = Buffer.concat([Buffer.from(firstLine), script.createCachedData()])
      require('node:fs').writeFileSync(${JSON.stringify(join(root, SERVER.compiled))}, compiled)`)

  it('is of ASCII characters alone, as it is read', async () => {
    await bundleStaleServer()
    const bytes = readFileSync(new URL(`../${SERVER.bundle}`, import.meta.url))
    assert.ok(bytes.every((byte) => byte < 0x80))
  })

  it('needs no compiled code', () => {
    bundle('first', 'one')
    assert.deepEqual(run(), ['one', 'undefined'])
  })

  it('takes what was compiled of it', () => {
    keep()
    assert.deepEqual(run(), ['one', 'false'])
  })

  it('does not take what was compiled of another one, as long as it is', () => {
    bundle('other', 'two')
    assert.deepEqual(run(), ['two', 'undefined'])
  })

  it('starts with compiled code that is broken', () => {
    writeFileSync(join(root, SERVER.compiled), '// other\nbroken')
    assert.deepEqual(run(), ['two', 'true'])
  })
})
