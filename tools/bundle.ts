import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { isFresh, SERVER, stampOf, writeStamp } from './stamps.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, dirname(SERVER.stamp))

/** They share modules, such as the classes of errors. */
const ENTRIES = { main: 'src/main.ts', postgres: 'src/store/engine/postgres/postgres.ts' }

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
  try {
    await build({
      configFile: false,
      root,
      logLevel: 'error',
      publicDir: false,
      plugins: [ofSources()],
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
  writeStamp(root, SERVER, stamp)
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

if (import.meta.main) await bundleServer()
