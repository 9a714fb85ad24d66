import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { onEveryDatabase } from '../../../test/databases.ts'
import {
  addEventType,
  addUser,
  appOn,
  bookingOf,
  changeElsewhere,
  fromSomeoneNew,
  MONDAY_NOON,
  plainEventType,
  quietContext,
  stoppedClock,
} from '../../../test/kit.ts'
import { FORM_DEFAULTS } from '../../domain/forms/routing.ts'
import type { Scheduler } from '../../domain/people/scheduler.ts'
import { manageToken } from '../../services/bookings/guest/manage-link.ts'
import { migrate } from '../../store/engine/migrate.ts'
import { openDatabase } from '../../store/engine/open-database.ts'
import { insertForm } from '../../store/forms/forms.ts'
import { newId } from '../../store/new-id.ts'
import { moveSlug } from '../../store/people/old-slugs.ts'
import { updateScheduler } from '../../store/people/schedulers.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

onEveryDatabase('the pages of guests', ({ db }) => {
  const clock = stoppedClock()
  let app: FastifyInstance
  let publicUrl: string
  let ada: Scheduler
  const get = (url: string, headers: Record<string, string> = BROWSER) => app.inject({ url, headers })
  const policyOf = async (url: string) => String((await get(url)).headers['content-security-policy'])
  const dataIn = (page: string) =>
    JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? 'null')

  before(async () => {
    const made = await appOn(db(), { now: clock.now })
    app = made.app
    publicUrl = made.context.publicUrl
    ada = await addUser(db(), 'ada')
    await addEventType(db(), ada, { slug: 'talk', name: 'A talk </script><b>&', description: 'About "it".' })
    const hidden = { slug: 'hidden', hidden: true, allowedOrigins: ['https://b.example'] }
    const { id: hiddenId } = await addEventType(db(), ada, hidden)
    const closed = { slug: 'closed', allowedOrigins: ['https://a.example'] }
    const { id: closedId } = await addEventType(db(), ada, closed)
    for (const captcha of ['turnstile', 'hcaptcha', 'recaptcha', 'altcha'] as const) {
      await addEventType(db(), ada, { slug: captcha, abuse: { ...plainEventType().abuse, captcha } })
    }
    await insertForm(db(), {
      ...FORM_DEFAULTS,
      id: newId(),
      schedulerId: ada.id,
      slug: 'contact',
      name: 'Contact',
      description: null,
      fields: [{ id: 'name', label: 'Name', type: 'text', required: true, options: [] }],
      rules: [],
      fallback: { action: 'message', message: 'Thanks.' },
    })
    await insertForm(db(), {
      ...FORM_DEFAULTS,
      id: newId(),
      schedulerId: ada.id,
      slug: 'leading',
      abuse: { ...FORM_DEFAULTS.abuse, captcha: 'hcaptcha' },
      name: 'Leading',
      description: null,
      fields: [{ id: 'name', label: 'Name', type: 'text', required: true, options: [] }],
      rules: [
        {
          when: { field: 'name', operator: 'equals', value: 'x' },
          target: { action: 'routeToEvent', eventTypeId: hiddenId },
        },
      ],
      fallback: { action: 'routeToEvent', eventTypeId: closedId },
    })
    await db()
      .transaction()
      .execute((trx) =>
        moveSlug(trx, { kind: 'scheduler', scope: '', targetId: ada.id, from: 'lovelace', to: 'ada' }),
      )
  })

  it('shows the month that it is where the host is, without the weeks that have passed there', async () => {
    for (const [slug, timeZone, title, first] of [
      ['west', 'Pacific/Pago_Pago', 'Januar 2027', '2027-01-25'],
      ['east', 'Pacific/Auckland', 'Februar 2027', '2027-02-01'],
    ] as const) {
      const host = await addUser(db(), slug)
      await changeElsewhere(db(), host.id, (trx) => updateScheduler(trx, { ...host, timeZone }))
      await addEventType(db(), host, { slug: 'talk' })
      clock.moveTo(Date.UTC(2027, 0, 31, 12))
      const page = (await get(`/${slug}/talk?lang=de`)).payload
      clock.moveTo(MONDAY_NOON)
      assert.match(page, new RegExp(`<h2>${title}</h2>.*?<th>Mo</th><th>Di</th>`, 's'))
      assert.equal(/data-waiting="([\d-]+)"/.exec(page)?.[1], first)
    }
  })

  it('are HTML with a title, a description and tags for sharing', async () => {
    const reply = await get('/ada/talk')
    assert.equal(reply.statusCode, 200)
    assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8')
    assert.match(reply.body, /<title>A talk &lt;\/script&gt;&lt;b&gt;&amp; · Name of ada<\/title>/)
    assert.match(reply.body, /<meta property="og:url" content="https:\/\/book\.example\.com\/ada\/talk">/)
    assert.match(
      reply.body,
      /<meta name="description" content="30 minutes · Name of ada · About &quot;it&quot;\.">/,
    )
    const imageOf = (body: string) =>
      /<meta property="og:image" content="https:\/\/book\.example\.com([^"]+)">/.exec(body)?.[1]
    assert.equal((await get(imageOf((await get('/')).body) ?? '')).headers['content-type'], 'image/png')
  })

  it('show host and event in link previews, and their picture if they have one', async () => {
    const tagsOf = async (url: string) => {
      const { body } = await get(url)
      const found = body.matchAll(/<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">/g)
      return Object.fromEntries([...found].map(([, name, content]) => [name, content]))
    }
    const plain = await tagsOf('/ada/talk')
    assert.match(plain['og:title'] ?? '', /^A talk .* · Name of ada$/)
    assert.equal(plain['og:site_name'], 'Name of ada')
    assert.match(plain['og:description'] ?? '', /^30 minutes · Name of ada · About/)
    assert.deepEqual([plain['twitter:card'], plain['og:image']], ['summary', undefined])
    const pia = await addUser(db(), 'pia')
    await addEventType(db(), pia, { slug: 'talk' })
    const picture = '/images/01890000-0000-7000-8000-000000000000'
    await db().updateTable('schedulers').set({ avatar_url: picture }).where('id', '=', pia.id).execute()
    for (const url of ['/pia', '/pia/talk']) {
      const shown = await tagsOf(url)
      assert.equal(shown['og:image'], `https://book.example.com${picture}`, url)
      assert.equal(shown['og:image:alt'], 'Name of pia')
    }
    assert.equal((await tagsOf('/'))['og:site_name'], 'Punctual')
  })

  it('say at the top that they need JavaScript, and where to write instead', async () => {
    for (const url of ['/ada', '/ada/talk', '/ada/forms/contact']) {
      const { body } = await get(`${url}?lang=de`)
      const [before = ''] = body.split('<div id="root">')
      assert.match(before, /<body>\s*<noscript><div class="noscript"><p>[^<]*JavaScript/, url)
      const [, address = ''] = /per E-Mail möglich: <a class="link" href="mailto:([^"]+)">/.exec(before) ?? []
      const written = address.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
      assert.equal(written, 'ada@hosts.example', url)
      assert.match(body, /<noscript><style nonce="[^"]+">[^<]*\.bar\{display:none\}<\/style><\/noscript>/)
    }
  })

  it('list on a profile what has times, and how long it takes', async () => {
    await addEventType(db(), ada, {
      slug: 'lengths',
      name: 'Many lengths',
      durationMinutes: 30,
      durations: [15, 30, 90],
    })
    const past = { kind: 'fixed', from: '2026-01-01', to: '2026-01-31' } as const
    await addEventType(db(), ada, { slug: 'over', name: 'Over long ago', window: past })
    const { body } = await get('/ada')
    assert.match(body, /<h2>Many lengths<\/h2>.*?15–90 min/)
    assert.doesNotMatch(body, /Over long ago/)
    assert.equal((await get('/ada/over')).statusCode, 200, 'its own page is still there')
  })

  it('begin with one that says what this is, and leads on', async () => {
    const { statusCode, body } = await get('/')
    assert.equal(statusCode, 200)
    assert.match(body, /<h1>Scheduling without the back-and-forth<\/h1>/)
    assert.match(body, /href="\/app">Sign in</)
    assert.doesNotMatch(body, /noindex|See the demo/)
    assert.match((await get('/?lang=ja')).body, /ログイン/)
    const demo = await addUser(db(), 'try-me')
    const named = db().updateTable('schedulers').set({ email: 'demo@example.com' })
    await named.where('id', '=', demo.id).execute()
    assert.match((await get('/')).body, /href="\/try-me">See the demo</)
  })

  it('begin at the operator’s website, if it is set', async () => {
    const elsewhere = await appOn(db(), { homeUrl: 'https://www.example.com/meet' })
    const { statusCode, headers } = await elsewhere.app.inject({ url: '/', headers: BROWSER })
    assert.deepEqual([statusCode, headers.location], [302, 'https://www.example.com/meet'])
    await elsewhere.app.close()
  })

  it('contain their first data, which cannot break out of its script', async () => {
    const data = dataIn((await get('/ada/talk')).body)
    assert.equal(data.eventType.name, 'A talk </script><b>&')
    const listing = await get(
      '/api/public/scheduling/ada/talk/slots?dateFrom=2027-01-10&dateTo=2027-02-01&timezone=UTC',
    )
    assert.deepEqual(data.slots.days, listing.json())
    assert.ok(data.slots.days.length > 10)
    assert.equal(JSON.stringify(data).includes('blocklist'), false)
  })

  it('run only built scripts, and allow no framing', async () => {
    for (const url of ['/ada', '/ada/talk', '/ada/forms/contact', '/booking/x?token=y', '/ada/none']) {
      const policy = await policyOf(url)
      const inPage = /default-src 'none'; script-src 'self'(?: '(sha256-[^']+)')?;/.exec(policy)
      assert.ok(inPage, url)
      assert.match(policy, /frame-ancestors 'none'/, url)
      assert.doesNotMatch(policy, /unsafe/, url)
      const { body } = await get(url)
      // Inline scripts are data, or the one the policy knows; inline styles carry the nonce; there are no handlers
      // and no style attributes.
      const scripts = [...body.matchAll(/<script(?![^>]*type="application\/json")[^>]*>(.*?)<\/script>/gs)]
      const hashes = scripts.map(
        ([, text = '']) => `sha256-${createHash('sha256').update(text).digest('base64')}`,
      )
      assert.deepEqual(hashes, inPage[1] === undefined ? [] : [inPage[1]], url)
      assert.doesNotMatch(body, /<[^>]+\s(?:style|on\w+)=/, url)
    }
  })

  it('have another nonce each time', async () => {
    assert.notEqual(await policyOf('/ada/talk'), await policyOf('/ada/talk'))
  })

  it('may be framed when they are embedded, by everyone unless the event type says by whom', async () => {
    for (const url of ['/ada/talk', '/ada/forms/contact', '/ada/none']) {
      assert.match(await policyOf(`${url}?embed=1`), /frame-ancestors \*$/, url)
    }
    assert.match(await policyOf('/ada/closed'), /frame-ancestors 'none'$/)
    assert.match(await policyOf('/ada/closed?embed=1'), /frame-ancestors 'self' https:\/\/a\.example$/)
    assert.match(await policyOf('/ada/closed?embed=1&embed=1'), /frame-ancestors 'none'$/)
  })

  it('lets our own dashboard alone frame the preview, which knows no event type', async () => {
    const page = await get('/app/preview/ada')
    assert.equal(page.statusCode, 200)
    assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'self'$/)
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.deepEqual(Object.keys(dataIn(page.body)).sort(), ['base', 'embed', 'host', 'locale', 'page'])
    assert.equal(dataIn((await get('/app/preview/ada?lang=de')).body).locale.language, 'de')
    assert.equal((await get('/app/preview/nobody')).statusCode, 404)
    assert.match(await policyOf('/app/event-types'), /frame-src 'self'; .*frame-ancestors 'none'$/)
  })

  it('may be framed where all that they lead to may be', async () => {
    const own = /frame-ancestors 'self' https:\/\/a\.example$/
    assert.match(await policyOf('/ada?embed=1'), own)
    // It leads to a hidden event type, too, which it never does.
    assert.match(await policyOf('/ada/forms/leading?embed=1'), own)
  })

  it('show a guest’s booking in a frame only with its link', async () => {
    const talk = await app.inject({
      method: 'POST',
      url: '/api/public/scheduling/ada/closed/book',
      payload: bookingOf(plainEventType(), MONDAY_NOON + 86_400_000),
      headers: fromSomeoneNew(),
    })
    const { pathname, search } = new URL(String(talk.headers.location))
    const path = pathname.replace('/api/public/bookings', '/booking')
    assert.match(await policyOf(`${path}${search}`), /frame-ancestors 'none'$/)
    assert.match(await policyOf(`${path}${search}&embed=1`), /frame-ancestors 'self' https:\/\/a\.example$/)
    for (const wrong of [`${path}?token=y&embed=1`, `${path}?embed=1`, `/booking/x${search}&embed=1`]) {
      assert.match(await policyOf(wrong), /frame-ancestors 'none'$/, wrong)
    }
  })

  it('look as the site around them wants, when they are embedded', async () => {
    const rootOf = async (url: string) => /<html[^>]*>/.exec((await get(url)).body)?.[0]
    assert.equal(await rootOf('/ada/talk?theme=dark&hide=details'), '<html lang="en">')
    assert.equal(await rootOf('/ada/talk?embed=1'), '<html lang="en" data-theme="light" data-embed>')
    assert.equal(await rootOf('/ada/talk?embed=1&theme=auto'), '<html lang="en" data-embed>')
    assert.equal(
      await rootOf('/ada/talk?embed=1&theme=dark&hide=details&lang=de'),
      '<html lang="de" data-theme="dark" data-embed data-hide="details">',
    )
    assert.equal(
      await rootOf('/ada/talk?embed=1&theme=pink'),
      '<html lang="en" data-theme="light" data-embed>',
    )
  })

  it('answer the scripts of other services in a frame, and tell them no more than they ask for', async () => {
    const embedOf = async (url: string) => dataIn((await get(url)).body).embed
    assert.deepEqual(await embedOf('/ada/talk?embed=1'), { framers: 'everyone' })
    const calendly = publicUrl
    assert.deepEqual(await embedOf('/ada/talk?embed_domain=1'), { framers: 'everyone', calendly })
    const { calcom } = (await embedOf('/ada/talk?embed=cal')) || {}
    assert.deepEqual(Object.keys(calcom ?? {}), ['talk'])
    const all = (await embedOf('/ada?embed=cal')) || {}
    assert.equal(all.calcom?.talk, calcom?.talk, 'a number stays')
    for (const query of ['embed=cal', 'embed_domain=www.a.example']) {
      assert.match(await policyOf(`/ada/closed?${query}`), /frame-ancestors 'self' https:\/\/a\.example$/)
    }
    for (const query of [
      'embed=other',
      'embed_domain=',
      'embed_domain=a&embed_domain=b',
      'embed_type=Inline',
    ]) {
      assert.equal(await embedOf(`/ada/talk?${query}`), false, query)
      assert.match(await policyOf(`/ada/talk?${query}`), /frame-ancestors 'none'$/)
    }
    const rootOf = async (query: string) => {
      const { body } = await get(`/ada/talk?embed_domain=1&${query}`)
      return [/<html[^>]*>/.exec(body)?.[0], /:root\{(--card:[^}]*)/.exec(body)?.[1]]
    }
    assert.deepEqual(await rootOf('hide_event_type_details=1&background_color=101820&text_color=ffffff'), [
      '<html lang="en" data-theme="dark" data-embed data-hide="details">',
      '--card:#101820;--ink:#ffffff',
    ])
    assert.deepEqual(await rootOf('background_color=%7D%3C/style%3E'), [
      '<html lang="en" data-theme="light" data-embed>',
      undefined,
    ])
    // A missing page says its status to Cal.com's script, and runs nothing for others.
    const missing = await get('/ada/none?embed=cal')
    assert.equal(missing.statusCode, 404)
    const [, script = ''] = /<script type="module">(.*)<\/script>/.exec(missing.body) ?? []
    assert.match(script, /^parent\.postMessage/)
    const hash = createHash('sha256').update(script).digest('base64')
    assert.ok(
      String(missing.headers['content-security-policy']).includes(`script-src 'self' 'sha256-${hash}';`),
    )
    assert.doesNotMatch((await get('/ada/none?embed=1')).body, /<script/)
  })

  it('allow a CAPTCHA service on the pages that use it, and there alone', async () => {
    assert.match(
      await policyOf('/ada/turnstile'),
      /script-src 'self' '[^']+' https:\/\/challenges\.cloudflare\.com;/,
    )
    assert.match(
      await policyOf('/ada/hcaptcha'),
      /frame-src https:\/\/hcaptcha\.com https:\/\/\*\.hcaptcha\.com/,
    )
    assert.match(await policyOf('/ada/forms/leading'), /frame-src https:\/\/hcaptcha\.com/)
    assert.doesNotMatch(await policyOf('/ada/forms/contact'), /hcaptcha/)
    assert.match(
      await policyOf('/ada/recaptcha'),
      /script-src 'self' '[^']+' https:\/\/www\.google\.com\/recaptcha\//,
    )
    for (const url of ['/ada/altcha', '/ada/talk', '/ada']) assert.doesNotMatch(await policyOf(url), /https:/)
  })

  it('keep a guest’s booking out of caches, search engines and referrers', async () => {
    const { headers, body } = await get('/booking/x?token=a-token')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.match(String(headers['x-robots-tag']), /noindex/)
    assert.doesNotMatch(body, /a-token/)
  })

  it('have the theme and the colour of their host', async () => {
    assert.match((await get('/ada')).body, /<html lang="en">[\s\S]*--accent:light-dark\(#123456,/)
    await db().updateTable('schedulers').set({ theme: 'dark' }).where('id', '=', ada.id).execute()
    assert.match((await get('/ada')).body, /<html lang="en" data-theme="dark">/)
  })

  it('say du in German for hosts who want that, on their pages and to their guests', async () => {
    const bob = await addUser(db(), 'bob')
    const talk = await addEventType(db(), bob, { slug: 'talk' })
    const booked = await app.inject({
      method: 'POST',
      url: '/api/public/scheduling/bob/talk/book',
      payload: bookingOf(talk, MONDAY_NOON + 22 * 3_600_000),
      headers: fromSomeoneNew(),
    })
    const { id } = booked.json()
    const pathname = `/booking/${id}`
    const search = `?token=${manageToken(quietContext, id)}`
    const said = async (url: string) => {
      const { body } = await get(url)
      return [dataIn(body).germanAddress, /assets\/de-du-/.test(body)]
    }
    const own = `${pathname}${search}&lang=de`
    assert.deepEqual(await said('/bob?lang=de'), [undefined, false])
    assert.deepEqual(await said(own), [undefined, false])
    await changeElsewhere(db(), bob.id, (trx) => updateScheduler(trx, { ...bob, germanAddress: 'du' }))
    for (const url of ['/bob?lang=de', own]) assert.deepEqual(await said(url), ['du', true], url)
    assert.deepEqual(await said(own.replace('lang=de', 'lang=fr')), [undefined, false])
    assert.deepEqual(await said(`${pathname}?token=wrong&lang=de`), [undefined, false])
  })

  it('keep hidden event types out of search engines', async () => {
    assert.match((await get('/ada/hidden')).body, /<meta name="robots" content="noindex">/)
    assert.doesNotMatch((await get('/ada/talk')).body, /noindex/)
  })

  it('lead from an old address to the new one, with the query', async () => {
    for (const [from, to] of [
      ['/lovelace', '/ada'],
      ['/lovelace/talk?name=Grace', '/ada/talk?name=Grace'],
      ['/lovelace/forms/contact', '/ada/forms/contact'],
      ['/Ada', '/ada'],
      ['/ADA/Talk?name=Grace', '/ada/talk?name=Grace'],
      ['/Ada/forms/Contact', '/ada/forms/contact'],
    ] as const) {
      const { statusCode, headers } = await get(from)
      assert.equal(statusCode, 301)
      assert.equal(headers.location, to)
    }
  })

  it('say that there is nothing, to people as a page and to programs as JSON', async () => {
    for (const url of ['/nobody', '/ada/nothing', '/ada/forms/nothing', '/a/b/c/d', '/ada/talk.exe']) {
      const page = await get(url)
      assert.equal(page.statusCode, 404, url)
      assert.match(page.body, /Page not found/)
      const json = await get(url, { accept: '*/*' })
      assert.equal(json.statusCode, 404, url)
      assert.deepEqual(Object.keys(json.json()), ['error'])
    }
    const german = await get('/nobody', { ...BROWSER, 'accept-language': 'de' })
    assert.match(german.body, /Seite nicht gefunden/)
  })

  it('leave API addresses to the API, for browsers too', async () => {
    for (const url of ['/api', '/api/public', '/api/public/scheduling/nobody', '/api/forms/contact']) {
      assert.match(String((await get(url)).headers['content-type']), /^application\/json/, url)
    }
  })

  it('answer HEAD, and compress for clients that accept it', async () => {
    const head = await app.inject({ method: 'HEAD', url: '/ada/talk' })
    assert.equal(head.statusCode, 200)
    assert.equal(head.body, '')
    const packed = await get('/ada', { ...BROWSER, 'accept-encoding': 'gzip' })
    assert.equal(packed.headers['content-encoding'], 'gzip')
    assert.match(gunzipSync(packed.rawPayload).toString(), /Name of ada/)
    const smaller = await get('/ada', { ...BROWSER, 'accept-encoding': 'gzip, br' })
    assert.equal(smaller.headers['content-encoding'], 'br')
    assert.match(brotliDecompressSync(smaller.rawPayload).toString(), /Name of ada/)
    assert.match(String(smaller.headers.vary), /accept-encoding/)
  })

  it('have our mark as their icon, in the forms that browsers and phones want', async () => {
    const { body } = await get('/ada/talk')
    const icons = [...body.matchAll(/<link rel="(?:apple-touch-)?icon" href="([^"]+)"/g)].map(
      ([, url = '']) => url,
    )
    const types = []
    for (const icon of icons) types.push((await get(icon)).headers['content-type'])
    assert.deepEqual(types, ['image/x-icon', 'image/svg+xml', 'image/png'])
  })

  it('make the dashboard installable, and leave guests alone', async () => {
    const dashboard = await get('/app/bookings')
    const [, manifest = ''] = /<link rel="manifest" href="([^"]+)"/.exec(dashboard.body) ?? []
    assert.match(String(dashboard.headers['content-security-policy']), /manifest-src 'self'/)
    const { scope, icons } = (await get(manifest)).json()
    assert.equal(scope, '/app/')
    for (const { src, type } of icons) assert.equal((await get(src)).headers['content-type'], type)
    const guests = await get('/ada/talk')
    assert.doesNotMatch(guests.body, /rel="manifest"/)
    assert.doesNotMatch(String(guests.headers['content-security-policy']), /manifest-src/)

    // Asked for at every visit, and a script that says the same in any language but for the words.
    for (const [language, words] of [
      ['en', 'You are offline'],
      ['de', 'Keine Verbindung'],
      ['ja', 'オフラインです'],
    ] as const) {
      const worker = await get(`/app/worker.js?lang=${language}`)
      assert.equal(worker.headers['content-type'], 'text/javascript; charset=utf-8')
      assert.equal(worker.headers['cache-control'], 'no-cache')
      assert.match(String(worker.headers['content-security-policy']), /^default-src 'none'/)
      assert.ok(worker.body.includes(words), language)
      assert.doesNotMatch(worker.body, /caches|importScripts/)
    }
  })

  it('load files that never change, as they were compressed', async () => {
    const [script] = /\/assets\/booking-[\w-]+\.js/.exec((await get('/ada/talk')).body) ?? []
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['', undefined],
    ] as const) {
      const reply = await get(script as string, { 'accept-encoding': accepted })
      assert.equal(reply.statusCode, 200)
      assert.equal(reply.headers['content-encoding'], encoding)
      assert.match(String(reply.headers['cache-control']), /immutable/)
      assert.equal(reply.headers['content-type'], 'text/javascript; charset=utf-8')
    }
    for (const wrong of ['/assets/none.js', '/assets/..%2fmanifest.json', '/assets/booking.js.map']) {
      assert.equal((await get(wrong, {})).statusCode, 404, wrong)
    }
  })
})

describe('a service whose pages are not built', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'punctual-pages-'))
  })
  after(() => rm(folder, { recursive: true }))

  it('serves its API, and says on its pages what is missing', async () => {
    const db = openDatabase(join(folder, 'punctual.db'))
    await migrate(db)
    await addUser(db, 'ada')
    const { app } = await appOn(db, { pagesFolder: folder })
    const page = await app.inject({ url: '/ada', headers: BROWSER })
    assert.equal(page.statusCode, 503)
    assert.match(page.body, /npm run build/)
    assert.equal((await app.inject({ url: '/api/public/scheduling/ada' })).statusCode, 200)
    await app.close()
    await db.destroy()
  })
})
