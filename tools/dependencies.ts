import { readFile } from 'node:fs/promises'

/** Where each dependency has its reason. */
const REASONS = 'docs/decisions/dependencies.md'

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const

/** Dependencies that `reasons` does not name in a table row. */
export function findUnexplained(manifest: string, reasons: string): string[] {
  const packages = JSON.parse(manifest) as Partial<Record<(typeof KINDS)[number], object>>
  const rows = reasons.split('\n').filter((line) => line.startsWith('|'))
  return KINDS.flatMap((kind) => Object.keys(packages[kind] ?? {})).filter(
    (name) => !rows.some((row) => row.includes(`\`${name}\``)),
  )
}

/** Checks that every dependency of this project has its reason. */
export async function checkDependencies(): Promise<string[]> {
  const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')
  const unexplained = findUnexplained(await read('package.json'), await read(REASONS))
  return unexplained.map((name) => `${REASONS} has no line for ${name}`)
}
