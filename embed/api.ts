// The public interface of the widget: what a site calls, and what it receives.

export const EVENTS = [
  'ready',
  'slotSelected',
  'submitting',
  'booked',
  'rescheduled',
  'cancelled',
  'routed',
  'failed',
  'height',
] as const

/** The version of the messages between this script and web/parts/embedding.ts. */
export const VERSION = 1

export type EventName = (typeof EVENTS)[number]

export interface WidgetOptions {
  /** What to show: `user`, `user/event` or `user/forms/form`. */
  readonly link: string
  /** Prefilled answers, by field: `name`, `email`, `phone`, `notes`, or the key of a question; several choices as a list. */
  readonly prefill?: Readonly<Record<string, string | readonly string[]>> | undefined
  /** The campaign, such as `{ source: 'newsletter' }`; also read from the URL of the site's page. */
  readonly utm?: Readonly<Record<string, string>> | undefined
  /** Default: that of the site around the widget. `auto` is that of the visitor's system. */
  readonly theme?: 'light' | 'dark' | 'auto' | undefined
  /** Such as `de`. Default: the visitor's browser language. */
  readonly locale?: string | undefined
  /** Hides the host and event details, for sites that show them themselves. */
  readonly hideDetails?: boolean | undefined
  /** The accessible name of the frame and the dialog. */
  readonly title?: string | undefined
  /** Minimum height of an inline widget in pixels, also while it loads. */
  readonly minHeight?: number | undefined
}

export interface FloatingOptions extends WidgetOptions {
  readonly text?: string | undefined
  readonly color?: string | undefined
  readonly textColor?: string | undefined
  readonly position?: 'left' | 'right' | undefined
}

export interface Widget {
  destroy(): void
}

export interface Popup extends Widget {
  open(): void
  close(): void
}

/** An event for the site: the widget and ids, never anything about the visitor. */
export interface WidgetEvent {
  readonly event: EventName
  readonly link: string
  readonly widget: Widget
  readonly eventTypeId?: string
  readonly eventTypeSlug?: string
  readonly bookingId?: string
  readonly formId?: string
  /** For `failed`: the HTTP status, or 0 if there was no response or the page could not be shown. */
  readonly status?: number
  readonly height?: number
}

export type Handler = (event: WidgetEvent) => void

export interface PunctualApi {
  readonly version: number
  /** The address of the service whose pages are shown. */
  readonly service: string
  inline(target: Element | string, options: WidgetOptions): Widget
  /** Opens by a click on `target`; if that is null, only by `open()`. */
  popup(target: Element | string | null, options: WidgetOptions): Popup
  floating(options: FloatingOptions): Popup
  /** Returns a function that removes the handler. */
  on(event: EventName, handler: Handler): () => void
  off(event: EventName, handler: Handler): void
  /** Mounts new elements with `data-punctual…`. */
  scan(): void
}

declare global {
  interface Window {
    Punctual?: PunctualApi
  }
}
