import { startChild } from '../child.ts'
import type { EngineFigures } from '../engine.ts'
import type { Part } from '../part.ts'
import { median } from '../rounds.ts'
import { perSecond } from '../table.ts'

const ROUNDS = 3

export const engine: Part = async function* () {
  await using child = startChild<{ seconds: number }, EngineFigures>('engine.ts')
  const rates: number[] = []
  for (let i = 0; i < ROUNDS; i++) rates.push((await child.ask({ seconds: 1 })).perSecond)
  const rate = median(rates)
  yield {
    what: 'slot engine alone, from schedule and bookings to bytes',
    ours: perSecond(rate),
    baseline: '',
    value: rate,
    unit: '/s',
    target: { atLeast: 15_000 },
  }
}
