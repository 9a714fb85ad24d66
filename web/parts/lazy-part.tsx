import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react'
import { useSpeech } from './texts.tsx'

/** A component in a file of its own. */
export interface LazyPart<Props> {
  readonly name: string
  /** Loads the file, unless that has worked before. */
  readonly load: () => Promise<void>
  readonly loaded: () => ComponentType<Props> | undefined
}

export function lazyPart<Props>(
  name: string,
  read: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined
  return {
    name,
    load: async () => {
      loaded ??= (await read()).default
    },
    loaded: () => loaded,
  }
}

/** Loads parts as soon as the browser has nothing else to do. Who needs one later sees whether that failed. */
export function usePreloaded(...parts: readonly { readonly load: () => Promise<void> }[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts of a page never change
  useEffect(() => {
    const load = () => {
      for (const part of parts) part.load().catch(() => {})
    }
    // Safari has no idle callbacks.
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(load, 2000)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(load)
    return () => cancelIdleCallback(idle)
  }, [])
}

interface LazyProps<Props> {
  readonly part: LazyPart<Props>
  /** Shown while the file loads. */
  readonly waiting?: ReactNode
  /** Shown if the file can't be loaded, instead of an alert. */
  readonly failing?: (tryAgain: () => void) => ReactNode
  readonly children: (Part: ComponentType<Props>) => ReactNode
}

/**
 * Shows a part once its file is there. If the file can't be loaded, the rest of the page stays.
 *
 * Without `Suspense`: what that has replaced once, React shows a third of a second later at the earliest.
 */
export function Lazy<Props>({ part, waiting, failing, children }: LazyProps<Props>) {
  const { tell } = useSpeech()
  const [failed, setFailed] = useState(false)
  const [Part, setPart] = useState(part.loaded)
  const load = useCallback(
    () =>
      part.load().then(
        () => setPart(part.loaded),
        () => setFailed(true),
      ),
    [part],
  )
  useEffect(() => {
    if (part.loaded() === undefined) void load()
  }, [part, load])
  const tryAgain = async () => {
    setFailed(false)
    await load()
    if (part.loaded() !== undefined || !(await isServerThere())) return
    // The file belongs to a former release, or the browser remembers that it failed.
    keepWanted(part.name)
    location.reload()
  }
  if (Part !== undefined) return children(Part)
  if (!failed) return waiting
  if (failing !== undefined) return failing(() => void tryAgain())
  return (
    <div role="alert" className="alert alert-retry">
      <p>{tell('partFailed')}</p>
      <button type="button" className="text-button" onClick={() => void tryAgain()}>
        {tell('tryAgain')}
      </button>
    </div>
  )
}

const WANTED = 'punctual:wanted'

function keepWanted(name: string): void {
  try {
    sessionStorage.setItem(WANTED, name)
  } catch {
    // The guest opens it again.
  }
}

/** Whether the page was reloaded in order to show this part. */
export function isWanted({ name }: { readonly name: string }): boolean {
  try {
    const wanted = sessionStorage.getItem(WANTED) === name
    if (wanted) sessionStorage.removeItem(WANTED)
    return wanted
  } catch {
    return false
  }
}

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch(location.href, { method: 'HEAD', cache: 'no-store' })).ok
  } catch {
    return false
  }
}
