/**
 * The first lines of every page, which the server writes into it: they fetch and run its script once the
 * guest sees what the server has painted.
 *
 * A script that has arrived would otherwise be read and run before that: the browser paints when nothing
 * else is to do. So it is not even asked for until then, and then all of it at once, instead of import by import.
 */

/** Should the browser never tell. */
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

// A tab in the background paints nothing, nor does a frame that is out of sight; and some browsers do not tell.
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
