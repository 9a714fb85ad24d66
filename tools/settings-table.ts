import { readFileSync, writeFileSync } from 'node:fs'
import { VARIABLES } from '../src/settings.ts'

const PAGE = new URL('../docs/settings.md', import.meta.url)
const TABLE = /(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/

/** The table of settings, made from the one in `src/settings.ts`. */
function settingsTable(): string {
  const rows = Object.values(VARIABLES).map(
    ({ name, fallback, doc }) => `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${doc} |`,
  )
  return ['| variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n')
}

/** `docs/settings.md` with a current table. */
export function settingsPage(page = readFileSync(PAGE, 'utf8')): string {
  return page.replace(TABLE, (_, before: string, after: string) => `${before}${settingsTable()}${after}`)
}

if (import.meta.main) writeFileSync(PAGE, settingsPage())
