export interface Built {
  /** The path of its stamp. */
  readonly stamp: string
  readonly ingredients: readonly string[]
}
export const PAGES: Built
/** `main` is the path of the script to run. */
export const SERVER: Built & { readonly main: string }
export function stampOf(root: string, built: Built): string
export function writeStamp(root: string, built: Built, text: string): void
export function isFresh(root: string, built: Built): boolean
