import type { Locale } from '../../domain/languages.ts'
import { type Html, html } from '../../format/text/html.ts'
import { frame } from './first-paint.ts'

interface Words {
  readonly title: string
  readonly what: string
  readonly guests: string
  readonly signIn: string
  readonly demo: string
  readonly api: string
}

const WORDS: Readonly<Record<Locale['language'], Words>> = {
  en: {
    title: 'Scheduling without the back-and-forth',
    what: 'Share a link, and let people book a time that suits you both.',
    guests: 'Want to book someone? Open the link they sent you. You don’t need an account.',
    signIn: 'Sign in',
    demo: 'See the demo',
    api: 'API reference',
  },
  de: {
    title: 'Termine ohne langes Hin und Her',
    what: 'Teilen Sie einen Link, und lassen Sie andere eine Zeit buchen, die beiden passt.',
    guests:
      'Sie möchten einen Termin buchen? Öffnen Sie den Link, den Sie erhalten haben. Ein Konto brauchen Sie nicht.',
    signIn: 'Anmelden',
    demo: 'Demo ansehen',
    api: 'API-Referenz',
  },
  es: {
    title: 'Citas sin tanto ir y venir',
    what: 'Comparte un enlace y deja que los demás reserven una hora que os venga bien a ambos.',
    guests: '¿Quieres reservar con alguien? Abre el enlace que te envió. No necesitas una cuenta.',
    signIn: 'Iniciar sesión',
    demo: 'Ver la demostración',
    api: 'Referencia de la API',
  },
  fr: {
    title: 'Des rendez-vous sans allers-retours',
    what: 'Partagez un lien et laissez chacun réserver un créneau qui vous convient à tous deux.',
    guests: 'Vous voulez réserver ? Ouvrez le lien que vous avez reçu. Aucun compte n’est nécessaire.',
    signIn: 'Se connecter',
    demo: 'Voir la démo',
    api: 'Référence de l’API',
  },
  pt: {
    title: 'Agendamentos sem vaivém',
    what: 'Compartilhe um link e deixe as pessoas reservarem um horário bom para ambos.',
    guests: 'Quer agendar com alguém? Abra o link que você recebeu. Não é preciso ter uma conta.',
    signIn: 'Entrar',
    demo: 'Ver a demonstração',
    api: 'Referência da API',
  },
  ja: {
    title: '日程調整を、もっと簡単に',
    what: 'リンクを共有するだけで、相手がお互いに都合のよい時間を予約できます。',
    guests: '予約したい方は、受け取ったリンクを開いてください。アカウントは不要です。',
    signIn: 'ログイン',
    demo: 'デモを見る',
    api: 'APIリファレンス',
  },
}

export const homeTitle = ({ language }: Locale): string => `Punctual · ${WORDS[language].title}`

export const homeDescription = ({ language }: Locale): string => WORDS[language].what

export const signInTitle = ({ language }: Locale): string => WORDS[language].signIn

/** The page at the root: what this service is, and the ways on. */
export function paintHome(base: string, { language }: Locale, demoSlug: string | undefined): Html {
  const { title, what, guests, signIn, demo, api } = WORDS[language]
  return frame(
    base,
    html`<main class="card home"><img src="${base}/assets/punctual-mark-2.svg" alt="" width="56" height="56">
<h1>${title}</h1><p>${what}</p><div class="actions"><a class="button" href="${base}/app">${signIn}</a>${
      demoSlug !== undefined && html`<a class="button button-quiet" href="${base}/${demoSlug}">${demo}</a>`
    }<a class="button button-quiet" href="${base}/docs">${api}</a></div>
<p class="small">${guests}</p></main>`,
    language,
    '',
  )
}
