// The script at /embed/embed.js, for sites that were made for Cal.com's: the same queue, instructions and events, with our
// pages in the frames.

import { openFrames } from '../frames.ts'
import { findService } from '../service.ts'
import { defineElements } from './elements.ts'
import { type Api, createNamespace } from './namespace.ts'

type Instruction = ArrayLike<unknown>

interface Queue {
  length: number
  push(instruction: Instruction): unknown
  splice(start: number): Instruction[]
}

interface Caller {
  (...instruction: unknown[]): void
  q?: Queue
  instance?: unknown
}

interface Global extends Caller {
  ns?: Record<string, Caller>
  loaded?: boolean
  config?: { readonly forwardQueryParams?: boolean }
}

declare global {
  interface Window {
    Cal?: Global
  }
}

function start(cal: Global, service: { readonly base: string; readonly origin: string }): void {
  const { base, origin } = service
  const frames = openFrames(base, origin)
  const apis = new Map<string, Api>()
  cal.ns ??= {}
  const namespaces = cal.ns

  const apiOf = (name: string): Api => {
    const known = apis.get(name)
    if (known !== undefined) return known
    const forwards = () => cal.config?.forwardQueryParams === true
    const made = createNamespace(name, { base, origin, frames, forwards })
    const initNamespace = (other: unknown) => {
      if (typeof other !== 'string') return
      namespaces[other] ??= (...instruction) => void namespaces[other]?.q?.push(instruction)
      serve(other, namespaces[other])
    }
    // The snippet makes a namespace, and says so here; without the snippet, `init` does.
    const api = { ...made, init: initNamespace, initNamespace }
    apis.set(name, api)
    return api
  }

  const obey = (name: string, instruction: Instruction): void => {
    const [method, ...given] = Array.from(instruction)
    if (typeof method !== 'string') {
      for (const each of [method, ...given]) obey(name, each as Instruction)
      return
    }
    try {
      // A mistake in one instruction must not stop the others.
      const run = apiOf(name)[method]
      if (run === undefined) throw new Error(`Instruction ${method} not FOUND`)
      run(...(given as never[]))
    } catch (error) {
      console.error("Instruction couldn't be executed", error)
    }
  }

  /** Works off what was asked before this script was there, and from then on everything at once. */
  const serve = (name: string, caller: Caller): void => {
    if (caller.instance) return
    caller.instance = { namespace: name }
    caller.q ??= [] as unknown as Queue
    const queue = caller.q
    const waiting = queue.splice(0)
    queue.push = (instruction) => obey(name, instruction)
    for (const instruction of waiting) obey(name, instruction)
  }

  defineElements()
  serve('', cal)
  for (const [name, caller] of Object.entries(namespaces)) serve(name, caller)

  addEventListener('click', (event) => {
    const { button, metaKey, ctrlKey, shiftKey } = event
    // Clicks that open a new tab are left alone.
    if (button !== 0 || metaKey || ctrlKey || shiftKey) return
    const path = event.composedPath() as HTMLElement[]
    const opener = path.find(({ dataset }) => dataset?.calLink)
    if (opener === undefined) return
    const { calLink, calNamespace = '', calConfig } = opener.dataset
    if (opener.matches('a')) event.preventDefault()
    obey(calNamespace, ['modal', { calLink, config: objectIn(calConfig) }])
  })
}

function objectIn(json = ''): object {
  try {
    return Object(JSON.parse(json))
  } catch {
    return {}
  }
}

const service = findService('/embed/embed.js')
if (service === undefined) throw new Error('Cal: load embed.js by a script element.')
// Usually there already, from the snippet.
window.Cal ??= (...instruction: unknown[]) => void window.Cal?.q?.push(instruction)
// Loading the script twice has no effect.
if (!window.Cal.instance) start(window.Cal, service)
