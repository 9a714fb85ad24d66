import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { embedConfigs, pagesConfig } from './build.ts'

/** The service and its pages, both made anew on every change. A page shows it when it is loaded again. */
const configs = [await pagesConfig(), ...embedConfigs()]
// As it is now: Vite sets NODE_ENV to production, and that would be no place for the demo workspace.
const env = { ...process.env }
for (const config of configs) {
  await build({ ...config, logLevel: 'info', build: { ...config.build, watch: {}, minify: false } })
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const server = spawn(process.execPath, ['--watch', main, ...process.argv.slice(2)], { env, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => process.exit(code ?? 1))
