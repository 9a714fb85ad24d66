import { readSettings } from '../settings.ts'
import { readRelease } from '../version.ts'
import { type Command, helpFor, overviewOf, readArguments, UsageError } from './command.ts'
import { doctorCommands } from './doctor.ts'
import { importCommands } from './imports.ts'
import { linkCommands } from './links.ts'
import { outboxCommands } from './outbox.ts'
import { paymentCommands } from './payments.ts'
import { peopleCommands } from './people.ts'
import { storageCommands } from './storage.ts'
import { workspaceCommands } from './workspace.ts'

const COMMANDS: readonly Command[] = [
  ...storageCommands,
  ...peopleCommands,
  ...linkCommands,
  // Before `import`, which takes a file.
  ...importCommands,
  ...workspaceCommands,
  ...paymentCommands,
  ...outboxCommands,
  ...doctorCommands,
]

/** Where a command's lines go. */
interface Terminal {
  /** What it reads its settings from, instead of the environment of this process. */
  readonly environment?: Readonly<Record<string, string>>
  print(line: string): void
  complain(line: string): void
}

/** Runs the command that the arguments name, and returns the exit code. */
export async function runCommand(
  args: readonly string[],
  { environment, print, complain }: Terminal,
): Promise<number> {
  const fail = (reason: string, code: number) => {
    complain(reason.replaceAll(/\s*\n\s*/g, ' '))
    return code
  }
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, index) => args[index] === word))
  try {
    if (command === undefined) {
      print(args.length === 1 && args[0] === '--version' ? versionLine() : helpAbout(args))
      return 0
    }
    const given = readArguments(command, args.slice(command.name.split(' ').length))
    if (given !== undefined)
      return (await command.run(given, { settings: readSettings(environment), print, complain })) ?? 0
    print(helpFor(command).trimEnd())
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) return fail(reasonOf(error), 1)
    const help = command === undefined ? '--help' : `${command.name} --help`
    return fail(`${error.message}. See: punctual ${help}`, command?.usageCode ?? 2)
  }
}

/** The version, and the commit if it is known. */
function versionLine(): string {
  const { version, commit } = readRelease()
  return `${version} ${commit}`.trimEnd()
}

/** Help on all commands, or on those that start with the given word; throws if it was not asked for. */
function helpAbout(args: readonly string[]): string {
  const words = args.filter((arg) => !arg.startsWith('-'))
  const group = COMMANDS.filter(({ name }) => name.split(' ')[0] === words[0])
  if (args.some((arg) => arg === '--help' || arg === '-h') && (words.length === 0 || group.length > 0)) {
    return overviewOf(words.length === 0 ? COMMANDS : group).trimEnd()
  }
  if (words.length === 0) throw new UsageError('A command is missing')
  if (group.length === 0) throw new UsageError(`There is no command "${words[0]}"`)
  throw new UsageError(`${words[0]} needs one of ${group.map(({ name }) => name.split(' ')[1]).join(', ')}`)
}

/** Why something failed, in one line. */
function reasonOf(error: unknown): string {
  // A host name with several addresses, none of which answers.
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0])
  return error instanceof Error && error.message !== '' ? error.message : String(error)
}
