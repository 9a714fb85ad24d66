import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: ['**/dist/**', '**/*.test.ts'] }).map((path) =>
    readFileSync(`${root}/${path}`, 'utf8'),
  )

const styled = new Set(
  read('web/styles/*.css').flatMap((css) =>
    [...css.replaceAll(/\/\*[\s\S]*?\*\/|@import[^;]*;|url\([^)]*\)/g, '').matchAll(/\.([a-z][\w-]*)/g)].map(
      ([, name]) => name as string,
    ),
  ),
)
/** The pages, and what the server paints before their scripts run. */
const sources = [...read('web/**/*.{ts,tsx}'), ...read('src/http/pages/*.ts')]

it('styles only classes that a page or the first paint uses', () => {
  const text = sources.join('\n')
  const isUsed = (name: string) =>
    new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text) || text.includes(`${name.replace(/-\w+$/, '')}-\${`)
  assert.deepEqual(
    [...styled].filter((name) => !isUsed(name)),
    [],
  )
})

it('uses only classes that have a style', () => {
  const used = sources.flatMap((text) =>
    [...text.matchAll(/\bclass(?:Name)?="([^"$]*)"/g)].flatMap(([, names]) => (names as string).split(/\s+/)),
  )
  assert.ok(used.length > 200, 'finds them')
  assert.deepEqual(
    [...new Set(used)].filter((name) => name !== '' && !styled.has(name)),
    [],
  )
})
