import { fileURLToPath } from 'node:url'

/**
 * The whole environment of a process that a test starts: settings of a real service must not reach it.
 *
 * Node.js may need `LD_LIBRARY_PATH` to start, and starts much faster with a compile cache. The machine may stand still for
 * seconds, so that only tests of time-outs have short ones.
 */
export const BARE_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH ?? '',
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
  DATABASE_TIMEOUT_SECONDS: '300',
}
