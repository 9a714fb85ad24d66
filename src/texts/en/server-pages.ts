/** What pages say that need no script. */
export default {
  home: {
    title: 'Scheduling without the back-and-forth',
    what: 'Share a link, and let people book a time that suits you both.',
    guests: 'Want to book someone? Open the link they sent you. You don’t need an account.',
    signIn: 'Sign in',
    demo: 'See the demo',
    api: 'API reference',
  },
  unsubscribe: {
    title: 'Stop emails from {name}?',
    what: 'You won’t get any more emails from {name} after meetings or about forms. Emails about your coming meetings still reach you.',
    button: 'Unsubscribe',
    done: 'You’re unsubscribed',
    after: '{name} won’t send you such emails again.',
  },
  notice: {
    missing: 'Page not found',
    hint: 'The link may be old or mistyped. Please ask the person who sent it for a new one.',
    trouble: 'Something went wrong',
    startAgain: 'Please start again from the form.',
  },
  noScriptWrite: 'Without JavaScript, you can book by email:',
  offline: {
    title: 'You are offline',
    hint: 'The dashboard only shows what is current, so it needs a connection.',
    again: 'Try again',
  },
  standIn: {
    away: '{host} is away: {time}.',
    book: 'Book with {name} instead',
  },
  endedLink: {
    used: 'This link has already been used',
    expired: 'This link has expired',
    ask: 'Please ask {name} for a new one.',
  },
  noScript: 'This page needs JavaScript to show available times. You can also book through the public API.',
} as const
