import { withBase } from '../base.ts'
import { language } from '../language.ts'
import { sendAsHost } from './api.ts'
import { HostApiFailure } from './errors.ts'

interface Options {
  /** Called with the part that is uploaded, from 0 to 1. */
  readonly onProgress: (part: number) => void
  readonly signal: AbortSignal
}

/** Uploads a large file to the host API, as bytes; throws a `HostApiFailure`. `fetch` tells no progress. */
export async function upload<T>(path: string, file: Blob, options: Options): Promise<T> {
  const response = await sendAsHost(true, (token) => send(path, file, token, options))
  return (await response.json()) as T
}

function send(path: string, file: Blob, token: string, { onProgress, signal }: Options): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = new XMLHttpRequest()
  request.open('POST', withBase(`/api/admin${path}`))
  request.setRequestHeader('authorization', `Bearer ${token}`)
  request.setRequestHeader('accept-language', language())
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
  request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
  request.onerror = () => reject(new HostApiFailure(0, ''))
  request.onabort = () => reject(signal.reason)
  signal.addEventListener('abort', () => request.abort(), { once: true })
  request.send(file)
  return promise
}
