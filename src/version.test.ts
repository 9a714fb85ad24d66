import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readRelease } from './version.ts'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

describe('the release', () => {
  let folder: string
  const git = (root: string, ...args: string[]) => {
    const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false']
    return execFileSync('git', ['-C', root, ...person, ...args], { encoding: 'utf8' }).trim()
  }
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'punctual-version-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  /** A checkout with one commit. */
  function checkout(name: string): string {
    const root = join(folder, name)
    git(folder, 'init', '--quiet', '--initial-branch=main', root)
    writeFileSync(join(root, 'package.json'), '{ "version": "1.2.3" }')
    git(root, 'add', '.')
    git(root, 'commit', '--quiet', '--message=One')
    return root
  }

  function writeRelease(root: string, commit: string): void {
    mkdirSync(join(root, 'dist'))
    writeFileSync(join(root, 'dist', 'release.json'), JSON.stringify({ commit }))
  }

  it('has the version of package.json', () => {
    assert.equal(readRelease().version, manifest.version)
  })

  it('has the commit that is checked out, as Git says it', () => {
    const root = checkout('plain')
    const expected = () => ({ version: '1.2.3', commit: git(root, 'rev-parse', 'HEAD') })
    assert.deepEqual(readRelease(root), expected())
    git(root, 'checkout', '--quiet', '-b', 'part/two#1')
    git(root, 'commit', '--quiet', '--allow-empty', '--message=Two')
    assert.deepEqual(readRelease(root), expected())
    git(root, 'pack-refs', '--all')
    assert.deepEqual(readRelease(root), expected())
    git(root, 'checkout', '--quiet', '--detach', 'main')
    assert.deepEqual(readRelease(root), expected())
  })

  it('has the commit of a worktree, not that of its repository', () => {
    const root = checkout('shared')
    const tree = join(folder, 'tree')
    git(root, 'worktree', 'add', '--quiet', '-b', 'other', tree)
    git(tree, 'commit', '--quiet', '--allow-empty', '--message=Two')
    const commit = git(tree, 'rev-parse', 'HEAD')
    assert.notEqual(commit, git(root, 'rev-parse', 'HEAD'))
    assert.deepEqual(readRelease(tree), { version: '1.2.3', commit })
    git(root, 'pack-refs', '--all')
    assert.deepEqual(readRelease(tree), { version: '1.2.3', commit })
  })

  it('has the commit that a package was made from, and none where nothing says it', () => {
    const root = mkdtempSync(join(folder, 'packed-'))
    writeFileSync(join(root, 'package.json'), '{ "version": "1.2.3" }')
    assert.deepEqual(readRelease(root), { version: '1.2.3', commit: '' })
    writeRelease(root, 'abc')
    assert.deepEqual(readRelease(root), { version: '1.2.3', commit: 'abc' })
  })

  it('goes by the checkout where an old package was made', () => {
    const root = checkout('packed')
    writeRelease(root, 'abc')
    assert.equal(readRelease(root).commit, git(root, 'rev-parse', 'HEAD'))
  })
})
