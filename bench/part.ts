import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Baseline } from './baseline.ts'
import { type Child, startChild } from './child.ts'
import type { Job, Outcome } from './load.ts'
import type { Row } from './table.ts'

/** What every part measures with. */
export interface Bench {
  readonly load: Child<Job, Outcome>
  /** Makes a folder of this name, which is removed after the part. */
  folder(name: string): string
}

/** Measures some of the rows, and yields each as soon as it is known. */
export type Part = (bench: Bench) => AsyncIterable<Row>

export const CONNECTIONS = 64
export const SECONDS = 1.5

/** More than any server here answers in a second, so that the time runs out before the requests. */
export const MOST_PER_SECOND = 30_000

export function makeBench(root: string, load: Child<Job, Outcome>): Bench {
  return {
    load,
    folder(name) {
      const path = join(root, name)
      mkdirSync(path, { recursive: true })
      return path
    },
  }
}

/** Requests answered per second, over one and a half seconds. */
export async function rateOf(
  { load }: Bench,
  port: number,
  requests: readonly string[],
  counted: 'gets' | 'posts',
  repeat = false,
): Promise<number> {
  const outcome = await load.ask({ port, connections: CONNECTIONS, seconds: SECONDS, requests, repeat })
  return outcome[counted] / outcome.seconds
}

export interface PlainServer extends AsyncDisposable {
  readonly port: number
}

export async function startBaseline(baseline: Baseline): Promise<PlainServer> {
  const child = startChild<Baseline, { port: number }>('baseline.ts')
  const { port } = await child.ask(baseline)
  return { port, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
}
