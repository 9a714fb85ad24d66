import { createHash } from 'node:crypto'
import { HOUR } from '../../domain/interval.ts'
import { imageIdOf, imagePath, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE } from '../../domain/people/image.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { invalidField, Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { type ImageHead, readImage } from '../../format/image.ts'
import type { Trx } from '../../store/engine/database.ts'
import { newId } from '../../store/new-id.ts'
import { deleteImages, findImage, findImages, type Image, insertImage } from '../../store/people/images.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import { change } from '../change.ts'
import type { Context } from '../context.ts'
import { getId, notFound, requireRole } from './access.ts'
import type { Principal } from './sign-in/principal.ts'

/** How long an uploaded picture waits for the page that shows it. */
const UNUSED = HOUR

/** Enough for a picture, a logo and several attempts in an hour. */
const MAX_IMAGES = 10

type Page = Pick<Scheduler, 'avatarUrl' | 'branding'>

interface AddedImage extends ImageHead {
  readonly id: string
  /** What the page stores as its address. */
  readonly path: string
}

/** Stores a picture of a user or team. Their page does not show it until its address is saved there. */
export async function addImage(
  context: Context,
  principal: Principal,
  ownerId: string,
  bytes: Buffer,
): Promise<AddedImage> {
  const head = checkImageBytes(bytes)
  return change(context, principal, getId(ownerId), async (trx) => {
    await requireRole(trx, principal, ownerId, 'admin')
    const owner = await findScheduler(trx, ownerId)
    if (owner === undefined) throw notFound()
    const id = await storeImage(trx, owner, { head, bytes }, context.now())
    const audit = { schedulerId: ownerId, action: 'created', objectType: 'image', objectId: id, changes: [] }
    return { result: { id, path: imagePath(id), ...head }, audit, affects: [] }
  })
}

/** Throws `invalid` with the reason unless these bytes are a picture that we take. */
function checkImageBytes(bytes: Buffer): ImageHead {
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw new Problem('invalid', sentence`This image is larger than 512 KB. Please choose a smaller one.`)
  }
  const head = readImage(bytes)
  if (head === undefined) {
    throw new Problem('invalid', sentence`This isn’t a PNG, JPEG or WebP image. Please choose one of those.`)
  }
  if (Math.max(head.width, head.height) > MAX_IMAGE_SIDE) {
    throw new Problem(
      'invalid',
      sentence`This image is ${head.width} by ${head.height} pixels. Please choose one of at most ${MAX_IMAGE_SIDE} by ${MAX_IMAGE_SIDE}.`,
    )
  }
  return head
}

/** Stores a picture, or finds it if its owner has it already; removes those that were never used. */
async function storeImage(
  trx: Trx,
  owner: Scheduler,
  { head, bytes }: { readonly head: ImageHead; readonly bytes: Buffer },
  now: number,
): Promise<string> {
  const hash = contentHash(bytes)
  const present = await findImages(trx, owner.id)
  const known = present.find((image) => image.hash === hash)
  if (known !== undefined) return known.id
  const used = usedBy(owner)
  const unused = present.filter(({ id, createdAt }) => !used.has(id) && createdAt <= now - UNUSED)
  await deleteImages(
    trx,
    owner.id,
    unused.map(({ id }) => id),
  )
  if (present.length - unused.length >= MAX_IMAGES) {
    throw new Problem('rate_limited', sentence`You’ve uploaded many images. Please try again in an hour.`, {
      retryAfter: UNUSED / 1000,
    })
  }
  const id = newId()
  await insertImage(trx, { id, schedulerId: owner.id, type: head.type, bytes, hash, createdAt: now })
  return id
}

/** Stores a picture that came with an import. Returns its path. */
export async function importImage(trx: Trx, owner: Scheduler, bytes: Buffer, now: number): Promise<string> {
  return imagePath(await storeImage(trx, owner, { head: checkImageBytes(bytes), bytes }, now))
}

/** Throws `invalid` if a page shows a picture that its owner did not upload; deletes those it no longer shows. */
export async function replaceImages(
  trx: Trx,
  schedulerId: string,
  before: Page | undefined,
  after: Page,
): Promise<void> {
  const [had, has] = [usedBy(before), usedBy(after)]
  const added = [...has].filter(([id]) => !had.has(id))
  if (added.length > 0) {
    const own = new Set((await findImages(trx, schedulerId)).map(({ id }) => id))
    for (const [id, field] of added) {
      if (!own.has(id)) throw invalidField(field, sentence`{field} is gone. Please upload the image again.`)
    }
  }
  await deleteImages(
    trx,
    schedulerId,
    [...had.keys()].filter((id) => !has.has(id)),
  )
}

/** An uploaded picture, for anyone who has its address. */
export async function getImage(context: Context, id: string): Promise<Image> {
  const image = await findImage(context.db, getId(id))
  if (image === undefined) throw notFound()
  return image
}

/** The ids of the uploaded pictures that a page shows, with the field of each. */
function usedBy(page: Page | undefined): Map<string, string> {
  const used = new Map<string, string>()
  for (const [field, address] of [
    ['avatarUrl', page?.avatarUrl],
    ['branding.logoUrl', page?.branding.logoUrl],
  ] as const) {
    const id = address === undefined ? undefined : imageIdOf(address)
    if (id !== undefined) used.set(id, field)
  }
  return used
}

const contentHash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
