import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { closeWhatWasKept, shareBetweenFiles } from '../test/between-files.ts'
import { findTestTracking } from './test-tracking.ts'

// Runs test files one after the other, each as a suite. In one process, which loads the code they test only once.
const tracking = findTestTracking()
const { describe } = await import('node:test')
shareBetweenFiles()
for (const file of process.argv.slice(2)) {
  tracking.resume()
  await describe(file, async () => {
    await import(pathToFileURL(resolve(file)).href)
    tracking.pause()
  })
}
await closeWhatWasKept()
// A test that fails may leave something open, which would keep this process until its limit.
setTimeout(() => {
  console.log(`Left open: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit(1)
}, 60_000).unref()
