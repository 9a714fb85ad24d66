import nodemailer from 'nodemailer'

const PATIENCE = 5000

/** Connects to a mail server, greets it and signs in, and sends nothing. Throws if any of that fails. */
export async function checkSmtp(url: string): Promise<void> {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
  })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}
