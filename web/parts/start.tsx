import { type ComponentType, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { type Locale, wordingOf } from '../../src/domain/languages.ts'
import type { PageData } from '../../src/http/pages/page-data.ts'
import { beginEmbedding, tellReady } from './embedding.ts'
import { loadTexts, SpeechContext, speechOf } from './texts.tsx'

/** For pages that choose their language in the browser, and have more to load in it than the texts. */
interface OwnLanguage {
  locale(): Locale
  load(): Promise<void>
}

/** Renders the page over the server's first paint. */
export async function start<Data extends PageData>(
  Page: ComponentType<{ data: Data }>,
  own?: OwnLanguage,
): Promise<void> {
  const sent = JSON.parse(elementById('data').textContent) as Data
  const data = own === undefined ? sent : { ...sent, locale: own.locale() }
  document.documentElement.lang = data.locale.tag
  const [texts] = await Promise.all([
    loadTexts(wordingOf(data.locale.language, data.germanAddress)),
    own?.load(),
  ])
  const speech = speechOf(data.locale, texts)
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
