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
  'rolling-upgrade',
  'scenarios/messages',
  'scenarios/payments',
  'decisions/payments/settlement',
]

/** How often a test repeats itself: few times in `npm test`, many times in a soak. */
export function repeat(times: { readonly few: number; readonly many: number }): number {
  return process.env['LONG_TESTS'] === 'on' ? times.many : times.few
}
