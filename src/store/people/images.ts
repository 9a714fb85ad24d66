import type { ImageType } from '../../format/image.ts'
import type { Db } from '../engine/database.ts'

/** A picture that a user or team uploaded. */
export interface Image {
  readonly id: string
  readonly schedulerId: string
  readonly type: ImageType
  readonly bytes: Buffer
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string
  readonly createdAt: number
}

export async function insertImage(db: Db, image: Image): Promise<void> {
  await db
    .insertInto('images')
    .values({
      id: image.id,
      scheduler_id: image.schedulerId,
      type: image.type,
      // Text, because backups are JSON.
      bytes: image.bytes.toString('base64'),
      hash: image.hash,
      created_at: image.createdAt,
    })
    .execute()
}

export async function findImage(db: Db, id: string): Promise<Image | undefined> {
  const row = await db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst()
  return (
    row && {
      id: row.id,
      schedulerId: row.scheduler_id,
      type: row.type,
      bytes: Buffer.from(row.bytes, 'base64'),
      hash: row.hash,
      createdAt: row.created_at,
    }
  )
}

/** All pictures of a user or team, without their bytes. */
export async function findImages(
  db: Db,
  schedulerId: string,
): Promise<Pick<Image, 'id' | 'hash' | 'createdAt'>[]> {
  const rows = await db
    .selectFrom('images')
    .select(['id', 'hash', 'created_at'])
    .where('scheduler_id', '=', schedulerId)
    .execute()
  return rows.map(({ id, hash, created_at }) => ({ id, hash, createdAt: created_at }))
}

export async function deleteImages(db: Db, schedulerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('images').where('scheduler_id', '=', schedulerId).where('id', 'in', ids).execute()
}
