import { createDecipheriv } from 'node:crypto'
import { keyOf } from '../../domain/imports/draft.ts'
import { sameCalendars } from '../../domain/imports/kinds.ts'
import type { Sourced, SourceKey } from '../../domain/imports/source.ts'
import { flagIn, idIn, type Tree, textIn, treeIn, treeOf, valueIn } from '../../domain/imports/values.ts'
import { findSecret, type SealedSecret } from '../../store/imports/secrets.ts'
import type { Context } from '../context.ts'
import { seal, unseal } from '../seal.ts'
import { mayOpen } from './here.ts'

/** A row as it may be stored: without what signs in elsewhere. */
export function withoutSecrets({ table, row }: Sourced): Sourced {
  if (table === 'Credential') {
    const { key: _, encryptedKey: __, ...rest } = row
    return { table, row: rest }
  }
  if (table === 'App') return { table, row: { ...row, keys: { client_id: treeIn(row, 'keys').client_id } } }
  return { table, row }
}

/** More than any token has. */
const MOST = 50_000

/** What an account signs in with, encrypted, if this service may have use for it; else nothing. */
export function sealSecret(context: Context, importId: string, { table, row }: Sourced): SealedSecret[] {
  if (table !== 'Credential' || flagIn(row, 'invalid')) return []
  const kind = sameCalendars(textIn(row, 'type'))
  if (kind === undefined || !mayOpen(context).includes(kind)) return []
  const key = keyOf('Credential', idIn(row))
  const text = JSON.stringify(valueIn(row, 'key') ?? '')
  return text.length > MOST ? [] : [{ key, sealed: seal(context, purposeOf(importId, key), text) }]
}

const purposeOf = (importId: string, key: string) => `import/${importId}/${key}`

/** What an account signs in with; undefined if it can't be read. */
export async function openSecret(
  context: Context,
  importId: string,
  key: SourceKey,
): Promise<Tree | undefined> {
  const sealed = await findSecret(context.db, importId, key)
  const text = sealed === undefined ? undefined : unseal(context, purposeOf(importId, key), sealed)
  if (text === undefined) return undefined
  const secret: unknown = JSON.parse(text)
  return typeof secret === 'string' ? decrypt(context.calcomKey, secret) : treeOf(secret)
}

/** Opens `ivhex:datahex`: AES-256-CBC with the first 32 bytes of the key, as the service before does. */
function decrypt(key: string, text: string): Tree | undefined {
  const [iv = '', data = ''] = text.split(':')
  try {
    const decipher = createDecipheriv(
      'aes-256-cbc',
      Buffer.from(key, 'latin1').subarray(0, 32),
      Buffer.from(iv, 'hex'),
    )
    const opened = decipher.update(data, 'hex', 'utf8') + decipher.final('utf8')
    return treeOf(JSON.parse(opened))
  } catch {
    return undefined
  }
}
