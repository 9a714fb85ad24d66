import type { ChildProcess } from 'node:child_process'

/** Ends a child that was started `detached`, and the children in its process group, even after its own end. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // All of them have ended.
  }
}
