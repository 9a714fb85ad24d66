import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build, type Plugin } from 'vite'
import { findFreePort } from './free-port.ts'
import { SERVE_FLAGS } from './serve-flags.mjs'
import { isFresh, SERVER, stampOf, writeStamp } from './stamps.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, dirname(SERVER.stamp))

const END_WITH_PARENT = new URL('end-with-parent.mjs', import.meta.url).href
const COMPILE_LIMIT = 30_000
/** What Node.js needs to start anywhere. */
const OF_THE_MACHINE = [
  'PATH',
  'LD_LIBRARY_PATH',
  'SystemRoot',
  'TEMP',
  'TMP',
  'TMPDIR',
  'NODE_COMPILE_CACHE',
]

/** They share modules, such as the classes of errors. */
const ENTRIES = { service: 'src/main.ts', postgres: 'src/store/engine/postgres/postgres.ts' }

/** Packages that few servers load, or only for some requests: they stay as they are. */
const LATER = ['@modelcontextprotocol/server', 'openid-client', 'pg', 'prom-client']

/**
 * Puts the 1,400 modules that a start loads into few files, which `npm start` runs instead of the sources: to find, read and
 * link modules is more than half of a start.
 *
 * Names stay as they are, so that a stack trace says where something failed.
 */
export async function bundleServer(): Promise<void> {
  // Taken first: a change during the build makes the result stale.
  const stamp = stampOf(root, SERVER)
  const { NODE_ENV } = process.env
  // Compiled code of the last bundle is of no use from here on.
  await rm(join(root, SERVER.compiled), { force: true })
  try {
    await build({
      configFile: false,
      root,
      logLevel: 'error',
      publicDir: false,
      plugins: [ofSources(), inAscii()],
      ssr: { noExternal: true, external: [...LATER], target: 'node' },
      build: {
        ssr: true,
        outDir: folder,
        // A service that still runs may need the files of the last bundle.
        emptyOutDir: false,
        target: 'esnext',
        minify: false,
        reportCompressedSize: false,
        rolldownOptions: {
          input: ENTRIES,
          output: {
            // To an ES module, Node.js exports every property of `http`, and so loads its client for `fetch`. With the one file
            // below, CommonJS takes 12 % less processor time until the first answer.
            format: 'cjs',
            // The sources are ES modules, which are always strict.
            strict: true,
            entryFileNames: '[name].cjs',
            chunkFileNames: '[name]-[hash].cjs',
            // A first line of its own, by which run-bundle.cjs knows its compiled code.
            banner: (chunk) => (chunk.name === 'service' ? `// ${randomUUID()}` : ''),
            // One file for all that a start loads: each set of modules that others share would become one, 130 in all.
            codeSplitting: { groups: [{ name: 'service', test: /src[\\/]main\.ts$/ }] },
          },
        },
      },
    })
  } finally {
    // Vite sets it to production, and the service started next would believe it.
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
  }
  await compileBundle()
  writeStamp(root, SERVER, stamp)
}

/** Keeps the code that V8 compiles of the bundle. Without it, the service only starts more slowly. */
async function compileBundle(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'punctual-bundle-'))
  try {
    const args = [...SERVE_FLAGS, '--import', END_WITH_PARENT, join(root, 'tools', 'compile-bundle.ts')]
    // Settings of the real service must not reach this one.
    const known = Object.entries(process.env).filter(([name]) => OF_THE_MACHINE.includes(name))
    const settings = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(await findFreePort()), DEMO: 'on' }
    const env = { ...Object.fromEntries(known), ...settings }
    await promisify(execFile)(process.execPath, args, { cwd: dataDir, env, timeout: COMPILE_LIMIT })
  } catch (error) {
    process.stderr.write(
      `The bundle starts more slowly, as its code could not be kept: ${(error as Error).message}\n`,
    )
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

/** Makes the bundle unless the last one was made from these sources. */
export async function bundleStaleServer(): Promise<void> {
  if (!isFresh(root, SERVER)) await bundleServer()
}

/** What is only needed for PostgreSQL is in a file of its own, and required as before. */
const REQUIRED = { source: "require('./postgres/postgres.ts')", bundled: "require('./postgres.cjs')" }

/** Lets a module find by its own address what it does not import: threads, texts, pages, packages that few servers need. */
function ofSources(): Plugin {
  return {
    name: 'of-sources',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(join(root, 'src') + sep) || !code.includes('import.meta.url')) return null
      if (code.includes(REQUIRED.source)) {
        return { code: code.replace(REQUIRED.source, REQUIRED.bundled), map: null }
      }
      const path = relative(folder, id).split(sep).join('/')
      return {
        code: code.replaceAll('import.meta.url', `new URL('${path}', import.meta.url).href`),
        map: null,
      }
    },
  }
}

/**
 * Writes all other characters as `\u2026`. V8 keeps a text that has any of them at two bytes a character, and a service has
 * two copies of the bundle: that took 13 MB.
 */
function inAscii(): Plugin {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return {
    name: 'in-ascii',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = file.code.replaceAll(/[\u0080-\uffff]/g, escaped)
      }
    },
  }
}

if (import.meta.main) await bundleServer()
