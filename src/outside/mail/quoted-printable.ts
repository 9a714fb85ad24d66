const LINE_LENGTH = 76

// All bytes that are not plain ASCII, the sign itself, and blanks that a mail server might take off a line's end.
const NOT_PLAIN = /[^\t\r\n\x20-<>-~]|[\t ](?=\r\n|$)/g

const ESCAPES = Array.from(
  { length: 256 },
  (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
)

/**
 * Quoted-printable as UTF-8, for a text whose lines end with CRLF.
 *
 * Nodemailer's goes through each byte and then through each line with several expressions: that was a tenth of what
 * a booking with its mails cost.
 */
export function quotedPrintable(text: string): string {
  const bytes = Buffer.from(text).toString('latin1')
  const escaped = bytes.replace(NOT_PLAIN, (byte) => ESCAPES[byte.charCodeAt(0)] as string)
  return escaped.split('\r\n').map(wrap).join('\r\n')
}

function wrap(line: string): string {
  let wrapped = ''
  let at = 0
  while (line.length - at > LINE_LENGTH) {
    let end = at + LINE_LENGTH - 1
    // Not within an escape.
    if (line[end - 1] === '=') end -= 1
    else if (line[end - 2] === '=') end -= 2
    wrapped += `${line.slice(at, end)}=\r\n`
    at = end
  }
  return wrapped + line.slice(at)
}
