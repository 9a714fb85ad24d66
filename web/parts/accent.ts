import { accentOf, readColour, type ThemedColour } from '../../src/format/contrast.ts'

/** Applies a host's colour, where the server did not know the host. */
export function wearAccent(primaryColor: string): void {
  const { fill, hover, onFill, edge, text, tint } = accentOf(primaryColor)
  const set = (name: string, { light, dark }: ThemedColour) =>
    document.documentElement.style.setProperty(name, `light-dark(${light}, ${dark})`)
  set('--accent', fill)
  set('--accent-hover', hover)
  set('--on-accent', onFill)
  set('--accent-edge', edge)
  set('--accent-text', text)
  set('--accent-tint', tint)
}

/** Applies the colour that a site asks for, if it is one. */
export function wearAsked(colour: string): void {
  const read = readColour(colour)
  if (read !== undefined) wearAccent(read)
}
