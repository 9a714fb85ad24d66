// Measures one part in its own process and sends its rows to the parent.
//   node bench/measure-part.ts NAME FOLDER

import { startChild } from './child.ts'
import type { Job, Outcome } from './load.ts'
import { makeBench } from './part.ts'
import type { PartMessage } from './part-process.ts'
import { PARTS } from './parts.ts'

const [name = '', folder = ''] = process.argv.slice(2)
const send = (message: PartMessage) => process.send?.(message)

try {
  await using load = startChild<Job, Outcome>('load.ts')
  const part = PARTS[name]
  if (part === undefined) throw new Error('there is no such part')
  for await (const row of part.measure(makeBench(folder, load))) send({ row })
  send({ done: true })
} catch (error) {
  send({ error: (error as Error).message })
}
