// Preloaded by with-node.mjs: asks this process to stop once the process that started it is gone.
// npm passes SIGTERM to the shell it runs a script in, and some shells die of it without telling
// the script, which would then go on serving with nothing left to stop it.

const parent = process.ppid
const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, 100)
watch.unref()
