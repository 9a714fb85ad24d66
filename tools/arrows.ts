import { glob, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Floor {
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

/** What every floor stands on: the rules, and how things are written down. */
const GROUND = ['src/domain/', 'src/format/']

const FLOORS: readonly Floor[] = [
  // The pages run the domain in a browser, so it has no Node to import from.
  { at: 'src/domain/', imports: [], alone: true, pure: true },
  { at: 'src/format/', imports: ['src/domain/'], pure: true },
  { at: 'src/store/', imports: GROUND },
  { at: 'src/outside/', imports: GROUND },
  { at: 'src/services/', imports: [...GROUND, 'src/store/', 'src/outside/'] },
  { at: 'src/http/', imports: [...GROUND, 'src/services/'], types: ['src/store/'] },
  { at: 'src/worker/', imports: [...GROUND, 'src/services/', 'src/outside/'], types: ['src/store/'] },
  { at: 'src/settings.ts', imports: ['src/domain/'] },
  {
    at: 'src/start.ts',
    imports: [...GROUND, 'src/store/', 'src/outside/', 'src/services/', 'src/settings.ts'],
  },
  {
    at: 'src/cli/',
    imports: [...GROUND, 'src/store/', 'src/outside/', 'src/services/', 'src/settings.ts', 'src/start.ts'],
  },
  { at: 'src/cli.ts', imports: [''] },
  { at: 'src/main.ts', imports: [''] },
  { at: 'web/', imports: GROUND, types: ['src/http/'] },
  { at: 'embed/react/', imports: ['embed/load.ts'], types: ['embed/'] },
  { at: 'embed/', imports: [], alone: true },
  { at: 'client/', imports: [], alone: true },
]

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

/** Names that say nothing, so that everything ends up in them. */
const ATTICS = new Set(['utils', 'helpers', 'common', 'index'])

const SOURCES = '{src,web,embed,client,test,tools,bench}/**/*.{ts,tsx,mts,mjs}'

export interface Violation {
  readonly file: string
  readonly line: number
  readonly rule: string
}

interface Import {
  readonly specifier: string
  readonly line: number
  readonly typeOnly: boolean
}

/** Every place where the sources, as texts by path, break the order of the house. */
export function findViolations(sources: ReadonlyMap<string, string>): Violation[] {
  const violations: Violation[] = []
  const importsOf = new Map<string, Import[]>()
  for (const [file, text] of sources) {
    const code = blankLiterals(text)
    const imports = findImports(text, code)
    importsOf.set(file, imports)
    const report = (line: number, rule: string) => violations.push({ file, line, rule })

    const attic = file.split('/').find((part) => ATTICS.has(part.replace(/\..*/, '')))
    if (attic) report(1, `"${attic}" names no idea: call it what it is about`)
    for (const { specifier, line } of imports) {
      if (isTest(specifier)) report(line, `imports ${specifier}: nothing imports a test`)
    }
    if (isTest(file)) continue

    if (file.startsWith('src/') && file !== 'src/settings.ts') {
      for (const { line } of findAll(code, [/\bprocess\.env\b/g])) {
        report(line, 'reads process.env: only src/settings.ts does')
      }
    }
    const floor = FLOORS.find(({ at }) => isIn(file, at))
    if (floor === undefined) {
      if (file.startsWith('src/')) report(1, 'stands on no floor: add it to the table in tools/arrows.ts')
      continue
    }
    for (const found of imports) {
      const broken = brokenRule(file, floor, found)
      if (broken) report(found.line, broken)
    }
    if (floor.pure) {
      for (const { match, line } of findAll(code, IMPURE)) {
        report(line, `uses ${match}: ${floor.at} is pure, so it takes that as an argument`)
      }
    }
  }
  return [...violations, ...findCycles(importsOf)].sort(
    (a, b) => a.file.localeCompare(b.file) || a.line - b.line,
  )
}

function brokenRule(file: string, floor: Floor, { specifier, typeOnly }: Import): string | undefined {
  if (!specifier.startsWith('.')) {
    if (!floor.alone || typeOnly) return undefined
    return `imports ${specifier}: ${floor.at} imports no package and no module of Node`
  }
  const target = resolveImport(file, specifier)
  if ([floor.at, ...floor.imports].some((place) => isIn(target, place))) return undefined
  if (floor.types?.some((place) => isIn(target, place))) {
    if (typeOnly) return undefined
    return `imports ${target}: ${floor.at} may only \`import type\` from there`
  }
  const allowed =
    floor.imports.length === 0 ? 'nothing of ours but itself' : `only ${floor.imports.join(', ')}`
  return `imports ${target}: ${floor.at} may import ${allowed}`
}

/** Import cycles inside src/. Types vanish before the code runs, so they close no circle. */
function findCycles(importsOf: ReadonlyMap<string, readonly Import[]>): Violation[] {
  const violations: Violation[] = []
  const finished = new Set<string>()
  const path: string[] = []

  const visit = (file: string) => {
    path.push(file)
    for (const { specifier, line, typeOnly } of importsOf.get(file) ?? []) {
      if (typeOnly || !specifier.startsWith('.')) continue
      const target = resolveImport(file, specifier)
      const from = path.indexOf(target)
      if (from >= 0) {
        violations.push({ file, line, rule: `closes a circle: ${[...path.slice(from), target].join(' → ')}` })
      } else if (!finished.has(target)) {
        visit(target)
      }
    }
    path.pop()
    finished.add(file)
  }
  for (const file of importsOf.keys()) {
    if (file.startsWith('src/') && !finished.has(file)) visit(file)
  }
  return violations
}

const LITERALS = new RegExp(
  [
    /\/\/[^\n]*/, // comments
    /\/\*[\s\S]*?\*\//,
    /'(?:\\.|[^'\\\n])*'/, // texts
    /"(?:\\.|[^"\\\n])*"/,
    /`(?:\\[\s\S]|\$\{(?:[^{}`]|\{[^{}]*\}|`[^`]*`)*\}|[^`\\])*`/,
    // A slash begins an expression only where a value may stand; elsewhere it divides.
    /(?<=(?:^|[=(,:;!&|?{}[\n]|=>|\breturn)[ \t]*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//,
  ]
    .map((literal) => literal.source)
    .join('|'),
  'g',
)

/** Blanks comments and texts, keeping every character's place, so that only code is left to search. */
function blankLiterals(text: string): string {
  return text.replace(LITERALS, (literal) => {
    const quote = literal[0]
    if (quote === '`') {
      return literal.replace(/\$\{([\s\S]*?)\}|[^\n]/g, (_, code) =>
        code === undefined ? ' ' : `  ${code} `,
      )
    }
    const blank = literal.replace(/[^\n]/g, ' ')
    return quote === "'" || quote === '"' ? quote + blank.slice(1, -1) + quote : blank
  })
}

/** An import with names counts as type-only by its first word: `import { type X }` still loads the file. */
const IMPORTS =
  /(?<![.\w$])(?:(?:import|export)\s+(?<type>type\s+)?[\w$*{},\s]+?\bfrom\s*|import\s*\(?\s*)(?=(?<quote>['"]))/g

function findImports(text: string, code: string): Import[] {
  return [...code.matchAll(IMPORTS)].map((match) => {
    const start = match.index + match[0].length + 1
    const specifier = text.slice(start, text.indexOf(match.groups?.quote ?? '', start))
    return { specifier, line: lineAt(text, start), typeOnly: match.groups?.type !== undefined }
  })
}

function findAll(code: string, patterns: readonly RegExp[]): { match: string; line: number }[] {
  return patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)]
      .filter(({ index }) => code[index - 1] !== '.')
      .map((found) => ({ match: found[0], line: lineAt(code, found.index) })),
  )
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function resolveImport(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier)
}

function isIn(file: string, place: string): boolean {
  return file === place || ((place === '' || place.endsWith('/')) && file.startsWith(place))
}

function isTest(file: string): boolean {
  return /\.test\.m?tsx?$/.test(file)
}

/** Checks the files of this project; the lines it returns are for people. */
export async function checkArrows(): Promise<string[]> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const sources = new Map<string, string>()
  for await (const path of glob(SOURCES, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })) {
    sources.set(path.replaceAll('\\', '/'), await readFile(join(root, path), 'utf8'))
  }
  return findViolations(sources).map(({ file, line, rule }) => `${file}:${line} ${rule}`)
}

if (import.meta.main) {
  const lines = await checkArrows()
  for (const line of lines) console.error(line)
  if (lines.length > 0) process.exitCode = 1
}
