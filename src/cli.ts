import { type Command, helpFor, overviewOf, readArguments, UsageError } from './cli/command.ts'
import { doctorCommands } from './cli/doctor.ts'
import { linkCommands } from './cli/links.ts'
import { outboxCommands } from './cli/outbox.ts'
import { peopleCommands } from './cli/people.ts'
import { storageCommands } from './cli/storage.ts'
import { workspaceCommands } from './cli/workspace.ts'
import { readSettings } from './settings.ts'

const COMMANDS: readonly Command[] = [
  ...storageCommands,
  ...peopleCommands,
  ...linkCommands,
  ...workspaceCommands,
  ...outboxCommands,
  ...doctorCommands,
]

/** Runs the command that the arguments name, and returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, index) => args[index] === word))
  try {
    if (command === undefined) return await showHelp(args)
    const given = readArguments(command, args.slice(command.name.split(' ').length))
    if (given === undefined) print(helpFor(command).trimEnd())
    else await command.run(given, { settings: readSettings(), print })
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) return fail(reasonOf(error), 1)
    const help = command === undefined ? '--help' : `${command.name} --help`
    return fail(`${error.message}. See: punctual ${help}`, 2)
  }
}

/** Prints help on all commands, or on those that start with the given word. */
async function showHelp(args: readonly string[]): Promise<number> {
  const words = args.filter((arg) => !arg.startsWith('-'))
  const group = COMMANDS.filter(({ name }) => name.split(' ')[0] === words[0])
  if (args.some((arg) => arg === '--help' || arg === '-h') && (words.length === 0 || group.length > 0)) {
    print(overviewOf(words.length === 0 ? COMMANDS : group).trimEnd())
    return 0
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

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(reason: string, code: number): number {
  process.stderr.write(`${reason.replaceAll(/\s*\n\s*/g, ' ')}\n`)
  return code
}

// The reader may close the pipe, as `head` does.
process.stdout.on('error', () => process.exit(1))
process.exitCode = await main(process.argv.slice(2))
