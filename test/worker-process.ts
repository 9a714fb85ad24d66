import { once } from 'node:events'
import { request } from 'node:http'
import { createContext } from '../src/services/context.ts'
import { startWorker } from '../src/worker/worker.ts'
import { openPatiently } from './databases.ts'
import { quietContext } from './kit.ts'

// A worker in its own process, which can be killed: it reports every email job to a receiver.

const [url = '', receiver = '', lease = ''] = process.argv.slice(2)

const context = createContext({
  ...quietContext,
  db: openPatiently(url),
  publicUrl: 'https://book.example.com',
  captcha: { altchaSecret: 'altcha-secret-of-the-tests', services: {} },
})

const worker = startWorker(context, {
  handlers: {
    mail: async (_, job) => {
      const telling = request(receiver, { method: 'POST' })
      telling.end(JSON.stringify({ id: job.id, data: job.data, by: process.pid }))
      const [answer] = await once(telling, 'response')
      answer.resume()
    },
  },
  lease: Number(lease),
  pollEvery: 50,
})

process.on('SIGTERM', async () => {
  await worker.stop()
  await context.db.destroy()
})
process.stdout.write('ready\n')
