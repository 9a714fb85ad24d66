import type { Challenge, Solution } from 'altcha-lib'
import { ask } from '../api.ts'

/** Gets a challenge and solves it in a worker; resolves to the `captchaToken`. */
export async function solveAltcha(challengeUrl: string, signal: AbortSignal): Promise<string> {
  const { body: challenge } = await ask<Challenge>(challengeUrl, { signal })
  const solution = await solveInWorker(challenge, signal)
  return btoa(JSON.stringify({ challenge, solution }))
}

function solveInWorker(challenge: Challenge, signal: AbortSignal): Promise<Solution> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./altcha-worker.ts', import.meta.url), { type: 'module' })
    const end = (settle: () => void) => {
      worker.terminate()
      settle()
    }
    signal.addEventListener('abort', () => end(() => reject(signal.reason)))
    worker.onerror = () => end(() => reject(new Error('The worker failed.')))
    worker.onmessage = ({ data }: MessageEvent<Solution | null>) =>
      end(() => (data === null ? reject(new Error('There is no solution.')) : resolve(data)))
    worker.postMessage(challenge)
  })
}
