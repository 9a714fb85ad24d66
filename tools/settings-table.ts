import { readFileSync, writeFileSync } from 'node:fs'
import { VARIABLES } from '../src/settings.ts'

const README = new URL('../README.md', import.meta.url)
const PLACE = /(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/

/** The README's table of settings, from the table that the service itself reads. */
export function settingsTable(): string {
  const rows = Object.values(VARIABLES).map(
    ({ name, fallback, doc }) => `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${doc} |`,
  )
  return ['| variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n')
}

/** The README as it ought to be. */
export function readmeWithSettings(readme = readFileSync(README, 'utf8')): string {
  return readme.replace(PLACE, (_, before: string, after: string) => `${before}${settingsTable()}${after}`)
}

if (import.meta.main) writeFileSync(README, readmeWithSettings())
