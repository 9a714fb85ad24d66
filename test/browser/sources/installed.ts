import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

const ON_THE_PATH = [
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
  'microsoft-edge',
]
const MAC_APPLICATIONS = ['Google Chrome', 'Chromium', 'Microsoft Edge']
const WINDOWS_PROGRAMS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
]

/** Every Chrome, Chromium and Edge at its usual places, whether it starts or not. */
export function installedBrowsers(): string[] {
  return usualPlaces().filter((path) => existsSync(path))
}

function usualPlaces(): string[] {
  if (process.platform === 'darwin') {
    const folders = ['/Applications', join(homedir(), 'Applications')]
    return MAC_APPLICATIONS.flatMap((name) =>
      folders.map((folder) => join(folder, `${name}.app`, 'Contents', 'MacOS', name)),
    )
  }
  if (process.platform === 'win32') {
    const { PROGRAMFILES, 'PROGRAMFILES(X86)': older, LOCALAPPDATA } = process.env
    const folders = [PROGRAMFILES, older, LOCALAPPDATA].filter((folder) => folder !== undefined)
    return WINDOWS_PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program)))
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [
    ...ON_THE_PATH.flatMap((name) => folders.map((folder) => join(folder, name))),
    '/opt/google/chrome/chrome',
    '/opt/microsoft/msedge/msedge',
  ]
}
