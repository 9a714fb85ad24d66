/** Where pictures that hosts uploaded are served. They are stored without the public URL, which may change. */
export const IMAGES = '/images/'

/** Whether this is the path of a picture on our own server. */
export function isOwnImage(address: string): boolean {
  return /^\/images\/[A-Za-z0-9_-]{1,64}$/.test(address)
}
