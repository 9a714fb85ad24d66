import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readRelease } from '../../src/version.ts'
import { findFreePort } from '../server-process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MEGABYTE = 1024 * 1024
const run = promisify(execFile)

const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  readonly name: string
  readonly version: string
  readonly bin: { readonly punctual: string }
  readonly scripts: { readonly start: string }
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

/** All that may be in a package. */
const ALLOWED = [
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^dist\/(?:release\.json|(?:[a-z-]+\/)*[a-z-]+\.js)$/,
  /^web\/dist\/(?:stamp|manifest\.json|(?:assets|embed)\/[\w.-]+)$/,
  /^tools\/(?:punctual|(?:with-node|serve-flags|stamps|end-with-parent)\.mjs|libatomic\/linux-(?:x64|arm64)\/libatomic\.so\.1)$/,
]

describe('the package', { timeout: 500_000 }, () => {
  let scratch: string
  /** Where someone has installed it; otherwise empty. */
  let home: string
  let tarball: string
  let folder: string
  let files: string[]

  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'punctual-package-'))
    home = join(scratch, 'home')
    await run('npm', ['pack', '--pack-destination', scratch], { cwd: ROOT })
    tarball = join(scratch, `${manifest.name}-${manifest.version}.tgz`)
    folder = await install(tarball)
    files = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  })
  after(() => rm(scratch, { recursive: true }))

  /** As npm does, but with the dependencies that are here already: no registry is needed, and not a minute is spent. */
  async function install(file: string): Promise<string> {
    const modules = join(home, 'node_modules')
    const target = join(modules, manifest.name)
    await mkdir(target, { recursive: true })
    await run('tar', ['-xzf', file, '-C', target, '--strip-components=1'])
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      const installed = join(ROOT, 'node_modules', name)
      // npm leaves out the Node of other platforms.
      if (!existsSync(installed) && name in manifest.optionalDependencies) continue
      await mkdir(dirname(join(modules, name)), { recursive: true })
      await symlink(installed, join(modules, name))
    }
    await mkdir(join(modules, '.bin'))
    await symlink(join(target, manifest.bin.punctual), join(modules, '.bin', 'punctual'))
    // The Node of our dependencies, on a machine where only with-node.mjs can start it.
    await writeFile(join(modules, '.bin', 'node'), '#!/bin/sh\nexit 127\n', { mode: 0o755 })
    return target
  }

  /** The environment of a command that npx starts. */
  function environment(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
    const { LD_LIBRARY_PATH = '' } = process.env
    const path = [join(home, 'node_modules', '.bin'), dirname(process.execPath), '/usr/bin', '/bin']
    return { PATH: path.join(delimiter), LD_LIBRARY_PATH, npm_lifecycle_event: 'npx', ...settings }
  }

  const punctual = (...args: string[]) => run('punctual', args, { cwd: home, env: environment() })

  it('has at most 10 MB', async () => {
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size))
    const unpacked = sizes.reduce((sum, size) => sum + size, 0) / MEGABYTE
    const packed = (await stat(tarball)).size / MEGABYTE
    console.log(`Note: the package has ${packed.toFixed(1)} MB, unpacked ${unpacked.toFixed(1)} MB`)
    assert.ok(packed <= 10 && unpacked <= 10)
  })

  it('has the program, the pages and what starts them, and nothing else', async () => {
    assert.deepEqual(
      files.filter((file) => !ALLOWED.some((pattern) => pattern.test(file))),
      [],
    )
    const sources = (await readdir(join(ROOT, 'src'), { recursive: true })).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    )
    assert.deepEqual(
      files.filter((file) => /^dist\/.*\.js$/.test(file)).toSorted(),
      sources.map((file) => `dist/${file.replace(/\.ts$/, '.js')}`).toSorted(),
    )
    for (const file of ['web/dist/manifest.json', 'web/dist/embed/embed.js', 'CHANGELOG.md', 'LICENSE']) {
      assert.ok(files.includes(file), file)
    }
  })

  it('has programs that find each other, line for line as in the sources', async () => {
    for (const file of files.filter((name) => /^dist\/.*\.js$/.test(name))) {
      const code = await readFile(join(folder, file), 'utf8')
      for (const [, path = ''] of code.matchAll(/['"](\.{1,2}\/[^'"\n]+\.[jt]s)['"]/g)) {
        assert.ok(existsSync(join(folder, dirname(file), path)), `${file} names ${path}`)
      }
      const source = join(ROOT, file.replace(/^dist/, 'src').replace(/\.js$/, '.ts'))
      const lines = (await readFile(source, 'utf8')).split('\n').length
      assert.equal(code.split('\n').length, lines, file)
    }
  })

  it('starts in an empty folder, keeps its data there, shows its pages and takes a booking', async () => {
    const port = await findFreePort()
    const child = spawn('punctual', {
      cwd: home,
      env: environment({ PORT: String(port), HOST: '127.0.0.1' }),
    })
    const exited = once(child, 'exit')
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    const url = `http://127.0.0.1:${port}`
    try {
      const ended = exited.then(() => assert.fail(`It ended at once: ${output}`))
      await Promise.race([untilListening(() => output, child.stdout), ended])
      ended.catch(() => {})
      const health = await fetch(`${url}/healthz`)
      assert.deepEqual(await health.json(), { status: 'ok', ...readRelease() })

      const page = await fetch(`${url}/demo/intro`)
      assert.equal(page.status, 200)
      const script = /"(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? ''
      assert.equal((await fetch(`${url}${script}`)).status, 200)

      const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
      const api = `${url}/api/public/scheduling/demo/intro`
      const listing = await fetch(`${api}/slots?dateFrom=${day(1)}&dateTo=${day(14)}&timezone=UTC`)
      const days = (await listing.json()) as { slots: { startTime: string; endTime: string }[] }[]
      const [slot] = days.flatMap(({ slots }) => slots)
      const guest = { inviteeName: 'Ada', inviteeEmail: 'ada@example.org', inviteeTimezone: 'UTC' }
      const booked = await fetch(`${api}/book`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...slot, ...guest }),
      })
      assert.equal(booked.status, 201)
    } finally {
      child.kill('SIGTERM')
    }
    assert.deepEqual(await exited, [0, null])
    assert.deepEqual((await readdir(home)).toSorted(), ['data', 'node_modules'])
    assert.ok((await readdir(join(home, 'data'))).includes('punctual.sqlite'))
  })

  it('has a command line', async () => {
    const { version, commit } = readRelease()
    assert.equal((await punctual('--version')).stdout.trim(), `${version} ${commit}`.trim())
    await punctual('user', 'create', '--email', 'owner@example.com', '--name', 'Two Words')
    assert.match((await punctual('user', 'list', '--json')).stdout, /"Two Words"/)
    await assert.rejects(punctual('launch'), { code: 2, stderr: /no command "launch"/ })
  })

  it('runs with the same options as a clone', async () => {
    const launcher = await readFile(join(folder, manifest.bin.punctual), 'utf8')
    assert.match(manifest.scripts.start, / --serve src\/main\.ts$/)
    assert.match(launcher, /^ *set -- --serve "\$root\/dist\/main\.js"$/m)
  })
})

async function untilListening(output: () => string, stdout: NodeJS.ReadableStream): Promise<void> {
  while (!output().includes('Punctual is listening')) await once(stdout, 'data')
}
