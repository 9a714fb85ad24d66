import type { FileResult } from './test-group.ts'

/** With more files that failed, something is broken. */
const MOST_REPEATED = 5

interface Repeated {
  readonly results: FileResult[]
  /** The files that passed only now. */
  readonly passedAlone: readonly string[]
}

/** Runs the files that failed once more, one by one: what passes then was only too slow beside others. */
export async function repeatFailed(
  results: readonly FileResult[],
  interrupted: AbortSignal,
  run: (file: string) => Promise<FileResult | undefined>,
): Promise<Repeated> {
  const passed = new Map<string, FileResult>()
  const broken = results.filter(hasFailed)
  for (const { file, failures } of broken.length <= MOST_REPEATED ? broken : []) {
    if (interrupted.aborted) break
    // Found by chance, and next time most likely not.
    if (failures.some(({ reason }) => reason.includes('Counterexample: '))) continue
    const again = await run(file)
    if (again && !hasFailed(again)) passed.set(file, again)
  }
  return {
    results: results.map((result) => passed.get(result.file) ?? result),
    passedAlone: [...passed.keys()],
  }
}

export function hasFailed({ failures }: FileResult): boolean {
  return failures.length > 0
}
