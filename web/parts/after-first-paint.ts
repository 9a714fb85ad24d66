const AT_LATEST = 250

/**
 * Does something once the guest sees what the server has painted.
 *
 * A script that has arrived would otherwise run before that: the browser paints when nothing else is to do.
 */
export function afterFirstPaint(begin: () => Promise<void>): void {
  let begun = false
  const once = () => {
    if (begun) return
    begun = true
    void begin()
  }
  requestAnimationFrame(() => setTimeout(once))
  // A tab in the background paints nothing.
  setTimeout(once, AT_LATEST)
}
