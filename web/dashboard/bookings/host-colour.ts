/** How many colours there are to tell hosts apart. */
const COLOURS = 8

/** The colour of a host, the same on every page. */
export function colourOf(hostId: string): number {
  let sum = 0
  for (const letter of hostId.replaceAll('-', '').slice(-8))
    sum = (sum * 16 + Number.parseInt(letter, 16)) % 9973
  return sum % COLOURS
}

/** The first letters of a name, where there is no picture. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
