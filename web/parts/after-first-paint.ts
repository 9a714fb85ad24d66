/** Should the browser never tell. */
const AT_LATEST = 3000

/**
 * Does something once the guest sees what the server has painted.
 *
 * A script that has arrived would otherwise be read and run before that: the browser paints when nothing
 * else is to do. So what comes next is not even asked for until then, and then all of it at once.
 */
export function afterFirstPaint(begin: () => Promise<void>): void {
  let begun = false
  const once = () => {
    if (begun) return
    begun = true
    fetchLater()
    void begin()
  }
  // A tab in the background paints nothing, and some browsers do not tell.
  if (document.visibilityState === 'hidden' || !PerformanceObserver.supportedEntryTypes.includes('paint')) {
    once()
    return
  }
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) once()
  }).observe({ type: 'paint', buffered: true })
  setTimeout(once, AT_LATEST)
}

/** Has the browser fetch what the server knows to be wanted, instead of finding it out import by import. */
function fetchLater(): void {
  const script = document.querySelector<HTMLScriptElement>('script[data-later]')
  for (const href of script?.dataset.later?.split(' ') ?? []) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = href
    document.head.append(link)
  }
}
