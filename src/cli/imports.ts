import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { collectGarbage } from '../collect-garbage.ts'
import { tellCounts } from '../domain/imports/count.ts'
import { isCounted } from '../domain/imports/import.ts'
import type { LineState } from '../domain/imports/plan.ts'
import { say } from '../domain/sentence.ts'
import type { SourceOptions } from '../outside/imports/reader.ts'
import type { Context } from '../services/context.ts'
import { continueApplying } from '../services/imports/apply.ts'
import { compareImport, hasUnexplained, printComparison } from '../services/imports/compare.ts'
import { beginApplying } from '../services/imports/imports.ts'
import { LEASE, type Progress } from '../services/imports/lease.ts'
import type { Preparation } from '../services/imports/plan.ts'
import { createImport, readImport } from '../services/imports/read.ts'
import { undo } from '../services/imports/undo.ts'
import { getId } from '../services/people/access.ts'
import { findImport, type Import } from '../store/imports/imports.ts'
import { findLines, type PlacedLine } from '../store/imports/lines.ts'
import { type Command, type Given, UsageError } from './command.ts'
import { COMMAND_LINE, withService } from './open.ts'

const outcome = {
  yes: { about: 'Apply the plan at once.' },
  json: { about: 'Print JSON: { id, counts, lines, choices }.' },
} as const

const token = { value: 'TOKEN', about: 'The token for the API.' } as const

const CODES = 'Exit codes: 0 nothing to do, or applied; 2 a plan; 1 failure.'

/** Commands that move in from other services. */
export const importCommands: readonly Command[] = [
  {
    name: 'import calcom',
    about: `Reads a Cal.com instance and plans the move: what comes over as it is, what is changed, what is left out. Nothing is written until it is applied. ${CODES}`,
    options: {
      database: { value: 'URL', about: 'Its PostgreSQL database; it is only read.' },
      dump: { value: 'FILE', about: 'A plain dump of pg_dump, also gzipped; - means standard input.' },
      api: { value: 'URL', about: 'Its API, such as https://api.cal.com; needs --token.' },
      token,
      ...outcome,
    },
    usageCode: 1,
    run: async (given, terminal) => moveIn(given, await readCalcom(given), terminal),
  },
  {
    name: 'import calendly',
    about: `Reads a Calendly account, or with an admin’s token its organization, and plans the move. ${CODES}`,
    options: { token: { ...token, required: true }, ...outcome },
    usageCode: 1,
    run: (given, terminal) => moveIn(given, { source: 'calendly', token: given.get('token') }, terminal),
  },
  {
    name: 'import undo',
    about: 'Takes back everything that an import made, until the first new booking.',
    options: {},
    operand: { name: 'ID', about: 'The import, as `import calcom` prints it.' },
    usageCode: 1,
    run: (given, { settings, print }) =>
      withService(settings, async (context) => {
        const found = await findImport(context.db, getId(given.operand))
        if (found === undefined) throw new Error(`There is no import ${given.operand}`)
        await undo(context, COMMAND_LINE, found)
        print(`${found.id} undone`)
      }),
  },
  {
    name: 'import compare',
    about:
      'Compares the slots of every imported event type with those of the old system, and says why they differ. Exit codes: 0 all is explained; 2 something is unexplained; 1 failure.',
    options: {
      against: { value: 'URL', about: 'Where the old system runs; otherwise its slots are computed.' },
      days: { value: 'N', about: 'Days ahead, 60 by default.' },
      json: { about: 'Print JSON: { differences }.' },
    },
    operand: { name: 'ID', about: 'The import, as `import calcom` prints it.' },
    usageCode: 1,
    run: (given, terminal) => compare(given, terminal),
  },
]

async function compare(given: Given, { settings, print }: Terminal): Promise<number> {
  const days = given.find('days')
  if (days !== undefined && !/^[1-9]\d?$/.test(days)) throw new UsageError('--days must be 1 to 90')
  let code = 0
  await withService(settings, async (context) => {
    const compared = await compareImport(context, getId(given.operand), {
      against: given.find('against'),
      days: days === undefined ? undefined : Number(days),
    })
    if (given.has('json')) print(JSON.stringify(compared))
    else for (const line of printComparison(compared)) print(line)
    if (hasUnexplained(compared)) code = 2
  })
  return code
}

async function readCalcom(given: Given): Promise<SourceOptions> {
  const [database, dump, api] = [given.find('database'), given.find('dump'), given.find('api')]
  if ([database, dump, api].filter((way) => way !== undefined).length !== 1)
    throw new UsageError('One of --database, --dump and --api is needed')
  const secret = given.find('token')
  if (api === undefined && secret !== undefined) throw new UsageError('--token needs --api')
  if (database !== undefined) return { source: 'calcom', database }
  if (api !== undefined) {
    if (secret === undefined) throw new UsageError('--api needs --token')
    return { source: 'calcom', api, token: secret }
  }
  if (dump === '-') return { source: 'calcom', dump: process.stdin }
  const file = dump as string
  const { size } = await stat(file)
  return { source: 'calcom', dump: createReadStream(file), size }
}

type Terminal = Parameters<Command['run']>[1]

async function moveIn(given: Given, options: SourceOptions, terminal: Terminal): Promise<number> {
  let code = 0
  await withService(terminal.settings, async (context) => {
    const id = await createImport(context, options.source, null)
    const preparation = await readImport(context, id, options, {
      onRead: progressLines('Reading', terminal.complain),
      onPlanned: progressLines('Planning', terminal.complain),
      toApply: given.has('yes'),
    })
    const planned = await getPlanned(context, id)
    const hasWork =
      preparation !== undefined || isCounted(planned.counts, 'new') || isCounted(planned.counts, 'changed')
    if (given.has('yes') && hasWork) await applyNow(context, planned, terminal.complain, preparation)
    else if (hasWork) code = 2
    const shown = await getPlanned(context, id)
    if (given.has('json')) await printJson(context, shown, terminal.print)
    else await printText(context, shown, terminal.print)
  })
  return code
}

async function getPlanned({ db }: Context, id: string): Promise<Import> {
  const found = await findImport(db, id)
  if (found === undefined) throw new Error(`There is no import ${id}`)
  if (found.state === 'failed') throw new Error(say(found.reason))
  return found
}

/** Applies an import here. Should this process die, the service goes on with it. */
async function applyNow(
  context: Context,
  found: Import,
  complain: Terminal['complain'],
  preparation: Preparation | undefined,
): Promise<void> {
  const at = context.now()
  const data = { importId: found.id, actor: COMMAND_LINE, at }
  await beginApplying(context, found, {}, data, at + LEASE)
  await continueApplying(context, data, progressLines('Applying', complain), preparation)
}

/** A line each time that another tenth is done. */
function progressLines(what: string, complain: Terminal['complain']) {
  let told = 0
  return ({ done, total }: Progress) => {
    const tenths = total === 0 ? 0 : Math.floor((10 * done) / total)
    if (tenths <= told || tenths > 10) return
    told = tenths
    complain(`${what}: ${10 * tenths} %`)
    collectGarbage()
  }
}

const PAGE = 1000

async function* linesOf(
  { db }: Context,
  { id }: Import,
  states?: readonly LineState[],
): AsyncGenerator<PlacedLine> {
  let after: number | undefined
  for (;;) {
    const lines = await findLines(db, id, { states, after, limit: PAGE })
    yield* lines
    if (lines.length < PAGE) return
    after = lines.at(-1)?.position
  }
}

const viewOf = ({ state, key, name, sentence }: PlacedLine) => ({
  state,
  table: key.slice(0, key.indexOf('/')),
  id: key.slice(key.indexOf('/') + 1),
  name,
  sentence: say(sentence),
})

/** One value, in pieces: there may be a hundred thousand lines. */
async function printJson(context: Context, found: Import, print: Terminal['print']): Promise<void> {
  print(`{"id":${JSON.stringify(found.id)},"counts":${JSON.stringify(found.counts)},"lines":[`)
  let before: string | undefined
  for await (const line of linesOf(context, found)) {
    if (before !== undefined) print(`${before},`)
    before = JSON.stringify(viewOf(line))
  }
  if (before !== undefined) print(before)
  print(`],"choices":${JSON.stringify(found.offered)}}`)
}

async function printText(context: Context, found: Import, print: Terminal['print']): Promise<void> {
  print(`${found.id} ${found.state}`)
  for (const line of tellCounts(found.counts)) print(say(line))
  for (const note of found.notes) print(say(note))
  for await (const line of linesOf(context, found, ['changed', 'left-out'])) {
    const { state, table, id, name, sentence } = viewOf(line)
    print([state, `${table}/${id}`, name, sentence].join('\t'))
  }
}
