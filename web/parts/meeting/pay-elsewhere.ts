/**
 * Opens the page for paying in a tab beside the site: it can't be framed, and the site stays to hear of the booking.
 * Returns whether that was allowed: the press must be fresh, and a sandboxed frame may open nothing.
 */
export function openBeside(address: string): boolean {
  // With `noopener`, nobody would know whether it has opened.
  const tab = window.open('', '_blank')
  if (tab === null) return false
  tab.opener = null
  tab.location.href = address
  return true
}

/** Opens it in place of the site. Returns whether the site lets its frames do so. */
export function openInstead(address: string): boolean {
  try {
    ;(window.top ?? window).location.href = address
    return true
  } catch {
    return false
  }
}
