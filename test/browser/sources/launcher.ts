import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What an unpacked browser needs around it. All paths are relative to its folder. */
interface Unpacked {
  readonly browser: string
  readonly libraries: readonly string[]
  readonly fonts: string
}

/**
 * Writes `launch` into `folder`: a program that starts the browser with its own libraries and fonts.
 * A script finds its folder by itself, so that the folder can be moved.
 */
export async function writeLauncher(folder: string, { browser, libraries, fonts }: Unpacked): Promise<void> {
  const paths = libraries.map((path) => `$here/${path}`).join(':')
  await writeFile(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="xdg">${fonts}</dir>
  <cachedir prefix="xdg">fonts</cachedir>
</fontconfig>
`,
  )
  await writeFile(
    join(folder, 'launch'),
    `#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd) || exit 1
export LD_LIBRARY_PATH="${paths}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts.conf" XDG_DATA_HOME="$here" XDG_CACHE_HOME="$here/cache"
exec "$here/${browser}" "$@"
`,
    { mode: 0o755 },
  )
}
