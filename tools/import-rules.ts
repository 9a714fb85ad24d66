import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blankLiterals, findAll, findImports, type Import, resolveImport } from './imports.ts'

interface Layer {
  /** A folder, ending in a slash, or one file. */
  readonly at: string
  /** What it may import besides itself; an empty text is everything. */
  readonly imports: readonly string[]
  /** What it may import with `import type` alone. */
  readonly types?: readonly string[]
  /** Neither packages nor Node's own modules. */
  readonly alone?: true
  /** No clock, no chance, no outside world: they come in as arguments. */
  readonly pure?: true
}

/** What every layer may import: rules, texts and formats. */
const GROUND = ['src/domain/', 'src/texts/', 'src/format/']

const LAYERS: readonly Layer[] = [
  // The pages run the domain in a browser, so it has no Node to import from.
  { at: 'src/domain/', imports: [], alone: true, pure: true },
  // Refusals name the fields that the format of event types has.
  { at: 'src/texts/', imports: ['src/domain/'], types: ['src/format/event-type-schema.ts'], pure: true },
  { at: 'src/format/', imports: ['src/domain/', 'src/texts/'], pure: true },
  { at: 'src/store/', imports: GROUND },
  { at: 'src/outside/', imports: GROUND },
  { at: 'src/services/', imports: [...GROUND, 'src/store/', 'src/outside/'] },
  { at: 'src/http/', imports: [...GROUND, 'src/services/', 'src/version.ts'], types: ['src/store/'] },
  { at: 'src/worker/', imports: [...GROUND, 'src/services/', 'src/outside/'], types: ['src/store/'] },
  // It asks the registry for the variables of all providers.
  { at: 'src/settings.ts', imports: [...GROUND, 'src/outside/registry.ts', 'src/outside/kinds/'] },
  {
    at: 'src/start.ts',
    imports: [...GROUND, 'src/store/', 'src/outside/', 'src/services/', 'src/settings.ts', 'src/version.ts'],
  },
  {
    at: 'src/cli/',
    imports: [
      ...GROUND,
      'src/store/',
      'src/outside/',
      'src/services/',
      'src/collect-garbage.ts',
      'src/settings.ts',
      'src/start.ts',
      'src/version.ts',
    ],
  },
  { at: 'src/version.ts', imports: [] },
  { at: 'src/stop.ts', imports: [] },
  { at: 'src/collect-garbage.ts', imports: [] },
  {
    at: 'src/metrics/',
    imports: [...GROUND, 'src/store/', 'src/outside/', 'src/services/', 'src/http/', 'src/version.ts'],
  },
  { at: 'src/cli.ts', imports: [''] },
  { at: 'src/main.ts', imports: [''] },
  { at: 'web/', imports: GROUND, types: ['src/http/'] },
  { at: 'embed/react/', imports: ['embed/load.ts'], types: ['embed/'] },
  { at: 'embed/', imports: [], alone: true },
  { at: 'client/', imports: [], alone: true },
]

/** The files directly in a layer's folder. */
const ROOT = ['']

/** The nouns, in the order in which a meeting comes about. */
const NOUNS = [
  ['people/'],
  ['payments/'],
  ['event-types/'],
  ['calendars/'],
  ['slots/'],
  ['forms/'],
  ['bookings/'],
  ['webhooks/', 'mail/'],
  ['messages/', 'push/'],
  ['workspace/'],
  ['imports/'],
]

/**
 * The modules of a layer, each a folder or one file. A module may import from the lines above its own; modules that share a
 * line don't know each other. Types count.
 */
const MODULES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'src/domain/': [ROOT, ...NOUNS],
  'src/format/': [['text/'], ROOT, ['icalendar/', 'refusals/']],
  'src/store/': [['engine/'], ROOT, ...NOUNS, ['completed-jobs.ts']],
  'src/outside/': [
    ROOT,
    ['network/'],
    ['mail/', 'webhooks/', 'push/', 'sign-on/', 'captcha/', 'accounts/', 'imports/', 'payments/'],
    ['kinds/', 'sms/'],
    ['calendars/', 'links/'],
    ['registry.ts'],
  ],
  // Slots first: the context that every service takes holds them.
  'src/services/': [['slots/'], ROOT, ...NOUNS],
  'src/http/': [
    ROOT,
    ['public/', 'operations/'],
    ['embed/', 'auth/', 'admin/'],
    ['docs/'],
    ['agents/', 'pages/', 'compat/'],
    ['app.ts'],
  ],
  'src/http/admin/': [ROOT, ...NOUNS, ['admin.ts']],
  // The preview shows the booking page.
  'web/': [
    ['styles/'],
    ['parts/'],
    ['booking/', 'ended-link/', 'forms/', 'manage/', 'profile/', 'dashboard/'],
    ['preview/'],
  ],
  'web/parts/': [ROOT, ['captcha/', 'fields/', 'time/'], ['meeting/']],
  // Messages first: event types, forms and bookings show theirs.
  'web/dashboard/': [['words.ts'], ['core/'], ['messages/'], ...NOUNS, ROOT],
}

/** Where a circle of imports between files is refused; types count. */
const WITHOUT_CIRCLES = ['src/', 'web/', 'client/', 'embed/', 'tools/']

/** Product files that a folder may have; more of them want folders by sub-noun. */
const MOST_FILES = 20

/** The one folder that knows which database is in use. */
const ENGINE = 'src/store/engine/'

/** The folders of kinds of calendars and meeting links: only the registry imports them. */
const KIND_FOLDER = /^src\/outside\/(?:calendars|links)\/([\w-]+)\//
const REGISTRY = 'src/outside/registry.ts'
/** Written once, they name the kinds that there were. */
const MIGRATIONS = 'src/store/engine/migrations.ts'
/** Says what another service calls them. */
const NAMES_ELSEWHERE = 'src/domain/imports/kinds.ts'

/** What breaks these rules today. A line that is no longer needed is a violation itself, so the list only shrinks. */
const EXCEPTIONS: readonly string[] = []

/** What pure code may not reach for. */
const IMPURE: readonly RegExp[] = [
  /\bDate\.now\b/g,
  /\bnew Date(?![\w$])(?!\s*\(\s*[^\s)])/g,
  /(?<!\bnew\s+)\bDate\(/g,
  /\bTemporal\.Now\b/g,
  /\bMath\.random\b/g,
  /\bprocess(?=\s*[.[])/g,
  /\bperformance(?=\s*[.[])/g,
  /\bcrypto(?=\s*[.[])/g,
  /\bglobalThis\b/g,
  /\b(?:fetch|setTimeout|setInterval|setImmediate)(?=\()/g,
]

/** A container that can be filled later; a table typed as `Readonly…` is not one. */
const CONTAINER = String.raw`\s*(?::(?!\s*(?:Readonly|readonly\b))[^=;]*)?=\s*(?:new\s+(?:\w*Array|(?:Weak)?(?:Map|Set)|WeakRef)\b|\[\s*\]|\{\s*\})`

/** State that a module would keep between calls: such caches are objects that the caller makes. */
const STATE: readonly RegExp[] = [
  /^(?:export\s+)?(?:let|var)\s+[^\s=:;]+/gm,
  new RegExp(String.raw`^(?:export\s+)?const\s+[\w$]+(?=${CONTAINER})`, 'gm'),
  new RegExp(String.raw`\bstatic\s+(?:readonly\s+)?#?[\w$]+(?=${CONTAINER})`, 'g'),
]

/** Names that say nothing, so that everything ends up in them. */
const ATTICS = new Set(['utils', 'helpers', 'common', 'index'])

const SOURCES = '{src,web,embed,client,test,tools,bench}/**/*.{ts,tsx,mts,mjs}'

export interface Violation {
  readonly file: string
  readonly line: number
  readonly rule: string
  /** How a line of the exceptions names it, where one may. */
  readonly exception?: string | undefined
}

/** Every place where the sources, as texts by path, break the rules. */
export function findViolations(
  sources: ReadonlyMap<string, string>,
  exceptions: readonly string[] = [],
): Violation[] {
  const violations: Violation[] = []
  const importsOf = new Map<string, Import[]>()
  const kindNames = new Set([...sources.keys()].flatMap((file) => KIND_FOLDER.exec(file)?.[1] ?? []))
  const kindLiteral = new RegExp(`'(?:${[...kindNames].join('|')})(?:-[\\w-]+)?'`, 'g')
  for (const [file, text] of [...sources].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const code = blankLiterals(text)
    const imports = findImports(text, code)
    importsOf.set(file, imports)
    const report = (line: number, rule: string, exception?: string) =>
      violations.push({ file, line, rule, exception })

    const attic = file.split('/').find((part) => ATTICS.has(part.replace(/\..*/, '')))
    if (attic) report(1, `"${attic}" names no idea: call it what it is about`)
    for (const { specifier, line } of imports) {
      if (isTest(specifier)) report(line, `imports ${specifier}: nothing imports a test`)
    }
    if (isTest(file)) continue

    if (file.startsWith('src/') && !isIn(file, ENGINE)) {
      for (const { line } of findAll(text, [/[!=]== '(?:postgres|sqlite)'/g])) {
        report(line, `asks which database it is: only ${ENGINE} does`)
      }
    }

    const mayNameKinds = file === MIGRATIONS || file === NAMES_ELSEWHERE || KIND_FOLDER.test(file)
    if (/^(?:src|web)\//.test(file) && !mayNameKinds) {
      for (const { match, line } of kindNames.size > 0 ? findAll(text, [kindLiteral]) : []) {
        report(line, `names the kind ${match}: only its folder does, and everyone else asks the registry`)
      }
      for (const { specifier, line } of file === REGISTRY ? [] : imports) {
        if (!specifier.startsWith('.') || !KIND_FOLDER.test(resolveImport(file, specifier))) continue
        report(line, `imports ${specifier}: only ${REGISTRY} knows the kinds`)
      }
    }

    if (file.startsWith('src/') && file !== 'src/settings.ts') {
      for (const { line } of findAll(code, [/\bprocess\.env\b/g])) {
        report(line, 'reads process.env: only src/settings.ts does')
      }
    }
    for (const found of imports) {
      if (!found.specifier.startsWith('.')) continue
      const target = resolveImport(file, found.specifier)
      const broken = brokenModule(file, target)
      if (broken) report(found.line, broken, `${file} → ${target}`)
    }
    const layer = LAYERS.find(({ at }) => isIn(file, at))
    if (layer === undefined) {
      if (file.startsWith('src/')) report(1, 'is in no layer: add it to the table in tools/import-rules.ts')
      continue
    }
    for (const [at, modules] of Object.entries(MODULES)) {
      if (isIn(file, at) && levelOf(file, at, modules) < 0)
        report(1, `is in no module of ${at}: add its folder to the table in tools/import-rules.ts`)
    }
    for (const found of imports) {
      const broken = brokenRule(file, layer, found)
      if (broken) report(found.line, broken)
    }
    if (layer.pure) {
      for (const { match, line } of findAll(code, IMPURE)) {
        report(line, `uses ${match}: ${layer.at} is pure, so it takes that as an argument`)
      }
      for (const { match, line } of findAll(code, STATE)) {
        report(
          line,
          `keeps state in "${match}": ${layer.at} is pure, so the caller makes it and passes it in`,
        )
      }
    }
  }
  const found = [...violations, ...findCycles(importsOf), ...findFullFolders([...sources.keys()])]
  const needed = new Set(found.map(({ exception }) => exception))
  return [
    ...found.filter(({ exception }) => exception === undefined || !exceptions.includes(exception)),
    ...exceptions
      .filter((exception) => !needed.has(exception))
      .map((exception) => ({
        file: 'tools/import-rules.ts',
        line: 1,
        rule: `remove the exception: ${exception}`,
      })),
  ].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
}

/** Which line of its layer's table a file is in, or -1. */
function levelOf(file: string, at: string, modules: readonly (readonly string[])[]): number {
  return modules.findIndex((line) => line.includes(moduleOf(file, at, modules) ?? '/'))
}

function moduleOf(file: string, at: string, modules: readonly (readonly string[])[]): string | undefined {
  const rest = file.slice(at.length)
  return (
    modules.flat().find((module) => module !== '' && isIn(rest, module)) ??
    (rest.includes('/') ? undefined : '')
  )
}

/** The rule that an import between two modules of one layer breaks. */
function brokenModule(file: string, target: string): string | undefined {
  for (const [at, modules] of Object.entries(MODULES)) {
    if (!isIn(file, at) || !isIn(target, at)) continue
    const [from, to] = [moduleOf(file, at, modules), moduleOf(target, at, modules)]
    if (from === to || from === undefined || to === undefined) continue
    if (levelOf(target, at, modules) < levelOf(file, at, modules)) continue
    return `imports ${target}: in ${at}, ${nameOf(from)} must not know ${nameOf(to)}`
  }
  return undefined
}

function nameOf(module: string): string {
  return module === '' ? 'a root file' : module
}

function brokenRule(file: string, layer: Layer, { specifier, typeOnly }: Import): string | undefined {
  if (!specifier.startsWith('.')) {
    if (!layer.alone || typeOnly) return undefined
    return `imports ${specifier}: ${layer.at} imports no package and no module of Node`
  }
  const target = resolveImport(file, specifier)
  if ([layer.at, ...layer.imports].some((place) => isIn(target, place))) return undefined
  if (layer.types?.some((place) => isIn(target, place))) {
    if (typeOnly) return undefined
    return `imports ${target}: ${layer.at} may only \`import type\` from there`
  }
  const allowed =
    layer.imports.length === 0 ? 'nothing of ours but itself' : `only ${layer.imports.join(', ')}`
  return `imports ${target}: ${layer.at} may import ${allowed}`
}

/** Files that import each other in a circle. Types count: who reads the one has to read the other. */
function findCycles(importsOf: ReadonlyMap<string, readonly Import[]>): Violation[] {
  const violations: Violation[] = []
  const finished = new Set<string>()
  const path: string[] = []

  const visit = (file: string) => {
    path.push(file)
    for (const { specifier, line } of importsOf.get(file) ?? []) {
      if (!specifier.startsWith('.')) continue
      const target = resolveImport(file, specifier)
      const from = path.indexOf(target)
      if (from >= 0) {
        violations.push({
          file,
          line,
          rule: `closes a circle: ${[...path.slice(from), target].join(' → ')}`,
          exception: `${file} → ${target}`,
        })
      } else if (!finished.has(target)) {
        visit(target)
      }
    }
    path.pop()
    finished.add(file)
  }
  for (const file of importsOf.keys()) {
    if (WITHOUT_CIRCLES.some((place) => file.startsWith(place)) && !finished.has(file)) visit(file)
  }
  return violations
}

/** Folders in which nobody finds anything any more. */
function findFullFolders(files: readonly string[]): Violation[] {
  const product = files.filter((file) => /^(?:src|web|embed)\//.test(file) && !isTest(file))
  return [...Map.groupBy(product, (file) => file.slice(0, file.lastIndexOf('/') + 1))]
    .filter(([, inside]) => inside.length > MOST_FILES)
    .map(([folder, { length }]) => ({
      file: folder,
      line: 1,
      rule: `has ${length} files, and at most ${MOST_FILES} are easy to survey: give some a folder of their own`,
    }))
}

function isIn(file: string, place: string): boolean {
  return file === place || ((place === '' || place.endsWith('/')) && file.startsWith(place))
}

function isTest(file: string): boolean {
  return /\.test\.m?tsx?$/.test(file)
}

/** Checks the files of this project; the lines it returns are for people. */
export async function checkImportRules(): Promise<string[]> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const sources = new Map<string, string>()
  for await (const path of glob(SOURCES, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })) {
    sources.set(path.replaceAll('\\', '/'), await readFile(join(root, path), 'utf8'))
  }
  return findViolations(sources, EXCEPTIONS).map(({ file, line, rule }) => `${file}:${line} ${rule}`)
}

if (import.meta.main) {
  const lines = await checkImportRules()
  for (const line of lines) console.error(line)
  if (lines.length > 0) process.exitCode = 1
}
