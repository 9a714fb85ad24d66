import { readFileSync, writeFileSync } from 'node:fs'
import { VARIABLES } from '../src/settings.ts'

const README = new URL('../README.md', import.meta.url)
const TABLE = /(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/

/** The README's table of settings, made from the one in `src/settings.ts`. */
export function settingsTable(): string {
  const rows = Object.values(VARIABLES).map(
    ({ name, fallback, doc }) => `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${doc} |`,
  )
  return ['| variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n')
}

/** The README with a current table. */
export function readmeWithSettings(readme = readFileSync(README, 'utf8')): string {
  return readme.replace(TABLE, (_, before: string, after: string) => `${before}${settingsTable()}${after}`)
}

if (import.meta.main) writeFileSync(README, readmeWithSettings())
