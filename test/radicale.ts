import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type CalDavServer, PASSWORD, USER, withCalendars } from './caldav-server.ts'
import { SEARCH_PATH } from './installed.ts'
import { findFreePort } from './server-process.ts'

const START_LIMIT = 120_000

/** Starts Radicale, a CalDAV server that people use. Throws if it is not installed, or does not work. */
export async function startRadicale(): Promise<CalDavServer> {
  const folder = await mkdtemp(join(tmpdir(), 'punctual-radicale-'))
  const port = await findFreePort()
  await writeFile(join(folder, 'users'), `${USER}:${PASSWORD}\n`)
  await writeFile(
    join(folder, 'config'),
    [
      '[server]',
      `hosts = 127.0.0.1:${port}`,
      '[auth]',
      'type = htpasswd',
      `htpasswd_filename = ${join(folder, 'users')}`,
      'htpasswd_encryption = plain',
      'delay = 0',
      '[storage]',
      `filesystem_folder = ${join(folder, 'collections')}`,
      '[logging]',
      'level = info',
      '',
    ].join('\n'),
  )
  const child = spawn('radicale', ['--config', join(folder, 'config')], {
    env: { ...process.env, PATH: SEARCH_PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // It never outlives the test.
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null && kill()) await once(child, 'exit')
    process.off('exit', kill)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (reason: string) => reject(new Error(reason))
      setTimeout(fail, START_LIMIT, `not ready after ${START_LIMIT / 1000} s`).unref()
      child.on('error', reject)
      child.on('exit', (code) => fail(`it ended with exit code ${code}`))
      createInterface({ input: child.stderr }).on('line', (line) => {
        if (/Listening on|server ready/i.test(line)) resolve()
      })
    })
    return await withCalendars({ url: `http://127.0.0.1:${port}`, stop })
  } catch (error) {
    await stop()
    throw error
  }
}
