import { runCommand } from './cli/run.ts'

// The reader may close the pipe, as `head` does.
process.stdout.on('error', () => process.exit(1))
process.exitCode = await runCommand(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
})
