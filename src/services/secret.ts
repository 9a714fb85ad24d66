import { createHash, randomBytes } from 'node:crypto'

/** A secret that nobody guesses. */
export const newSecret = () => randomBytes(32).toString('base64url')

/** What is stored of a secret. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('base64url')
