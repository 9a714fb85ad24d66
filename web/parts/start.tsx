import { type ComponentType, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import type { PageData } from '../../src/http/pages/page-data.ts'
import { beginEmbedding, tellReady } from './embedding.ts'
import { loadTexts, SpeechContext, speechOf } from './texts.tsx'

/** Renders the page over the server's first paint. */
export async function start<Data extends PageData>(Page: ComponentType<{ data: Data }>): Promise<void> {
  const data = JSON.parse(elementById('data').textContent) as Data
  const speech = speechOf(data.locale, await loadTexts(data.locale.language))
  const root = elementById('root')
  beginEmbedding(data, root)
  createRoot(root).render(
    <StrictMode>
      <SpeechContext value={speech}>
        <Page data={data} />
        <Ready data={data} />
      </SpeechContext>
    </StrictMode>,
  )
}

function Ready({ data }: { readonly data: PageData }) {
  useEffect(() => tellReady(data), [data])
  return null
}

function elementById(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`The page has no element "${id}".`)
  return element
}
