import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const TOOLS = fileURLToPath(new URL('.', import.meta.url))

describe('the Node that scripts run with', () => {
  const roots: string[] = []
  after(() => {
    for (const root of roots) rmSync(root, { recursive: true })
  })

  /** A project where npm has installed this shell script as Node. */
  function projectWith(node: (root: string) => string): string {
    const root = mkdtempSync(join(tmpdir(), 'punctual-with-node-'))
    roots.push(root)
    cpSync(TOOLS, join(root, 'tools'), { recursive: true })
    const name = `node-${process.platform}-${process.arch}`
    const path = join(root, 'node_modules', name, 'bin', 'node')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `#!/bin/sh\n${node(root)}\n`)
    chmodSync(path, 0o755)
    mkdirSync(join(root, 'node_modules', '.bin'))
    symlinkSync(path, linkIn(root))
    return root
  }

  /** What npm finds first when a script says `node`. */
  const linkIn = (root: string) => join(root, 'node_modules', '.bin', 'node')

  function runIn(
    root: string,
    script: string,
    { options = [], env = {} }: { options?: string[]; env?: Record<string, string> } = {},
  ): { code: number | null; output: string } {
    writeFileSync(join(root, 'script.mjs'), script)
    const args = [join(root, 'tools', 'with-node.mjs'), ...options, join(root, 'script.mjs')]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    })
    return { code: status, output: (stdout + stderr).trim() }
  }

  it('is the one that started them if the one from npm does not run', () => {
    const root = projectWith(() => 'echo broken >&2; exit 1')
    assert.deepEqual(runIn(root, 'console.log(process.execPath)'), { code: 0, output: process.execPath })
  })

  it('runs the service in little memory, unless a user lets it have more', () => {
    const root = projectWith(() => `exec "${process.execPath}" "$@"`)
    const limitWith = (NODE_OPTIONS: string) => {
      const script = `
        import { getHeapStatistics } from 'node:v8'
        console.log(getHeapStatistics().heap_size_limit / 2 ** 20)`
      return Number(runIn(root, script, { options: ['--serve'], env: { NODE_OPTIONS } }).output)
    }
    const usual = limitWith('')
    assert.ok(usual >= 768 && usual < 1024, String(usual))
    const raised = limitWith('--max-old-space-size=3000')
    assert.ok(raised >= 3000, String(raised))
  })

  if (process.platform === 'linux') {
    it('gets a libatomic where the machine has none', () => {
      const folderIn = (root: string) => join(root, 'tools', 'libatomic', `linux-${process.arch}`)
      const root = projectWith(
        (root) => `
          case "$LD_LIBRARY_PATH" in
            "${folderIn(root)}"*) exec "${process.execPath}" "$@" ;;
          esac
          echo "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file" >&2
          exit 127`,
      )
      assert.deepEqual(runIn(root, USE_LIBATOMIC), {
        code: 0,
        output: join(folderIn(root), 'libatomic.so.1'),
      })
      assert.equal(existsSync(linkIn(root)), false, 'a script finds a Node that starts')
    })
  }
})

/** Instantiates WebAssembly, which is where Node.js calls libatomic, and prints the file it is from. */
const USE_LIBATOMIC = `
  import { readFileSync } from 'node:fs'
  const bytes = Uint8Array.from([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 5, 1, 1, 97, 0, 0, 10, 6, 1, 4, 0, 65, 42, 11,
  ])
  for (let i = 0; i < 50; i++) {
    const { instance } = await WebAssembly.instantiate(bytes)
    if (instance.exports.a() !== 42) throw new Error('a wrong answer')
  }
  console.log(/\\S+libatomic\\S+/.exec(readFileSync('/proc/self/maps', 'utf8'))?.[0])
`
