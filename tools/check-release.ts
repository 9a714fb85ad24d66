import { readFileSync } from 'node:fs'

/** What has to agree before a version is published. */
export interface ReleaseFiles {
  readonly manifest: string
  readonly lockfile: string
  readonly changelog: string
  readonly kustomization: string
}

/** Says what does not agree with this tag; nothing if all does. */
export function findDisagreements(tag: string, files: ReleaseFiles): string[] {
  const version = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(tag)?.[1]
  if (version === undefined) return [`The tag ${tag} is not a version such as v1.2.3.`]
  const stated: [string, string | undefined][] = [
    ['package.json', (JSON.parse(files.manifest) as { version: string }).version],
    ['package-lock.json', (JSON.parse(files.lockfile) as { version: string }).version],
    ['deploy/kubernetes/kustomization.yaml', /^ *newTag: (\S+)$/m.exec(files.kustomization)?.[1]],
    // The newest entry with a date: what is still unreleased has none.
    ['CHANGELOG.md', /^## \[(\S+)\] - \d{4}-\d{2}-\d{2}$/m.exec(files.changelog)?.[1]],
  ]
  return stated
    .filter(([, found]) => found !== version)
    .map(([file, found]) => `${file} says ${found ?? 'nothing'}, the tag says ${version}.`)
}

export function readReleaseFiles(): ReleaseFiles {
  const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  return {
    manifest: read('package.json'),
    lockfile: read('package-lock.json'),
    changelog: read('CHANGELOG.md'),
    kustomization: read('deploy/kubernetes/kustomization.yaml'),
  }
}

if (import.meta.main) {
  const found = findDisagreements(process.argv[2] ?? '', readReleaseFiles())
  for (const sentence of found) process.stderr.write(`${sentence}\n`)
  process.exitCode = found.length === 0 ? 0 : 1
}
