import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SOURCES, type Source } from '../../domain/imports/source.ts'
import { isWebAddress } from '../../domain/people/contact.ts'
import { invalidField, Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { SourceOptions } from '../../outside/imports/reader.ts'
import type { Context } from '../context.ts'
import { requireInstanceAdmin } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { createImport, readImport } from './read.ts'

/** A dump that is larger than it may be. */
export class DumpTooLarge extends Error {
  readonly sentence =
    sentence`A dump may have at most 1 GB. Compress it with gzip, or have the database read itself.`
}

const FIELDS = ['source', 'database', 'api', 'token'] as const

/** Reads what a client says of a source; throws `invalid` unless it makes sense. */
export function readStart(body: unknown): SourceOptions {
  const given = Object(body) as Record<string, unknown>
  const unknown = Object.keys(given).find((key) => !FIELDS.some((field) => field === key))
  if (unknown !== undefined) throw invalidField(unknown, sentence`There is no field {field}.`)
  const text = (field: (typeof FIELDS)[number]): string => {
    const value = given[field]
    if (value === undefined) return ''
    if (typeof value !== 'string' || value.length > 2000)
      throw invalidField(field, sentence`{field} must be text of at most ${2000} characters.`)
    return value.trim()
  }
  const [source, database, api, token] = [text('source'), text('database'), text('api'), text('token')]
  if (!SOURCES.some((known) => known === source))
    throw invalidField('source', sentence`{field} must be one of ${SOURCES}.`)
  if ((source as Source) === 'calendly') {
    if (token === '') throw invalidField('token', sentence`{field} is missing.`)
    if (database !== '') throw invalidField('database', sentence`Calendly has no database to read.`)
    return { source: 'calendly', token, ...(api !== '' && { api: readAddress(api) }) }
  }
  if (database !== '') {
    if (api !== '' || token !== '')
      throw invalidField('database', sentence`Give either a database, or an API and its token.`)
    if (!/^postgres(?:ql)?:\/\//.test(database))
      throw invalidField('database', sentence`{field} must begin with postgres://.`)
    return { source: 'calcom', database }
  }
  if (api === '') throw invalidField('database', sentence`Give either a database, or an API and its token.`)
  if (token === '') throw invalidField('token', sentence`{field} is missing.`)
  return { source: 'calcom', api: readAddress(api), token }
}

function readAddress(api: string): string {
  if (!isWebAddress(api)) throw invalidField('api', sentence`{field} must begin with https://.`)
  return api
}

/** Begins to read a source, in the background of this process: what it signs in with is kept nowhere else. */
export async function startImport(
  context: Context,
  principal: Principal,
  options: SourceOptions,
): Promise<string> {
  requireMayImport(principal, options.source)
  const id = await createImport(context, options.source, principal.userId)
  context.inBackground(async () => {
    await readImport(context, id, options)
  })
  return id
}

function requireMayImport(principal: Principal, source: Source): void {
  if (source !== 'calendly') requireInstanceAdmin(principal)
}

/** The same from a dump, which is stored until it has been read. */
export async function startFromDump(
  context: Context,
  principal: Principal,
  body: AsyncIterable<Uint8Array>,
  most: number,
): Promise<string> {
  requireMayImport(principal, 'calcom')
  const file = await openNameless(context)
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > most) throw new DumpTooLarge()
      await file.write(chunk)
    }
    if (size === 0) throw new Problem('invalid', sentence`The dump is empty.`)
  } catch (error) {
    await file.close()
    throw error
  }
  const id = await createImport(context, 'calcom', principal.userId)
  context.inBackground(async () => {
    try {
      const dump = file.createReadStream({ start: 0, autoClose: false })
      await readImport(context, id, { source: 'calcom', dump, size })
    } finally {
      await file.close()
    }
  })
  return id
}

/** A file without a name: it is gone when it is closed, even if the process dies. */
async function openNameless({ surroundings }: Context): Promise<FileHandle> {
  await mkdir(surroundings.dataDir, { recursive: true })
  const path = join(surroundings.dataDir, `import-${randomUUID()}.tmp`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}
