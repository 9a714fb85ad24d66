import fc from 'fast-check'

/** Text that an attacker might type, or anyone might paste. */
export const nastyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
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
