import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The script of a React app of someone else, whose packages are found as that app would find its own. */
export async function buildApp(main: string): Promise<string> {
  mkdirSync(join(ROOT, 'node_modules', '.cache'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.cache', 'app-'))
  const { NODE_ENV } = process.env
  try {
    writeFileSync(join(folder, 'main.tsx'), main)
    await build({
      configFile: false,
      root: folder,
      logLevel: 'warn',
      mode: 'development',
      build: {
        minify: false,
        rolldownOptions: {
          input: join(folder, 'main.tsx'),
          output: { format: 'iife', entryFileNames: 'app.js' },
        },
      },
    })
    return readFileSync(join(folder, 'dist', 'app.js'), 'utf8')
  } finally {
    // Vite sets it to production.
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    rmSync(folder, { recursive: true })
  }
}
