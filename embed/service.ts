/** Where the running script came from: the service's address before `path`. It is loaded by a script element. */
export function findService(path: string): { readonly base: string; readonly origin: string } | undefined {
  const script = (document.currentScript ??
    document.querySelector(`script[src*="${path}"]`)) as HTMLScriptElement | null
  if (script === null) return undefined
  return { base: script.src.slice(0, script.src.lastIndexOf(path)), origin: new URL(script.src).origin }
}

/**
 * The path of a page in an address that was written for another service or for this one, and its query.
 *
 * Whatever host it names, the service that the script came from is meant.
 */
export function readAddress(
  base: string,
  address: string,
): { readonly link: string; readonly query: URLSearchParams } {
  const own = address.startsWith(`${base}/`) ? address.slice(base.length) : address
  const { pathname, searchParams } = new URL(
    own.replace(/^\/*(?=[^/])/, '/').replace(/^\/(?=https?:)/, ''),
    base,
  )
  return { link: pathname.replace(/^\/+|\/+$/g, ''), query: searchParams }
}
