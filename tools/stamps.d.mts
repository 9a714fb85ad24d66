export interface Built {
  /** The path of its stamp. */
  readonly stamp: string
  readonly ingredients: readonly string[]
}
export const PAGES: Built
/** `main` is the path of the script to run, which runs `bundle`. V8 has made `compiled` of it. */
export const SERVER: Built & { readonly main: string; readonly bundle: string; readonly compiled: string }
export function stampOf(root: string, built: Built): string
export function writeStamp(root: string, built: Built, text: string): void
export function isFresh(root: string, built: Built): boolean
