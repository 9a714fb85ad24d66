import {
  Component,
  type ComponentType,
  type ReactNode,
  StrictMode,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { createRoot } from 'react-dom/client'
import { type Locale, wordingOf } from '../../src/domain/languages.ts'
import type { PageData } from '../../src/http/pages/page-data.ts'
import type { Cities, GuestPages } from '../../src/texts/catalogue.ts'
import { beginEmbedding, tellReady } from './embedding.ts'
import { loadCities, loadTexts, SpeechContext, speechOf, useSpeech } from './texts.tsx'

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
  const root = elementById('root')
  beginEmbedding(data, root)
  createRoot(root).render(
    <StrictMode>
      <Spoken locale={data.locale} texts={texts}>
        <Boundary>
          <Page data={data} />
        </Boundary>
        <Ready data={data} />
      </Spoken>
    </StrictMode>,
  )
}

const NO_CITIES: Cities = {}

interface SpokenProps {
  readonly locale: Locale
  readonly texts: GuestPages
  readonly children: ReactNode
}

/** Gives the page its language. The cities come later: until then, and if they can't be loaded, they are in English. */
function Spoken({ locale, texts, children }: SpokenProps) {
  const [cities, setCities] = useState(NO_CITIES)
  useEffect(() => void loadCities(locale.language).then(setCities, () => {}), [locale.language])
  const speech = useMemo(() => speechOf(locale, texts, cities), [locale, texts, cities])
  return <SpeechContext value={speech}>{children}</SpeechContext>
}

function Ready({ data }: { readonly data: PageData }) {
  useEffect(() => tellReady(data), [data])
  return null
}

/** A sentence in place of a page that fails while it is shown. React knows such boundaries only as classes. */
class Boundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <Failed /> : this.props.children
  }
}

function Failed() {
  const { tell } = useSpeech()
  return (
    <div className="page">
      <main className="card manage" role="alert">
        <h1>{tell('pageFailed')}</h1>
        <p className="muted">{tell('pageFailedHint')}</p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {tell('tryAgain')}
        </button>
      </main>
    </div>
  )
}

function elementById(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`The page has no element "${id}".`)
  return element
}
