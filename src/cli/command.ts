import { parseArgs } from 'node:util'
import type { Settings } from '../settings.ts'

/** A command of the command line. Its help is made from this, too. */
export interface Command {
  /** One or two words. */
  readonly name: string
  readonly about: string
  readonly options: Readonly<Record<string, Option>>
  readonly operand?: { readonly name: string; readonly about: string; readonly optional?: true }
  /** Returns the exit code; nothing means 0. */
  readonly run: (given: Given, terminal: Terminal) => Promise<void> | Promise<number>
  /** The exit code for wrong arguments, where 2 means something else. */
  readonly usageCode?: 1
}

interface Option {
  readonly about: string
  /** What its value is called in the help; an option without one is a flag. */
  readonly value?: string
  readonly required?: true
  readonly multiple?: true
  readonly oneOf?: readonly string[]
}

/** What a command gets besides its arguments. */
interface Terminal {
  readonly settings: Settings
  /** Prints a line; the reader may be a script. */
  readonly print: (line: string) => void
  /** Tells whoever waits; it is no part of what the command prints. */
  readonly complain: (line: string) => void
}

/** Wrong arguments: exit code 2, unless the command says otherwise. */
export class UsageError extends Error {}

/** The checked arguments of a command. */
export class Given {
  readonly operand: string
  readonly #values: Readonly<Record<string, unknown>>

  constructor(values: Readonly<Record<string, unknown>>, operand: string) {
    this.#values = values
    this.operand = operand
  }

  /** The value of an option that is required. */
  get(option: string): string {
    return this.#values[option] as string
  }

  find(option: string): string | undefined {
    return this.#values[option] as string | undefined
  }

  list(option: string): readonly string[] {
    return (this.#values[option] as string[] | undefined) ?? []
  }

  has(option: string): boolean {
    return this.#values[option] === true
  }
}

/** Reads a command's arguments; undefined when they ask for help. Throws `UsageError`. */
export function readArguments(command: Command, args: readonly string[]): Given | undefined {
  const { values, positionals } = parse(command, args)
  if (values.help === true) return undefined
  for (const [name, option] of Object.entries(command.options)) {
    const given = [values[name] ?? []].flat()
    if (option.required && given.length === 0) throw new UsageError(`--${name} is missing`)
    for (const value of given) {
      if (value === '') throw new UsageError(`--${name} is empty`)
      if (option.oneOf && !option.oneOf.includes(String(value))) {
        throw new UsageError(`--${name} must be one of ${option.oneOf.join(', ')}`)
      }
    }
  }
  const wanted = command.operand === undefined ? 0 : 1
  const needed = command.operand?.optional ? 0 : wanted
  if (positionals.length < needed) throw new UsageError(`${command.operand?.name} is missing`)
  if (positionals.length > wanted) throw new UsageError(`"${positionals[wanted]}" is an unexpected argument`)
  return new Given(values, positionals[0] ?? '')
}

function parse(
  command: Command,
  args: readonly string[],
): { values: Record<string, unknown>; positionals: string[] } {
  const options = Object.entries(command.options).map(([name, { value, multiple = false }]) => {
    return [name, { type: value === undefined ? 'boolean' : 'string', multiple }] as const
  })
  try {
    return parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(options), help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\.\s|\n/)
    throw new UsageError(sentence.replace(/\.$/, ''))
  }
}

export function helpFor(command: Command): string {
  const { name, about, options, operand } = command
  const entries = [
    ...Object.entries(options).map(([key, option]) => [spell(key, option), describe(option)] as const),
    ...(operand ? [[operand.name, operand.about] as const] : []),
    ['--help', 'Show this help.'] as const,
  ]
  return `Usage: punctual ${usageOf(name, options, operand)}\n\n${about}\n\n${table(entries)}\n`
}

function usageOf(name: string, options: Command['options'], operand: Command['operand']): string {
  const parts = Object.entries(options).map(([key, option]) => {
    const text = `${spell(key, option)}${option.multiple ? ' …' : ''}`
    return option.required ? text : `[${text}]`
  })
  const last = operand?.optional ? `[${operand.name}]` : operand?.name
  return [name, ...parts, ...(last ? [last] : [])].join(' ')
}

const spell = (key: string, { value }: Option) => (value === undefined ? `--${key}` : `--${key} ${value}`)

const describe = ({ about, oneOf }: Option) => (oneOf ? `${about} One of ${oneOf.join(', ')}.` : about)

/** Help on several commands, one line each. */
export function overviewOf(commands: readonly Command[]): string {
  const list = table(
    commands.map(({ name, about, operand }) => [
      operand ? `${name} ${operand.optional ? `[${operand.name}]` : operand.name}` : name,
      about.split(/(?<=\.)\s/)[0] ?? '',
    ]),
  )
  return [
    'Usage: punctual COMMAND [options]',
    '',
    'In a clone, punctual is `npm run --silent punctual --`. As a package, punctual alone starts the service.',
    '',
    list,
    '',
    'punctual COMMAND --help explains a command, --version prints version and commit. The settings are the server’s (DATABASE_URL, DATA_DIR, …).',
    'Exit codes: 0 success, 1 failure, 2 wrong usage.',
    '',
  ].join('\n')
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
