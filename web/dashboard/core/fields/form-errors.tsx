import {
  createContext,
  type ReactNode,
  type Ref,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { WarningIcon } from '../../../parts/icons.tsx'
import { closestPath } from '../closest-path.ts'
import { errorText, fieldOf } from '../data/errors.ts'

/** Where the error of a form is shown. */
interface PlacedError {
  readonly error: unknown
  /** The wire path of the control that shows it; undefined: the form's error line does. */
  readonly path: string | undefined
  /** The tab that has this control; undefined: it is in none. */
  readonly tab: string | undefined
}

/** What is still missing, by the wire path of the control that says so. */
type Warnings = Readonly<Record<string, string>>

interface Form {
  readonly placed: PlacedError | undefined
  readonly warnings: Warnings
  /** Adds a control; the function that is returned removes it. */
  readonly register: (path: string, tab: string | undefined) => () => void
}

const FormContext = createContext<Form | undefined>(undefined)

/** The tab around a control. */
export const TabContext = createContext<string | undefined>(undefined)

interface FormProps {
  readonly error: unknown
  readonly warnings?: Warnings
  readonly children: ReactNode
}

const NO_WARNINGS: Warnings = {}

/** A form: shows its error at the control of the refused field, or at its error line. */
export function FormErrors({ error, warnings = NO_WARNINGS, children }: FormProps) {
  const tabs = useRef(new Map<string, string | undefined>())
  const [placed, setPlaced] = useState<PlacedError>()
  const register = useCallback((path: string, tab: string | undefined) => {
    tabs.current.set(path, tab)
    return () => {
      tabs.current.delete(path)
    }
  }, [])
  // The controls have registered by now: effects of children run first.
  useLayoutEffect(() => {
    const failed = error !== null && error !== undefined
    const path = failed ? closestPath(tabs.current.keys(), fieldOf(error)) : undefined
    const tab = path === undefined ? undefined : tabs.current.get(path)
    setPlaced(failed ? { error, path, tab } : undefined)
  }, [error])
  const form = useMemo(() => ({ placed, warnings, register }), [placed, warnings, register])
  return <FormContext value={form}>{children}</FormContext>
}

/** What is still missing at the control of this path. */
export function useFieldWarning(path: string | undefined): string | undefined {
  const warnings = use(FormContext)?.warnings
  return path === undefined ? undefined : warnings?.[path]
}

/** The error of the form around, wherever it is shown. */
export function useFormError(): PlacedError | undefined {
  return use(FormContext)?.placed
}

/** The error to show at the control of this path; a new error moves the focus there. */
export function useFieldError(path: string | undefined, focus: () => void): string | undefined {
  const form = use(FormContext)
  const register = form?.register
  const tab = use(TabContext)
  useLayoutEffect(() => (path === undefined ? undefined : register?.(path, tab)), [path, tab, register])
  const placed = path !== undefined && form?.placed?.path === path ? form.placed : undefined
  const focusNow = useRef(focus)
  useEffect(() => {
    focusNow.current = focus
  })
  useEffect(() => {
    if (placed !== undefined) focusNow.current()
  }, [placed])
  return placed && errorText(placed.error)
}

interface ErrorLineProps {
  readonly id?: string
  readonly ref?: Ref<HTMLParagraphElement>
  readonly children: ReactNode
}

/** What is still missing, below a control. */
export function WarningLine({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <p id={id} className="warning small">
      <span className="icon">
        <WarningIcon size={16} />
      </span>
      <span>{children}</span>
    </p>
  )
}

/** One line below a control. */
export function ErrorLine({ id, ref, children }: ErrorLineProps) {
  return (
    <p id={id} ref={ref} className="error" tabIndex={-1}>
      <span className="icon">
        <WarningIcon size={16} />
      </span>
      <span>{children}</span>
    </p>
  )
}

/** The error of a field that consists of several controls. */
export function FieldError({ field }: { readonly field: string }) {
  const line = useRef<HTMLParagraphElement>(null)
  const error = useFieldError(field, () => line.current?.focus())
  return error === undefined ? null : <ErrorLine ref={line}>{error}</ErrorLine>
}

/** The form's error line: shows what no control of the form shows. */
export function FormError() {
  const placed = useFormError()
  return <ErrorAlert error={placed?.path === undefined ? placed?.error : undefined} />
}

/** Says what went wrong with an action. */
export function ErrorAlert({ error }: { readonly error: unknown }) {
  return (
    <div role="alert">
      {error !== null && error !== undefined && <p className="alert">{errorText(error)}</p>}
    </div>
  )
}
