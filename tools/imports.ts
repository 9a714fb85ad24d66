import { posix } from 'node:path'

export interface Import {
  readonly specifier: string
  readonly line: number
  readonly typeOnly: boolean
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
export function blankLiterals(text: string): string {
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

export function findImports(text: string, code: string): Import[] {
  return [...code.matchAll(IMPORTS)].map((match) => {
    const start = match.index + match[0].length + 1
    const specifier = text.slice(start, text.indexOf(match.groups?.quote ?? '', start))
    return { specifier, line: lineAt(text, start), typeOnly: match.groups?.type !== undefined }
  })
}

export function findAll(code: string, patterns: readonly RegExp[]): { match: string; line: number }[] {
  return patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)]
      .filter(({ index }) => code[index - 1] !== '.')
      .map((found) => ({ match: found[0], line: lineAt(code, found.index) })),
  )
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

export function resolveImport(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier)
}
