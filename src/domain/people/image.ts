import type { Scheduler } from './scheduler.ts'

export const MAX_IMAGE_BYTES = 512 * 1024

/** In pixels, on each side. */
export const MAX_IMAGE_SIDE = 4096

const OWN = /^\/images\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** The path of an uploaded picture. It is stored like this, because the public URL may change. */
export const imagePath = (id: string): string => `/images/${id}`

/** The id in the path of an uploaded picture; undefined for all other addresses. */
export const imageIdOf = (address: string): string | undefined => OWN.exec(address)?.[1]

/** The address of a picture as it is stored: without the public URL, if it is on our own server. */
export function storedImage(publicUrl: string, address: string): string {
  const path = address.startsWith(publicUrl) ? address.slice(publicUrl.length) : address
  return imageIdOf(path) === undefined ? address : path
}

/** The whole address of a stored picture. */
export const shownImage = (publicUrl: string, stored: string): string =>
  imageIdOf(stored) === undefined ? stored : publicUrl + stored

/** The same if it is on our own server, or empty: any other server would learn who looks at it. */
export const ownImage = (publicUrl: string, stored: string): string =>
  imageIdOf(stored) === undefined ? '' : publicUrl + stored

/** A user or team with whole addresses of their pictures, as others see them. */
export function withShownImages<T extends Pick<Scheduler, 'avatarUrl' | 'branding'>>(
  publicUrl: string,
  scheduler: T,
): T {
  const { avatarUrl, branding } = scheduler
  return {
    ...scheduler,
    avatarUrl: shownImage(publicUrl, avatarUrl),
    branding: { ...branding, logoUrl: shownImage(publicUrl, branding.logoUrl) },
  }
}
