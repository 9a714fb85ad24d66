import { resolve } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'

// Runs test files one after the other, each as a suite. In one process, which loads the code they test only once.
for (const file of process.argv.slice(2)) {
  await describe(file, async () => {
    await import(pathToFileURL(resolve(file)).href)
  })
}
