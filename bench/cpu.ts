import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second, on every machine. */
const MILLISECONDS_PER_TICK = 10

interface Usage {
  readonly parent: number
  readonly milliseconds: number
  /** Of children that have ended. */
  readonly ofEnded: number
}

/** Milliseconds of processor time that a process has used, with all its threads. */
export function cpuOf(pid: number): number {
  return usageOf(pid).milliseconds
}

/** The same of a process and its children, also of those that have ended. */
export function cpuOfFamily(pid: number): number {
  const { milliseconds, ofEnded } = usageOf(pid)
  const children = readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name) ? [usageOf(Number(name))] : []
    } catch {
      // It ended between being listed and being read.
      return []
    }
  })
  return children
    .filter(({ parent }) => parent === pid)
    .reduce((sum, child) => sum + child.milliseconds + child.ofEnded, milliseconds + ofEnded)
}

function usageOf(pid: number): Usage {
  if (process.platform !== 'linux') throw new Error('processor time is read from /proc, which only Linux has')
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name, which may contain anything, is in parentheses; counting starts after it.
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [, parent = 0] = fields
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
  return {
    parent,
    milliseconds: (user + system) * MILLISECONDS_PER_TICK,
    ofEnded: (endedUser + endedSystem) * MILLISECONDS_PER_TICK,
  }
}
