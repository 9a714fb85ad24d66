import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readRelease } from '../src/version.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

/** Imports, `require` and the addresses of workers name their files so. */
const OWN_FILE = /(?<=(['"`])\.{1,2}\/[^'"`\n]+)\.ts(?=\1)/g

/**
 * Writes `dist` for a package: the sources without types, because Node strips none in node_modules, and the commit.
 *
 * Stripping leaves blanks, and `.js` is as long as `.ts`: lines and columns in a stack trace are those of the source.
 */
async function writePackage(): Promise<void> {
  await rm(dist, { recursive: true, force: true })
  for await (const file of glob('**/*.ts', { cwd: join(root, 'src') })) {
    if (file.endsWith('.test.ts')) continue
    const source = await readFile(join(root, 'src', file), 'utf8')
    const target = join(dist, file.replace(/\.ts$/, '.js'))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, stripTypeScriptTypes(source).replaceAll(OWN_FILE, '.js'))
  }
  const { commit } = readRelease()
  await writeFile(join(dist, 'release.json'), `${JSON.stringify({ commit })}\n`)
}

await writePackage()
