import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when a process that is not our child has ended; one that is not reaped yet counts as ended. */
export async function untilEnded(pid: number): Promise<void> {
  while (isRunning(pid)) await sleep(10)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
