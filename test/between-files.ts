/** Undefined where a file runs alone: then it closes what it has opened. */
let closings: (() => Promise<unknown>)[] | undefined

/** From now on, what takes long to start is kept for the next file of this process. */
export function shareBetweenFiles(): void {
  closings = []
}

/** Whether something stays open for the next file: then it is closed after the last one. */
export function keepForNextFile(close: () => Promise<unknown>): boolean {
  closings?.push(close)
  return closings !== undefined
}

export async function closeWhatWasKept(): Promise<void> {
  for (const close of closings?.splice(0) ?? []) await close()
}
