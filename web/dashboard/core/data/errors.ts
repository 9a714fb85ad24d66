import { ApiFailure } from '../../../parts/api.ts'
import { words } from '../../words.ts'

/** A failure of the host API. */
export class HostApiFailure extends ApiFailure {
  /** The wire path of the one field that was refused, such as `questions.2.label`. */
  readonly field: string | undefined

  constructor(status: number, sentence: string, field?: string) {
    super(status, sentence)
    this.field = field
  }
}

/** Reads the failure from a response that isn't a success. */
export async function failureOf(response: Response): Promise<HostApiFailure> {
  const body = (await response.json().catch(() => ({}))) as { error?: string }
  return new HostApiFailure(
    response.status,
    body.error ?? '',
    response.headers.get('error-field') ?? undefined,
  )
}

export function fieldOf(error: unknown): string | undefined {
  return error instanceof HostApiFailure ? error.field : undefined
}

/** Whether someone else changed the object since it was loaded. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 412
}

/** What went wrong, in a sentence for the host. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiFailure) || error.status === 0) return words.notReached
  if (error.message === '' || error.status >= 500) return words.serverTrouble
  return error.message
}
