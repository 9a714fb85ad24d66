import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

/** Text of any characters. The library's own, the unit `binary`, makes a map of all of them first, which takes a second. */
export const anyText = ({ maxLength }: { maxLength: number }) =>
  fc
    .array(
      fc
        .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
        .map((point) => String.fromCodePoint(point < SURROGATES.first ? point : point + SURROGATES.count)),
      { maxLength },
    )
    .map((characters) => characters.join(''))

/** Text that an attacker might type, or anyone might paste. */
export const nastyText = fc.oneof(
  { weight: 3, arbitrary: anyText({ maxLength: 200 }) },
  {
    weight: 4,
    arbitrary: fc
      .array(
        fc.constantFrom(
          '\r\n',
          '\n',
          '\r',
          '\u2028',
          '\u0085',
          '\u0000',
          '\u001b[31m',
          '"',
          "'",
          '\\',
          ';',
          ',',
          ':',
          '^',
          '<script>alert(1)</script>',
          '"><img src=x onerror=alert(1)>',
          '</td></tr></table>',
          '<!--',
          '&lt;b&gt;',
          '{host}',
          '$&',
          'BEGIN:VEVENT',
          'END:VCALENDAR',
          'ATTENDEE:mailto:victim@example.com',
          'Bcc: victim@example.com',
          '\ud800',
          '\udc00',
          '\u202e',
          '\u2066',
          '\u200f',
          'שלום',
          '世界',
          '👩‍👩‍👧‍👦',
          'e\u0301\u0302\u0303',
          'word ',
          'https://example.com/?a=1&b=2',
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.nat(6000).map((length) => 'ö'.repeat(length)) },
)
