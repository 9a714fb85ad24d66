import { readSettings } from '../src/settings.ts'
import { openService } from '../src/start.ts'
import { HANDLERS } from '../src/worker/handlers.ts'
import { startWorker } from '../src/worker/worker.ts'

// An instance as `main.ts` makes it, without its HTTP side, and with a lease that a test can wait for.

const { context, close } = await openService(readSettings())
const worker = startWorker(context, {
  handlers: HANDLERS,
  lease: Number(process.argv[2]),
  pollEvery: 50,
  onError: (error, what) => process.stderr.write(`${what}: ${error.message}\n`),
})

process.on('SIGTERM', async () => {
  await worker.stop()
  await close()
})
process.stdout.write('ready\n')
