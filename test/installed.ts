/** Debian keeps servers where only administrators look. */
export const SEARCH_PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`

/**
 * Whether this machine has a program that works. `probe` uses it, and throws if it does not work.
 *
 * No test needs such a program: a stand-in of ours always runs. A program that works adds a run of its own; one that is
 * broken, or too old, adds none, because that is not a fault of the product.
 */
export async function isInstalled(name: string, probe: () => Promise<void>): Promise<boolean> {
  try {
    await probe()
    console.log(`Note: ${name} is installed, and adds a run.`)
    return true
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason =
      code === 'ENOENT' ? 'is not installed' : `does not work here (${message.split('\n', 1)[0]})`
    console.log(`Note: ${name} ${reason}, so only its stand-in is tried.`)
    return false
  }
}
