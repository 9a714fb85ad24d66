import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

addEventListener('message', async ({ data }: MessageEvent<Challenge>) => {
  postMessage(await solveChallenge({ challenge: data, deriveKey }))
})
