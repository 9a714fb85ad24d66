/** The types of pictures that every browser and mail program shows, and that cannot hold scripts. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp'

export interface ImageHead {
  readonly type: ImageType
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/** What the first bytes of a picture say about it; undefined if it is not one of our types. */
export function readImage(bytes: Uint8Array): ImageHead | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return readPng(view) ?? readWebp(view) ?? readJpeg(view)
}

function readPng(view: DataView): ImageHead | undefined {
  if (!has(view, 0, '\x89PNG\r\n\x1a\n') || !has(view, 12, 'IHDR') || view.byteLength < 24) return undefined
  return sized('image/png', view.getUint32(16), view.getUint32(20))
}

function readWebp(view: DataView): ImageHead | undefined {
  if (!has(view, 0, 'RIFF') || !has(view, 8, 'WEBP') || view.byteLength < 30) return undefined
  if (has(view, 12, 'VP8X')) {
    const size = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1
    return sized('image/webp', size(24), size(27))
  }
  if (has(view, 12, 'VP8L')) {
    const bits = view.getUint32(21, true)
    return sized('image/webp', (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
  }
  if (has(view, 12, 'VP8 ')) {
    return sized('image/webp', view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
  }
  return undefined
}

/** Steps over the segments of a JPEG until one tells its size. Each step moves on, so it ends. */
function readJpeg(view: DataView): ImageHead | undefined {
  if (!has(view, 0, '\xff\xd8\xff')) return undefined
  let at = 2
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    if (isFrame(marker)) return sized('image/jpeg', view.getUint16(at + 7), view.getUint16(at + 5))
    // Bytes of 0xff may fill the space before a marker.
    at += marker === 0xff ? 1 : 2 + Math.max(view.getUint16(at + 2), 2)
  }
  return undefined
}

/** C0 to CF begin a frame, except the three that hold tables. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

function sized(type: ImageType, width: number, height: number): ImageHead | undefined {
  return width > 0 && height > 0 ? { type, width, height } : undefined
}

function has(view: DataView, at: number, text: string): boolean {
  if (view.byteLength < at + text.length) return false
  for (let i = 0; i < text.length; i++) {
    if (view.getUint8(at + i) !== text.charCodeAt(i)) return false
  }
  return true
}
