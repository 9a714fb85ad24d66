/** 3 by 2 pixels. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4AWLiL8v7D8NMDEgAAAAA//98koXlAAAABklEQVQDAG4JBdsOPC/IAAAAAElFTkSuQmCC',
  'base64',
)

/** 1 by 1 pixel. */
export const LOSSY_WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64')
export const LOSSLESS_WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')

/** The same picture, but saying that it has another size. */
export function pngOf(width: number, height: number): Buffer {
  const png = Buffer.from(PNG)
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return png
}

/** The beginning of a JPEG: a segment of comments, padding, and the frame that tells its size. */
export function jpegOf(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc0001108000000000301220002110103110100', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000fffe0004c0c0ff', 'hex'), frame])
}
