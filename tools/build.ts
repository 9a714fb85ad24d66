import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig, type Plugin } from 'vite'
import { LANGUAGES } from '../src/domain/languages.ts'
import { PAGES, stampOf, writeStamp } from './stamps.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The languages of the pages, as the packages spell them. */
const SPOKEN = new RegExp(`^(?:${LANGUAGES.join('|')})-`)

/** How the pages are built: every `web/{page}/main.tsx` is one page; pages share chunks. */
export async function pagesConfig(): Promise<InlineConfig> {
  const pages = await Array.fromAsync(glob('web/*/main.tsx', { cwd: root }))
  return {
    configFile: false,
    root: join(root, 'web'),
    base: '/',
    publicDir: 'public',
    logLevel: 'warn',
    plugins: [spokenLanguagesOnly(), react()],
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      manifest: 'manifest.json',
      // Pictures in data: addresses would need a hole in the policy of the pages.
      assetsInlineLimit: 0,
      // The server writes these links into each page; a script that does so is not needed.
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: {
          'after-first-paint': join(root, 'web/parts/after-first-paint.ts'),
          'dashboard-worker': join(root, 'web/dashboard/worker.ts'),
          ...Object.fromEntries(
            pages.sort().map((page) => {
              const path = page.replaceAll('\\', '/')
              return [path.split('/')[1] as string, join(root, path)]
            }),
          ),
        },
        output: {
          // Every language has files of the same names.
          chunkFileNames: ({ facadeModuleId }) => {
            const language = /[/\\]src[/\\]texts[/\\]([\w-]+)[/\\]/.exec(facadeModuleId ?? '')?.[1]
            return `assets/${language === undefined ? '' : `${language}-`}[name]-[hash].js`
          },
        },
      },
    },
    worker: { format: 'es' },
  }
}

/** The scripts that other sites load: our own, and those in the words of Cal.com and of Calendly. */
const EMBED_SCRIPTS = ['embed.ts', 'calcom/embed.ts', 'calendly/widget.ts']

/** How they are built: each is one file, which is no module, so that any page can have it. */
export function embedConfigs(): InlineConfig[] {
  return EMBED_SCRIPTS.map((script) => ({
    configFile: false,
    root: join(root, 'embed'),
    // The style sheet that sites of Calendly load.
    publicDir: 'public',
    logLevel: 'warn',
    build: {
      outDir: join(root, 'web', 'dist', 'embed'),
      emptyOutDir: false,
      reportCompressedSize: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(root, 'embed', script),
        // A flat folder: `calcom/embed.ts` is `calcom-embed.js`.
        output: { format: 'iife', entryFileNames: script.replace('/', '-').replace('.ts', '.js') },
      },
    },
  }))
}

/** react-aria brings its words in thirty languages; those that the pages do not speak are left out. */
function spokenLanguagesOnly(): Plugin {
  return {
    name: 'spoken-languages-only',
    enforce: 'pre',
    load(id) {
      const language = /[/\\]intl[/\\].*?([a-z]{2}-[A-Z]{2})\.m?js$/.exec(id)?.[1]
      return language === undefined || SPOKEN.test(language) ? null : 'export default {}'
    },
  }
}

/** Builds the pages into web/dist, compressed for those who accept that, and notes from what. */
export async function buildPages(): Promise<void> {
  // Taken first: a change during the build makes the result stale.
  const stamp = stampOf(root, PAGES)
  const { NODE_ENV } = process.env
  try {
    await build(await pagesConfig())
    for (const config of embedConfigs()) await build(config)
  } finally {
    // Vite sets it to production, and the service started next would believe it.
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
  }
  await compress()
  writeStamp(root, PAGES, stamp)
}

/** All at once: zlib's threads share them, and use every core. */
async function compress(): Promise<void> {
  const files = await Array.fromAsync(glob('web/dist/{assets,embed}/*.{js,css,svg}', { cwd: root }))
  await Promise.all(
    files.map(async (file) => {
      const path = join(root, file)
      const content = await readFile(path)
      await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
      await writeFile(`${path}.br`, await promisify(brotliCompress)(content))
    }),
  )
}

if (import.meta.main) await buildPages()
