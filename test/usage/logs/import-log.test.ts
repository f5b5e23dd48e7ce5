import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineOf, linesOf, logStore, now } from './logs.ts';

const kindsOf = async (logs: ReturnType<typeof logStore>): Promise<readonly string[]> =>
  (await logs.uses()).map(({ kind: { endpoint, method, status }, calls }) => `${calls} ${method} ${status} of ${endpoint}`).toSorted();

describe('counts no line twice', () => {
  const lines = linesOf(300);
  const whole = lines.join('');

  test.each<[string, readonly (readonly string[])[]]>([
    ['the same log again', [lines, lines]],
    ['one that has grown', [lines.slice(0, 40), lines.slice(0, 41), lines]],
    ['an older copy of it', [lines, lines.slice(0, 40)]],
    ['its parts, and then the whole', [lines.slice(100), lines.slice(0, 100), lines]],
    ['parts that overlap', [lines.slice(0, 200), lines.slice(150), lines.slice(50, 250)]],
    ['parts of it by another order', [lines.toReversed(), lines]],
    ['every other line of it', [lines.filter((_, index) => index % 2 === 0), lines]],
    ['two logs as one', [[...lines.slice(200), ...lines.slice(0, 200)], lines]],
  ])('%s', async (_name, logs) => {
    const into = logStore();
    const added: number[] = [];
    for (const each of logs) added.push((await into.read(each.join(''))).added);
    expect(added.reduce((sum, calls) => sum + calls, 0)).toBe(300);
    expect(await into.calls()).toBe(300);
  });

  test('in whichever chunks, and from whichever part on, it comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(300), fc.nat(300), fc.integer({ min: 1, max: 5_000 })), { minLength: 1, maxLength: 4 }),
        async (parts) => {
          const into = logStore();
          const known = new Set<number>();
          for (const [from, count, size] of parts) {
            const part = lines.slice(from, from + count);
            for (const index of part.keys()) known.add(from + index);
            await into.read(part.join(''), { size, format: 'combined' });
          }
          expect(known.size === 0 ? 0 : await into.calls()).toBe(known.size);
        },
      ),
      { numRuns: 8 },
    );
  });

  test('though it begins with a byte order mark', async () => {
    const into = logStore();
    expect(await into.read(`\uFEFF${whole}`, { size: 2 })).toMatchObject({ calls: 300, unread: 0 });
    expect(await into.read(whole)).toMatchObject({ calls: 300, added: 0 });
  });

  test('but in one stream, of which it says so', async () => {
    const into = logStore();
    expect(await into.read([...lines.slice(0, 60), ...lines].join(''))).toMatchObject({ calls: 360, repeated: 49 });
    expect(await into.read(lines.map((line) => line.repeat(2)).join(''))).toMatchObject({ repeated: 0 });
    expect(await into.read(lines.toReversed().join(''))).toMatchObject({ repeated: 0 });
  });

  test('though a log has the same line several times: as many count as one log has', async () => {
    const into = logStore();
    const same = lineOf({ target: '/v1/messages' });
    expect((await into.read(same.repeat(3))).added).toBe(3);
    expect((await into.read(same.repeat(2))).added).toBe(0);
    expect((await into.read(same.repeat(5))).added).toBe(2);
  });

  test('and takes what an import that broke off has left', async () => {
    const into = logStore();
    const half = whole.slice(0, whole.length / 2);
    await into.read(half);
    await into.read(whole);
    expect(await into.calls()).toBe(300);
  });

  test('nor a last line before it has its end', async () => {
    const into = logStore();
    const cut = whole.slice(0, -8);
    expect(await into.read(cut)).toMatchObject({ calls: 299, isUnfinished: true });
    expect(await into.read(whole)).toMatchObject({ added: 1, isUnfinished: false });
    expect(await into.read(whole.slice(0, -1), { isWhole: true })).toMatchObject({ calls: 300, added: 0, isUnfinished: false });
  });

  test('with other ends of lines', async () => {
    const into = logStore();
    await into.read(whole);
    expect((await into.read(whole.replaceAll('\n', '\r\n'))).added).toBe(0);
  });

  test('but counts those of another source', async () => {
    const into = logStore();
    await into.read(whole, { source: 'one' });
    expect((await into.read(whole, { source: 'two' })).added).toBe(300);
  });
});

describe('takes calls of v1 alone', () => {
  const log = [
    { target: '/v1/messages' },
    { target: '/v1/messages?page=2#x', method: 'HEAD' },
    { target: 'https://api.example.com/v1/messages/17' },
    { target: '/v1/messages/send', method: 'POST', status: 503 },
    { target: '/v1/messages/', status: 404 },
    { target: '/v1/.env', status: 404 },
    { target: '/v1', method: 'BREW' },
    { target: '/v10/messages' },
    { target: '/v2/messages' },
    { target: '/other/v1/messages' },
    { target: '/', agent: 'bot (+https://example.com/v1/messages)' },
    { target: '/?next=/v1/messages' },
  ]
    .map((told, second) => lineOf({ ...told, second }))
    .join('');
  const listed = [
    '1 GET 200 of GET /v1/messages',
    '1 GET 200 of GET /v1/messages/:id',
    '1 HEAD 200 of GET /v1/messages',
    '1 POST 503 of POST /v1/messages/send',
  ];

  test('of its endpoints', async () => {
    const into = logStore();
    expect(await into.read(log)).toMatchObject({ lines: 12, calls: 4, unread: 0 });
    expect(await kindsOf(into)).toEqual(listed);
  });

  test('and of all paths below it, where the log is of its host', async () => {
    const into = logStore();
    await into.read(log, { host: 'api.example.com' });
    expect(await kindsOf(into)).toEqual([...listed, '1 OTHER 200 of unlisted', '2 GET 404 of unlisted'].toSorted());
  });

  test.each([
    ['//v1/messages/send', 'POST'],
    ['/v1//messages/send', 'POST'],
    ['/v1/messages/send/', 'POST'],
    ['/./v1/x/../messages/send', 'POST'],
    ['/v1/messages/%73end', 'POST'],
    ['/v1/Messages/Send', 'POST'],
    ['https://api.example.com//v1/messages/send/?page=1', 'POST'],
    [String.raw`//\[/..//v1/messages/send`, 'POST'],
  ])('also where v1 has answered %s, which is written differently', async (target, method) => {
    for (const [status, calls] of [
      [200, 1],
      [301, 1],
      [404, 0],
    ] as const)
      expect([status, (await logStore().read(lineOf({ target, method, status }))).calls]).toEqual([status, calls]);
    const into = logStore();
    await into.read(lineOf({ target, method }), { host: 'api.example.com' });
    expect(await kindsOf(into)).toEqual(['1 POST 200 of POST /v1/messages/send']);
  });

  test('and says how many were answered below it that are of no endpoint', async () => {
    const targets = ['/v1/batches', '//v1', '/v1/.env', '/v10/messages', '/other/v1/x'];
    const text = targets.map((target, second) => lineOf({ target, second })).join('') + lineOf({ target: '/v1/batches', status: 404 });
    expect(await logStore().read(text)).toMatchObject({ calls: 0, unlisted: 3 });
    expect(await logStore().read(text, { host: 'api.example.com' })).toMatchObject({ calls: 4, unlisted: 0 });
  });

  test('and of one host, where the target tells it', async () => {
    const balancer = (host: string): string =>
      `https 2026-11-20T10:00:00.186641Z app/lb/50dc 192.0.2.1:2817 10.0.0.1:80 0.1 0.1 0.1 200 200 0 57 "GET https://${host}/v1/contacts HTTP/1.1" "curl/7.46.0" - -\n`;
    const hosts = ['api.example.com:443', 'API.example.com', 'me@api.example.com', 'other.example.com:443'];
    expect(await logStore().read(hosts.map(balancer).join(''), { host: 'api.example.com' })).toMatchObject({ calls: 3 });
    const combined = hosts.map((host, second) => lineOf({ target: `https://${host}/v1/contacts`, second })).join('');
    expect(await logStore().read(combined, { host: 'api.example.com' })).toMatchObject({ calls: 3 });
  });

  test('and of one host, where lines tell it', async () => {
    const into = logStore();
    const hosts = ['api.example.com:443 ', 'API.example.com ', 'other.example.com '];
    const text = hosts.map((host, second) => host + lineOf({ target: '/v1/messages', second })).join('');
    expect((await into.read(text, { host: 'api.example.com' })).calls).toBe(2);
  });

  test('and none that the proxies have recorded, by their networks', async () => {
    const into = logStore();
    const addresses = ['10.0.7.1', '10.0.8.1', '10.0.9.9', '::ffff:10.0.7.2', '2001:db8::7'];
    const text = addresses.map((address, second) => lineOf({ target: '/v1/messages', address, second })).join('');
    const skipNetworks = ['10.0.7.0/24', '10.0.9.9/32', '2001:db8::/32'];
    expect(await into.read(text, { skipNetworks })).toMatchObject({ calls: 1, ofProxies: 4 });
  });
});

test('knows callers by product, network and fingerprint, and keeps nothing of what a line holds', async () => {
  const into = logStore();
  const secret = 'mk_live_51h8dkJ2s93kdLs0';
  const object = {
    time: '2026-11-20T08:00:00Z',
    remote_addr: '192.0.2.77',
    request_method: 'GET',
    request_uri: `/v1/messages/${secret}?x=${secret}`,
    status: 200,
    http_user_agent: `axios/1.7.0 ${secret}`,
    http_x_api_key: secret,
    http_referer: secret,
  };
  await into.read(`${JSON.stringify(object)}\n`);
  expect(await into.uses()).toMatchObject([
    { caller: { client: 'axios/1.7.0', network: '192.0.2.0/24', keyHash: expect.stringMatching(/^[0-9a-f]{16}$/), keyPrefix: 'mk_live_' } },
  ]);
  const bytes = readFileSync(into.store);
  for (const part of [secret, secret.slice(9), '192.0.2.77']) expect([part, bytes.includes(part)]).toEqual([part, false]);
});

test('tells the name that a client gives itself, of calls that an endpoint accepted', async () => {
  const into = logStore();
  const agent = 'acme-crm/2.1 axios/1.7';
  const statuses = [200, 401, 503];
  const text = statuses.map((status, second) => lineOf({ target: '/v1/messages', status, agent, second })).join('');
  await into.read(text);
  const clients = (await into.uses()).map(({ caller, kind }) => [kind.endpoint, kind.status, caller.client]);
  const hash = expect.stringMatching(/^other-[0-9a-f]{8}$/);
  expect(clients.toSorted()).toEqual([
    ['GET /v1/messages', 200, 'acme-crm/2.1 via axios/1.7'],
    ['GET /v1/messages', 401, hash],
    ['GET /v1/messages', 503, hash],
  ]);
});

describe('a hostile log', () => {
  test('of lines without an end, in any chunks', async () => {
    const into = logStore();
    const long = `${'x'.repeat(3_000_000)}/v1/messages${'"\\'.repeat(400_000)}`;
    const text = `${lineOf({ target: '/v1/messages' })}${long}\n${lineOf({ target: '/v1/messages', second: 1 })}${long.slice(0, 90_000)}\n`;
    for (const size of [1_000_000, 9_999]) expect(await into.read(text, { size })).toMatchObject({ lines: 4, calls: 2, unread: 1 });
  });

  test('of lines that begin well, and are damaged', async () => {
    const into = logStore();
    const good = lineOf({ target: '/v1/messages' });
    const text = good.repeat(9) + ['"', '[', ' [', '] "', '\\"', '\0'].map((mark) => `/v1/ ${mark.repeat(30_000)}\n`).join('');
    const figures = await into.read(text);
    expect(figures).toMatchObject({ calls: 9, unread: 6 });
    expect(figures.examples).toHaveLength(3);
    expect(figures.examples.every((example) => example.length <= 500)).toBe(true);
  });

  test('of callers that are all different, in time that is all different', async () => {
    const into = logStore();
    const lines = Array.from({ length: 22_000 }, (_, index) =>
      lineOf({
        target: '/v1/messages',
        agent: `a${index}/1`,
        address: `10.${index % 256}.${index >> 8}.1`,
        second: (index % 40) * 3_600 - index,
      }),
    );
    expect(await into.read(lines.join(''))).toMatchObject({ added: 22_000 });
    expect(await into.uses()).toHaveLength(20_001);
    expect((await into.read(lines.join(''))).added).toBe(0);
  });
});

test('knows how far a log reaches by lines of whatever, and nothing of one without lines', async () => {
  const into = logStore();
  await into.read(['/a', '/v1/messages', '/b'].map((target, second) => lineOf({ target, second: second * 60 })).join(''));
  expect(await into.read('')).toMatchObject({ format: undefined, lines: 0 });
  expect(await into.read('#Version: 1.0\n#Fields: date time\n')).toMatchObject({ lines: 0 });
  const reader = await into.open();
  const at = (time: string): number => Date.parse(`2026-11-20T${time}Z`);
  expect(await reader.logSources()).toEqual([
    {
      name: 'combined',
      format: 'combined',
      imported: now,
      files: 1,
      stretches: [{ since: at('08:00:00'), until: at('08:02:00') }],
      lines: 3,
      unread: 0,
    },
  ]);
});

test.each([
  ['within a chunk', 65_536],
  ['between two', 500],
])('knows where lines of a log are missing, %s', async (_name, size) => {
  const into = logStore();
  const hour = 3_600;
  const hours = [-400, -399, -398, -375, -374, -373, -20, -19, -18];
  await into.read(hours.map((each) => lineOf({ target: '/', second: each * hour })).join(''), { size });
  const reader = await into.open();
  const at = (hours: number): number => Date.parse('2026-11-20T08:00:00Z') + hours * hour * 1_000;
  expect((await reader.logSources())[0]?.stretches).toEqual([
    { since: at(-400), until: at(-373) },
    { since: at(-20), until: at(-18) },
  ]);
});

test.each(['\n', ''])('reads a log of one request that says its fields before it, which ends with %j', async (end) => {
  const fields = '#Fields: date time cs-method cs-uri-stem sc-status c-ip';
  const text = `#Version: 1.0\n${fields}\n2026-11-20 10:00:00 GET /v1/contacts 200 192.0.2.7${end}`;
  expect(await logStore().read(text, { isWhole: true })).toMatchObject({ format: 'cloudfront', lines: 1, calls: 1 });
});

test('names the lines of a log whose format nobody knows, before anything of it counts', async () => {
  const into = logStore();
  await expect(into.read('one /v1/messages\ntwo\n')).rejects.toMatchObject({ name: 'UnknownFormat', lines: ['one /v1/messages', 'two'] });
});
