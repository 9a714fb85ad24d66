import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Wording } from '../../domain/languages.ts'

/** A page as Vite built it. */
export interface BuiltPage {
  /** Its first lines, which are inlined: they load the script after the first paint. */
  readonly starter: Starter
  /** The entry script; `imports` are its modules, which are loaded together with it. */
  readonly script: string
  readonly imports: readonly string[]
  readonly css: string
}

export interface Starter {
  readonly text: string
  /** For the Content-Security-Policy, which allows no other inline script. */
  readonly hash: string
}

export interface Asset {
  readonly type: string
  readonly plain: Buffer
  readonly gzip: Buffer | undefined
  readonly brotli: Buffer | undefined
}

/** The output of `npm run build`. */
export interface BuiltPages {
  /** Undefined when the pages are not built. */
  page(name: string, wording: Wording): BuiltPage | undefined
  asset(name: string): Asset | undefined
  /** A file that other sites load. */
  embedFile(name: string): Asset | undefined
  /** The service worker of the dashboard. */
  worker(): Asset | undefined
}

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

type Manifest = Readonly<Record<string, Chunk>>

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
}

export function openBuiltPages(folder: string): BuiltPages {
  const assets = new Map<string, Asset | undefined>()
  const pages = new Map<string, BuiltPage>()
  const manifestPath = join(folder, 'manifest.json')
  let manifest: Manifest | undefined
  let readAt: number | undefined

  /** The current manifest: in development, it changes while the server runs. */
  const present = (): Manifest | undefined => {
    const changedAt = statSync(manifestPath, { throwIfNoEntry: false })?.mtimeMs
    if (changedAt !== readAt) {
      manifest = changedAt === undefined ? undefined : JSON.parse(readFileSync(manifestPath, 'utf8'))
      readAt = changedAt
      assets.clear()
      pages.clear()
    }
    return manifest
  }

  const asset = (name: string): Asset | undefined => {
    present()
    if (!assets.has(name)) assets.set(name, readAsset(join(folder, 'assets'), name))
    return assets.get(name)
  }

  return {
    page(name, wording) {
      const chunks = present()
      const key = `${name} ${wording}`
      const made = pages.get(key) ?? (chunks && assemble(folder, chunks, name, wording))
      if (made !== undefined) pages.set(key, made)
      return made
    },
    asset,
    worker() {
      const { file } = present()?.['dashboard/worker.ts'] ?? {}
      return file === undefined ? undefined : asset(basename(file))
    },
    embedFile: (name) => {
      present()
      // Names of assets have no slash, so this key is free.
      const key = `embed/${name}`
      if (!assets.has(key)) assets.set(key, readAsset(join(folder, 'embed'), name))
      return assets.get(key)
    },
  }
}

function assemble(folder: string, chunks: Manifest, name: string, wording: Wording): BuiltPage | undefined {
  const entry = chunks[`${name}/main.tsx`]
  const starter = chunks['parts/after-first-paint.ts']
  if (entry === undefined || starter === undefined) return undefined
  const files = new Set<string>()
  const css = new Set<string>()
  /** A chunk and everything it imports, each once. */
  const gather = (key: string): string[] => {
    const chunk = chunks[key]
    if (chunk === undefined || files.has(chunk.file)) return []
    files.add(chunk.file)
    for (const file of chunk.css ?? []) css.add(file)
    return [chunk.file, ...(chunk.imports ?? []).flatMap(gather)]
  }
  const [script = entry.file, ...imports] = [
    `${name}/main.tsx`,
    // German that says du adds to the German that says Sie.
    ...(wording === 'de-du' ? textsOf(name, 'de') : []),
    ...textsOf(name, wording),
  ].flatMap(gather)
  return {
    starter: readStarter(join(folder, starter.file)),
    script,
    imports,
    css: [...css].map((file) => readFileSync(join(folder, file), 'utf8')).join('\n'),
  }
}

const textsOf = (name: string, wording: Wording) =>
  ['guest-pages', ...(name === 'dashboard' ? ['dashboard'] : [])].map(
    (file) => `../src/texts/${wording}/${file}.ts`,
  )

function readStarter(path: string): Starter {
  const text = readFileSync(path, 'utf8').trim()
  return { text, hash: `sha256-${createHash('sha256').update(text).digest('base64')}` }
}

function readAsset(folder: string, name: string): Asset | undefined {
  const type = TYPES[/^[\w-]+(?:\.[\w-]+)*\.(\w+)$/.exec(name)?.[1] ?? '']
  const read = (suffix: string) => {
    try {
      return readFileSync(join(folder, `${name}${suffix}`))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }
  const plain = type === undefined ? undefined : read('')
  if (type === undefined || plain === undefined) return undefined
  return { type, plain, gzip: read('.gz'), brotli: read('.br') }
}
