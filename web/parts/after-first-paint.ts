/**
 * The first lines of every page, inlined by the server: they load the page's script after the first paint.
 *
 * Otherwise the browser would run a script that has arrived before it paints. All modules are requested at once then,
 * instead of import by import.
 */

/** In case the browser reports no paint. */
const AT_LATEST = 3000

const { script, imports } = (document.querySelector('script[data-script]') as HTMLScriptElement).dataset
let begun = false

function begin(): void {
  if (begun) return
  begun = true
  for (const href of imports?.split(' ') ?? []) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  }
  document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: script }))
}

// Background tabs and frames out of sight do not paint, and some browsers do not report it.
const tells = PerformanceObserver.supportedEntryTypes.includes('paint')
if (!tells || document.visibilityState === 'hidden' || window.parent !== window) {
  begin()
} else {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) begin()
  }).observe({ type: 'paint', buffered: true })
  setTimeout(begin, AT_LATEST)
}

export {}
