import { smtpMailer } from '../src/outside/mail/mail.ts'
import { createContext } from '../src/services/context.ts'
import { openPatiently } from './databases.ts'
import { runDueJobs } from './jobs.ts'
import { quietContext } from './kit.ts'

// An instance in its own process, which can be killed: it does what is due at each time that its parent names.

const [url = '', smtp = '', from = ''] = process.argv.slice(2)
let now = 0

const context = createContext({
  ...quietContext,
  db: openPatiently(url),
  now: () => now,
  mailer: smtpMailer(smtp, from).send,
  publicUrl: 'https://book.example.com',
  captcha: { altchaSecret: 'altcha-secret-of-the-tests', services: {} },
})

process.on('message', async (time: number) => {
  now = time
  await runDueJobs(context)
  process.send?.('done')
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
