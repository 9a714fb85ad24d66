import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'

export const cutOff = (cause?: unknown) =>
  new Problem(
    'invalid',
    sentence`This dump is incomplete: it breaks off before its end. Please make it again, and copy it whole.`,
    { cause },
  )

export const noDump = () =>
  new Problem(
    'invalid',
    sentence`This file is not a dump of a PostgreSQL database. Make one with: pg_dump --format=plain`,
  )

const customFormat = () =>
  new Problem(
    'invalid',
    sentence`This dump is in the custom format of pg_dump, which we cannot read. Make it again with: pg_dump --format=plain`,
  )

const tooLarge = (bytes: number) =>
  new Problem('invalid', sentence`This dump is larger than ${{ bytes }} when unpacked.`)

/** A small file can unpack to something endless. */
const MOST_BYTES = 64 * 1024 ** 3

/** Enough to know a file by. */
const HEAD = 8

/** The text of a dump, packed with gzip or not. */
export async function* textOfDump(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const packed = await peek(chunks)
  const bytes = packed.head[0] === 0x1f && packed.head[1] === 0x8b ? await peek(unpack(packed.all)) : packed
  const start = Buffer.from(bytes.head).toString('latin1')
  if (start.startsWith('PGDMP')) throw customFormat()
  // What a redirection in PowerShell makes of it.
  const decoder = new TextDecoder(start.startsWith('\xff\xfe') ? 'utf-16le' : 'utf-8')
  for await (const chunk of bytes.all) yield checked(decoder.decode(chunk, { stream: true }))
  yield checked(decoder.decode())
}

/** PostgreSQL has no text with a zero in it. */
function checked(text: string): string {
  if (text.includes('\0')) throw noDump()
  return text
}

interface Peeked {
  readonly head: Uint8Array
  /** Everything, the head too. */
  readonly all: AsyncIterable<Uint8Array>
}

async function peek(chunks: AsyncIterable<Uint8Array>): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let size = 0
  while (size < HEAD) {
    const { done, value } = await iterator.next()
    if (done) break
    first.push(value)
    size += value.length
  }
  async function* all() {
    try {
      yield* first
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { head: Buffer.concat(first).subarray(0, HEAD), all: all() }
}

async function* unpack(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const source = Readable.from(chunks)
  let failed: unknown
  source.once('error', (error) => {
    failed = error
  })
  // Errors come out of the loop below.
  const piped = pipeline(source, gunzip).catch(() => undefined)
  let size = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MOST_BYTES) throw tooLarge(MOST_BYTES)
      yield chunk
    }
  } catch (error) {
    if (failed !== undefined) throw failed
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? cutOff(error) : error
  } finally {
    gunzip.destroy()
    await piped
  }
}
