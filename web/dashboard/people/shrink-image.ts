import { MAX_IMAGE_BYTES } from '../../../src/domain/people/image.ts'
import { HostApiFailure } from '../core/data/errors.ts'
import { words } from '../words.ts'

/** Large enough for sharp screens, at the sizes that pages and emails show. */
const MAX_SIDE = 512

/** A smaller copy of an image, without what a camera wrote into it, such as the place. */
export async function shrinkImage(file: Blob): Promise<Blob> {
  let image: ImageBitmap
  try {
    image = await createImageBitmap(file)
  } catch {
    throw new HostApiFailure(400, words.profile.unreadableImage)
  }
  const scale = Math.min(1, MAX_SIDE / Math.max(image.width, image.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  image.close()
  // Not WebP, which Outlook does not show. PNG keeps the transparency of a logo.
  const copy = file.type === 'image/jpeg' ? undefined : await written(canvas, 'image/png')
  return copy !== undefined && copy.size <= MAX_IMAGE_BYTES ? copy : written(canvas, 'image/jpeg')
}

function written(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) =>
        blob === null ? reject(new HostApiFailure(400, words.profile.unreadableImage)) : resolve(blob),
      type,
      0.9,
    )
  })
}
