import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findDisagreements, readReleaseFiles } from './check-release.ts'

const files = {
  manifest: '{ "version": "1.2.3" }',
  lockfile: '{ "version": "1.2.3" }',
  changelog: '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-17\n\n## [1.2.2] - 2026-11-01\n',
  kustomization: 'images:\n  - name: punctual\n    newTag: 1.2.3\n',
}

describe('a release', () => {
  it('may have the version that these files have now', () => {
    const now = readReleaseFiles()
    const { version } = JSON.parse(now.manifest) as { version: string }
    assert.deepEqual(findDisagreements(`v${version}`, now), [])
  })

  it('needs one version everywhere', () => {
    assert.deepEqual(findDisagreements('v1.2.3', files), [])
    assert.deepEqual(findDisagreements('v1.2.4', files), [
      'package.json says 1.2.3, the tag says 1.2.4.',
      'package-lock.json says 1.2.3, the tag says 1.2.4.',
      'deploy/kubernetes/kustomization.yaml says 1.2.3, the tag says 1.2.4.',
      'CHANGELOG.md says 1.2.3, the tag says 1.2.4.',
    ])
  })

  it('needs an entry in the changelog that is dated and comes first', () => {
    const undated = { ...files, changelog: files.changelog.replace('1.2.3] - 2026-11-17', '1.2.3]') }
    assert.deepEqual(findDisagreements('v1.2.3', undated), ['CHANGELOG.md says 1.2.2, the tag says 1.2.3.'])
    assert.deepEqual(findDisagreements('v1.2.3', { ...files, changelog: '# Changelog\n' }), [
      'CHANGELOG.md says nothing, the tag says 1.2.3.',
    ])
  })

  it('needs a tag that is a version', () => {
    for (const tag of ['', 'v1', 'v1.2', '1.2.3', 'v1.2.3 ', 'vNext', 'v1.2.3$(id)']) {
      assert.deepEqual(findDisagreements(tag, files), [`The tag ${tag} is not a version such as v1.2.3.`])
    }
    assert.equal(findDisagreements('v1.2.3-rc.1', files).length, 4)
  })
})
