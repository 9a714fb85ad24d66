/** Tests that find more, the longer they run. `npm run soak -- --tests` lets them run for long. */
export const LONG_TESTS = [
  'crash-delivery',
  'durability',
  'fair-race',
  'same-engine',
  'fuzz',
  'openings.properties',
  'slots/reference',
  'bookings/reassign',
  'routing-reference',
  'src/cli.test',
  'src/cli/workspace',
]

/** How often a test repeats itself: few times in `npm test`, many times in a soak. */
export function repeat(times: { readonly few: number; readonly many: number }): number {
  return process.env['LONG_TESTS'] === 'on' ? times.many : times.few
}

/**
 * The engines for commands that do the same on both: each is a process of its own, and what they call is tested on both
 * engines elsewhere. PostgreSQL has its turn in a soak.
 */
export const COMMAND_ENGINES = (['sqlite', 'postgres'] as const).slice(0, repeat({ few: 1, many: 2 }))
