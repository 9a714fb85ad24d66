import { generateKeyPairSync, sign } from 'node:crypto'

/** A key and a certificate for these names, self-signed: clients must be configured to trust it. */
export function selfSigned(...names: string[]): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const ecdsaWithSha256 = sequence(tlv(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
  const name = sequence(
    tlv(0x31, sequence(tlv(0x06, Buffer.from('550403', 'hex')), tlv(0x0c, Buffer.from('test')))),
  )
  const dnsNames = names.map((name) => tlv(0x82, Buffer.from(name)))
  const subjectAltName = sequence(tlv(0x06, Buffer.from('551d11', 'hex')), tlv(0x04, sequence(...dnsNames)))
  const content = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, Buffer.of(1)),
    ecdsaWithSha256,
    name,
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(subjectAltName)),
  )
  const signature = Buffer.concat([Buffer.of(0), sign('sha256', content, privateKey)])
  const certificate = sequence(content, ecdsaWithSha256, tlv(0x03, signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  }
}

const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts)
const time = (text: string) => tlv(0x18, Buffer.from(text))

/** Tag, length, value: the grammar of certificates. */
function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const length =
    value.length < 0x80 ? Buffer.of(value.length) : Buffer.of(0x82, value.length >> 8, value.length & 0xff)
  return Buffer.concat([Buffer.of(tag), length, value])
}
