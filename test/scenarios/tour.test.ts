import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BARE_ENVIRONMENT } from '../bare-environment.ts'
import { isInstalled } from '../installed.ts'
import { freshHome, type Home, type ServerProcess, startServer } from '../server-process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TOUR = readFileSync(join(ROOT, 'docs', 'tour.md'), 'utf8')

/** The shell commands of a section, in their order. */
function commandsOf(section: string): string {
  const text = TOUR.split(/^## /m).find((part) => part.startsWith(section)) ?? ''
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands).join('\n')
}

const curls = ['the curl of these tests']
if (await isInstalled('curl', probeCurl)) curls.push('the installed curl')

for (const curl of curls) {
  describe(`the tour, with ${curl}`, () => {
    let home: Home
    let server: ServerProcess
    let tools: string

    before(async () => {
      home = await freshHome('sqlite')
      server = await startServer(home, { DEMO: 'on' })
      tools = mkdtempSync(join(tmpdir(), 'punctual-tour-'))
      if (curl === 'the curl of these tests') provideCurl(tools)
    })
    after(async () => {
      server.send('SIGTERM')
      await server.exited
      await home.remove()
      rmSync(tools, { recursive: true })
    })

    it('has examples that all work against the demo workspace', async () => {
      const commands = commandsOf('Try it')
      const seeded = await home.db.selectFrom('bookings').select('id').execute()
      const calls = commands.match(/^\s*(?:\w+=\$\()?curl /gm)?.length ?? 0
      assert.ok(calls > 15, 'the examples were found')

      const { code, output } = await runShell(
        `set -eu\n${commands.replaceAll('http://localhost:3000', `http://127.0.0.1:${server.port}`)}`,
      )
      // `curl -f` fails on any status of 400 and above, and `set -e` stops there.
      assert.equal(code, 0, output.slice(-500))
      const statuses =
        output.match(/(?<=[^,]*"status":")(?:Confirmed|PendingApproval)(?=","startTime)/g) ?? []
      // intro, consultation, quick, the same key twice, protected
      const expected = ['Confirmed', 'PendingApproval', 'Confirmed', 'Confirmed', 'Confirmed', 'Confirmed']
      assert.deepEqual(statuses.slice(0, expected.length), expected)
      const bookings = await home.db.selectFrom('bookings').select('id').execute()
      assert.equal(bookings.length - seeded.length, 6, 'the repeated request booked nothing')
      assert.match(output, /"status":"Cancelled"[^}]*"startTime"/)
    })

    it('has examples for agents that work, too', async () => {
      const commands = commandsOf('For agents')
      const { code, output } = await runShell(
        `set -eu\n${commands.replaceAll('http://localhost:3000', `http://127.0.0.1:${server.port}`)}`,
      )
      assert.equal(code, 0, output.slice(-500))
      for (const words of [
        '# Intro call, with Demo Host',
        '"provider":"altcha"',
        '# Demo Host',
        '# Punctual',
      ]) {
        assert.ok(output.includes(words), words)
      }
      assert.match(output, /"structuredContent":\{"host":\{"slug":"demo"/)
    })

    async function runShell(script: string): Promise<{ code: number | null; output: string }> {
      const PATH = [tools, join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
      const shell = spawn('sh', { cwd: ROOT, env: { ...BARE_ENVIRONMENT, PATH } })
      let output = ''
      for (const stream of [shell.stdout, shell.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text
        })
      }
      shell.stdin.end(script)
      const code = await new Promise<number | null>((resolve) => shell.on('close', resolve))
      return { code, output }
    }
  })
}

/** Throws unless the installed curl sends what it is told to, and shows the response. */
async function probeCurl(): Promise<void> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    response.setHeader('x-sent', String(request.headers['x-probe']))
    response.end(`${request.method} ${body}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const args = ['-fsSi', `http://127.0.0.1:${port}/`, '-H', 'X-Probe: probe', '-d', '{}']
    const { stdout } = await promisify(execFile)('curl', args, { env: BARE_ENVIRONMENT, timeout: 60_000 })
    if (!/^x-sent: probe\r?$[\s\S]*^POST \{\}$/im.test(stdout)) throw new Error('it sent something else')
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** As much of curl as the tour uses. */
function provideCurl(folder: string): void {
  const script = `#!/usr/bin/env node
const args = process.argv.slice(2)
const headers = {}
let url, body, withHeaders = false
for (let i = 0; i < args.length; i++) {
  if (args[i] === '-H') { const [name, value] = args[++i].split(/: ?(.*)/s); headers[name] = value }
  else if (args[i] === '-d') body = args[++i]
  else if (/^-[fsSi]+$/.test(args[i])) withHeaders ||= args[i].includes('i')
  else if (url !== undefined || args[i].startsWith('-')) throw new Error('unknown argument ' + args[i])
  else url = args[i]
}
const answer = await fetch(url, { method: body === undefined ? 'GET' : 'POST', headers, body })
if (withHeaders) for (const [name, value] of answer.headers) process.stdout.write(name + ': ' + value + '\\n')
process.stdout.write(await answer.text())
// At once: older versions of Node.js would wait for the idle connection.
process.exit(answer.ok ? 0 : 22)
`
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'curl'), script)
  chmodSync(join(folder, 'curl'), 0o755)
}
