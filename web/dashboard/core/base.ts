let base = ''

/** Where this service lives below its origin; empty at the root. */
export function setBase(given: string): void {
  base = given
}

/** The address of a path of this service, such as /app/bookings. */
export const withBase = (path: string) => base + path

/** The path without the part that every address of this service begins with. */
export const withoutBase = (address: string) => address.slice(base.length)
