import { ApiFailure } from '../parts/api.ts'
import { useSpeech } from '../parts/texts.tsx'

/** Says why a change failed. */
export function useFailureText(): (error: Error) => string {
  const { tell } = useSpeech()
  return (error) =>
    !(error instanceof ApiFailure) || error.status === 0 || error.status >= 500
      ? tell('notReached')
      : error.message
}
