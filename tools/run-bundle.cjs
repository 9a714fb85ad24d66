// Runs the bundle with the code that V8 had compiled of it after its first requests (compile-bundle.ts). Node.js's own compile
// cache only has what V8 compiles as it reads a file: 10 to 15 % more until the first answer.

const { readFileSync } = require('node:fs')
const Module = require('node:module')
const { dirname, join } = require('node:path')
const { constants, Script } = require('node:vm')

const filename = join(__dirname, '..', 'node_modules', '.cache', 'server', 'service.cjs')
const script = compile()
// Files that are loaded later require it.
const bundle = Object.assign(new Module(filename), { filename, loaded: true })
require.cache[filename] = bundle
const run = script.runInThisContext()
run.call(bundle.exports, bundle.exports, Module.createRequire(filename), bundle, filename, dirname(filename))

function compile() {
  const bytes = readFileSync(filename)
  // All of it is ASCII (bundle.ts). A part of the text itself would keep the whole in memory.
  const firstLine = bytes.toString('latin1', 0, bytes.indexOf('\n') + 1)
  const source = bytes.toString('latin1')
  const script = new Script(`(function (exports, require, module, __filename, __dirname) { ${source}\n})`, {
    filename,
    cachedData: compiledFor(firstLine),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  Object.assign(exports, { script, firstLine })
  return script
}

/** Each bundle has a first line of its own. V8 itself compares no more than the lengths of sources. */
function compiledFor(firstLine) {
  try {
    const bytes = readFileSync(`${filename}.compiled`)
    const { length } = firstLine
    return bytes.toString('latin1', 0, length) === firstLine ? bytes.subarray(length) : undefined
  } catch {
    // It could not be made. V8 compiles the bundle.
    return undefined
  }
}
