import { readFileSync } from 'node:fs'

export interface Instruction {
  readonly name: string
  readonly args: string
}

/** One `FROM` and what follows it. */
export interface Stage {
  readonly base: string
  readonly name: string
  readonly steps: readonly Instruction[]
}

/** Reads a Dockerfile; understands as much of the format as ours uses, and throws at anything else. */
export function readDockerfile(path: string): Stage[] {
  const stages: { base: string; name: string; steps: Instruction[] }[] = []
  for (const { name, args } of readInstructions(readFileSync(path, 'utf8'))) {
    if (name === 'FROM') {
      const [, base = '', alias = String(stages.length)] =
        /^(?:--platform=\$BUILDPLATFORM )?(\S+)(?: AS (\S+))?$/.exec(args) ?? []
      if (base === '') throw new Error(`This FROM is not understood: ${args}`)
      stages.push({ base, name: alias, steps: [] })
    } else {
      stages.at(-1)?.steps.push({ name, args })
    }
  }
  return stages
}

function readInstructions(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => !/^\s*#/.test(line))
  const joined = lines.join('\n').replaceAll(/\\\n\s*/g, '')
  return joined
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, args] = /^([A-Z]+) (.*)$/.exec(line) ?? []
      if (name === undefined || args === undefined) throw new Error(`This is no instruction: ${line}`)
      return { name, args }
    })
}

/** The variables of an `ENV`; a value with spaces is quoted. */
export function readEnv(args: string): Record<string, string> {
  const pairs = args.matchAll(/(\w+)=(?:"([^"]*)"|(\S*))/g)
  return Object.fromEntries([...pairs].map(([, name, quoted, plain]) => [name, quoted ?? plain]))
}

/** Says of a path whether `.dockerignore` keeps it out: the last rule that fits it or a folder above it decides. */
export function readIgnore(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: toRegExp(line.replace(/^!/, '')) }))
  return (path) => {
    const parts = path.split('/')
    const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
    const last = rules.findLast(({ pattern }) => prefixes.some((prefix) => pattern.test(prefix)))
    return last !== undefined && !last.keeps
  }
}

function toRegExp(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*\*\/|\*|[.+^${}()|[\]\\]/g, (found) =>
    found === '**/' ? '(?:.*/)?' : found === '*' ? '[^/]*' : `\\${found}`,
  )
  return new RegExp(`^${source}$`)
}
