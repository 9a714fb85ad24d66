import type { PunctualApi } from './api.ts'

export type {
  EventName,
  FloatingOptions,
  Handler,
  Popup,
  PunctualApi,
  Widget,
  WidgetEvent,
  WidgetOptions,
} from './api.ts'

let loading: Promise<PunctualApi> | undefined

/** Loads the widget's script from this service, once for all calls. */
export function loadPunctual(service: string): Promise<PunctualApi> {
  if (window.Punctual !== undefined) return Promise.resolve(window.Punctual)
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${service.replace(/\/$/, '')}/embed.v1.js`
    script.onload = () => resolve(window.Punctual as PunctualApi)
    script.onerror = () => {
      // The next call may succeed.
      loading = undefined
      script.remove()
      reject(new Error(`Punctual: ${script.src} could not be loaded.`))
    }
    document.head.append(script)
  })
  return loading
}
