import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { splitHosts } from './hosts.ts'

describe('splitHosts', () => {
  const cases: [url: string, first: string, ...hosts: [string, number][]][] = [
    ['postgres://db.example/punctual', 'postgres://db.example/punctual', ['db.example', 5432]],
    [
      'postgres://user:p%40ss@one:5433,two/punctual?target_session_attrs=read-write',
      'postgres://user:p%40ss@one:5433/punctual?target_session_attrs=read-write',
      ['one', 5433],
      ['two', 5432],
    ],
    [
      'postgresql://[::1]:5432,[fd00::2]/punctual',
      'postgresql://[::1]:5432/punctual',
      ['::1', 5432],
      ['fd00::2', 5432],
    ],
    ['postgres://user@a,b,c', 'postgres://user@a', ['a', 5432], ['b', 5432], ['c', 5432]],
  ]
  for (const [url, first, ...hosts] of cases) {
    it(`reads ${url}`, () => {
      const expected = { url: first, hosts: hosts.map(([host, port]) => ({ host, port })) }
      assert.deepEqual(splitHosts(url), expected)
    })
  }
})
