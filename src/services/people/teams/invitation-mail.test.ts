import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LANGUAGES } from '../../../domain/languages.ts'
import { invitationMail } from './invitation-mail.ts'

describe('invitationMail', () => {
  it('has no link but its own, whatever the inviter and the team are called', () => {
    const names = { inviter: 'Win at https://evil.example/', team: 'evil.example' }
    for (const locale of LANGUAGES) {
      const link = 'https://punctual.example/app'
      const mail = invitationMail('grace@example.org', { ...names, link, signsIn: false, locale })
      for (const part of [mail.subject, mail.text, mail.html ?? '']) {
        assert.doesNotMatch(part, /evil\.example/)
        assert.match(part, /evil\[\.\]example/)
      }
      assert.match(mail.text, /https:\/\/punctual\.example\/app/)
    }
  })
})
