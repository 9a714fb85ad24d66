import { type ButtonHTMLAttributes, type HTMLAttributes, useEffect, useRef } from 'react'
import type { EventName, Handler, PunctualApi, Widget, WidgetOptions } from '../api.ts'
import { loadPunctual } from '../load.ts'

const HANDLERS = {
  onReady: 'ready',
  onSlotSelected: 'slotSelected',
  onSubmitting: 'submitting',
  onBooked: 'booked',
  onRescheduled: 'rescheduled',
  onCancelled: 'cancelled',
  onRouted: 'routed',
  onFailed: 'failed',
  onHeight: 'height',
} as const satisfies Record<string, EventName>

type HandlerName = keyof typeof HANDLERS

export type WidgetProps = WidgetOptions & { readonly [Name in HandlerName]?: Handler | undefined } & {
  /** The URL of the service, such as `https://book.example.com`. */
  readonly service: string
}

type Own = keyof WidgetProps

export type PunctualInlineProps = WidgetProps & Omit<HTMLAttributes<HTMLDivElement>, Own | 'children'>

export type PunctualPopupProps = WidgetProps & Omit<ButtonHTMLAttributes<HTMLButtonElement>, Own>

/** An inline widget. */
export function PunctualInline(props: PunctualInlineProps) {
  const [own, rest] = split(props)
  const container = useRef<HTMLDivElement>(null)
  useWidget(own, (punctual, options) => container.current && punctual.inline(container.current, options))
  return <div {...rest} ref={container} />
}

/** A button that opens the widget in a dialog. */
export function PunctualPopup(props: PunctualPopupProps) {
  const [own, rest] = split(props)
  const opener = useRef<HTMLButtonElement>(null)
  useWidget(own, (punctual, options) => opener.current && punctual.popup(opener.current, options))
  return <button type="button" {...rest} ref={opener} />
}

function useWidget(
  props: WidgetProps,
  make: (punctual: PunctualApi, options: WidgetOptions) => Widget | null,
): void {
  // Handlers may change with every render; the widget must not be recreated for that.
  const latest = useRef(props)
  latest.current = props
  const { service } = props
  const options = JSON.stringify(optionsOf(props))

  // biome-ignore lint/correctness/useExhaustiveDependencies: the function that creates it does not change
  useEffect(() => {
    let widget: Widget | null = null
    let left = false
    const ends: (() => void)[] = []
    const begin = (punctual: PunctualApi) => {
      if (left) return
      for (const [name, event] of Object.entries(HANDLERS) as [HandlerName, EventName][]) {
        ends.push(
          punctual.on(event, (received) => received.widget === widget && latest.current[name]?.(received)),
        )
      }
      widget = make(punctual, JSON.parse(options))
    }
    loadPunctual(service).then(begin, reportError)
    return () => {
      left = true
      for (const end of ends) end()
      widget?.destroy()
    }
  }, [service, options])
}

function optionsOf({ link, prefill, utm, theme, locale, hideDetails, title, minHeight }: WidgetOptions) {
  return { link, prefill, utm, theme, locale, hideDetails, title, minHeight } satisfies WidgetOptions
}

/** Splits our own props from those of the element. */
function split<Props extends WidgetProps>(props: Props): [WidgetProps, Omit<Props, Own>] {
  const rest = { ...props } as Record<string, unknown>
  const own = ['service', ...Object.keys(HANDLERS), ...Object.keys(optionsOf(props))]
  for (const name of own) delete rest[name]
  return [props, rest as Omit<Props, Own>]
}
