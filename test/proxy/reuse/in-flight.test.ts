import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { longest } from '../../../proxy/reuse/flight.ts';
import { json, startReuse } from './senders.ts';

const large = 'x'.repeat(longest + 1);

describe('reads that are asked together', () => {
  it('are asked once, and all get what v2 says', async () => {
    await using reuse = await startReuse();
    const clients = [reuse.ask(), reuse.ask(), reuse.ask()];
    const { res } = await reuse.arrival();
    res.writeHead(200, { ...json, 'X-Own': 'a' }).end('{"status":"SENT"}');
    for (const { answer } of clients) expect(await answer).toMatchObject({ status: 200, body: '{"status":"SENT"}' });
    expect(clients.map(({ how, fields }) => [how, fields.get('x-own')])).toEqual([
      ['asked', 'a'],
      ['in-flight', 'a'],
      ['in-flight', 'a'],
    ]);
    expect(reuse.arrived).toHaveLength(1);
  });

  it('count as one call, of the one who asked', async () => {
    await using reuse = await startReuse();
    const clients = [reuse.ask(), reuse.ask()];
    (await reuse.arrival()).res.writeHead(404, json).end('{}');
    await Promise.all(clients.map(({ answer }) => answer));
    expect(clients.map(({ sent, status }) => [sent, status])).toEqual([
      [1, 404],
      [0, 404],
    ]);
    expect(reuse.spared).toEqual(['getMessage in-flight']);
  });

  it('are asked anew once v2 has answered', async () => {
    await using reuse = await startReuse();
    const first = reuse.ask();
    (await reuse.arrival()).res.end('1');
    await first.answer;
    const second = reuse.ask();
    (await reuse.arrival()).res.end('2');
    expect(await second.answer).toMatchObject({ body: '2' });
    expect(second.how).toBe('asked');
  });

  it('get what came before they asked, and the rest as it comes', async () => {
    await using reuse = await startReuse();
    const first = reuse.ask();
    const { res } = await reuse.arrival();
    res.writeHead(200, { ...json, 'Content-Length': 4 }).write('ab');
    await once(first, 'data');
    const second = reuse.ask();
    await once(second, 'data');
    expect(second.body).toBe('ab');
    res.end('cd');
    expect(await second.answer).toMatchObject({ status: 200, body: 'abcd' });
    expect(await first.answer).toMatchObject({ body: 'abcd' });
  });

  it('do not hand on a cookie', async () => {
    await using reuse = await startReuse();
    const [first, second] = [reuse.ask(), reuse.ask()];
    (await reuse.arrival()).res.writeHead(200, { 'Set-Cookie': 'a=b' }).end('{}');
    await Promise.all([first.answer, second.answer]);
    expect([first, second].map(({ fields }) => fields.get('set-cookie'))).toEqual(['a=b', undefined]);
  });
});

describe('a read is asked by itself', () => {
  it.each<[string, Parameters<Awaited<ReturnType<typeof startReuse>>['ask']>]>([
    ['with another key', [undefined, { key: 'sk_2' }]],
    ['with another path', ['/v2/messages/msg_2']],
    ['with another query', ['/v2/messages/msg_1?x=1']],
    ['with another field', [undefined, { fields: ['X-Tenant', 'b'] }]],
    ['with a condition', [undefined, { fields: ['If-None-Match', '"a"'] }]],
    ['where its client wants what is new', [undefined, { fields: ['Cache-Control', 'no-cache'] }]],
    ['where nobody said what it is for', [undefined, { endpoint: null }]],
    ['with HEAD', [undefined, { method: 'HEAD' }]],
  ])('%s', async (_why, asking) => {
    await using reuse = await startReuse();
    const first = reuse.ask();
    const second = reuse.ask(...asking);
    for (const { res } of [await reuse.arrival(), await reuse.arrival()]) res.end();
    await Promise.all([first.answer, second.answer]);
    expect([first.sent, second.sent]).toEqual([1, 1]);
  });

  it('beside one with a condition', async () => {
    await using reuse = await startReuse();
    const clients = [reuse.ask(undefined, { fields: ['If-None-Match', '"a"'] }), reuse.ask()];
    for (const { res } of [await reuse.arrival(), await reuse.arrival()]) res.end();
    await Promise.all(clients.map(({ answer }) => answer));
    expect(clients.map(({ sent }) => sent)).toEqual([1, 1]);
  });

  it.each([{ coalesce: false }, { coalesce: { getMessage: false } }])('where that is switched off: %o', async (policy) => {
    await using reuse = await startReuse(policy);
    const clients = [reuse.ask(), reuse.ask()];
    for (const { res } of [await reuse.arrival(), await reuse.arrival()]) res.end();
    await Promise.all(clients.map(({ answer }) => answer));
    expect(clients.map(({ sent }) => sent)).toEqual([1, 1]);
  });

  it('not where it is switched off for others alone', async () => {
    await using reuse = await startReuse({ coalesce: { listContacts: false } });
    const clients = [reuse.ask(), reuse.ask()];
    (await reuse.arrival()).res.end();
    await Promise.all(clients.map(({ answer }) => answer));
    expect(clients.map(({ sent }) => sent)).toEqual([1, 0]);
  });

  it('once too much has passed', async () => {
    await using reuse = await startReuse();
    const first = reuse.ask();
    const { res } = await reuse.arrival();
    res.write(large);
    while (first.body.length < large.length) await once(first, 'data');
    const second = reuse.ask();
    (await reuse.arrival()).res.end('own');
    res.end('!');
    expect(await second.answer).toMatchObject({ body: 'own' });
    expect(await first.answer).toMatchObject({ body: `${large}!` });
  });

  it.each([
    ['that is known', { 'Content-Length': large.length }],
    ['that is not known', {}],
  ])('where the answer turns out to be too long, by a length %s', async (_what, length) => {
    await using reuse = await startReuse();
    const [first, second] = [reuse.ask(), reuse.ask()];
    (await reuse.arrival()).res.writeHead(200, length).end(large);
    (await reuse.arrival()).res.end('own');
    expect(await second.answer).toMatchObject({ body: 'own' });
    expect([await first.answer, second.sent, second.how]).toMatchObject([{ body: large }, 1, 'asked']);
  });

  it.each([
    ['no-store', { 'Cache-Control': 'no-store' }],
    ['Vary', { Vary: 'User-Agent' }],
  ])('where v2 says that the answer is for one alone, by %s, and the next ones at once', async (_how, fields) => {
    await using reuse = await startReuse();
    const [first, second] = [reuse.ask(), reuse.ask()];
    (await reuse.arrival()).res.writeHead(200, fields).end('1');
    (await reuse.arrival()).res.writeHead(200, fields).end('2');
    expect([await first.answer, await second.answer]).toMatchObject([{ body: '1' }, { body: '2' }]);
    const clients = [reuse.ask(), reuse.ask()];
    for (const { res } of [await reuse.arrival(), await reuse.arrival()]) res.end();
    await Promise.all(clients.map(({ answer }) => answer));
    reuse.pass(60_000);
    const later = [reuse.ask(), reuse.ask()];
    (await reuse.arrival()).res.end();
    await Promise.all(later.map(({ answer }) => answer));
    expect(later.map(({ sent }) => sent)).toEqual([1, 0]);
  });
});

describe('a client that leaves', () => {
  it('does not end the answer of the others', async () => {
    await using reuse = await startReuse();
    const [first, second] = [reuse.ask(), reuse.ask()];
    const { res } = await reuse.arrival();
    first.handle?.cancel();
    res.end('{}');
    expect(await second.answer).toMatchObject({ status: 200, body: '{}' });
    expect(reuse.arrived).toHaveLength(1);
  });

  it('leaves the answer to those who were held back until its end is known', async () => {
    await using reuse = await startReuse();
    const [first, second] = [reuse.ask(), reuse.ask()];
    const { res } = await reuse.arrival();
    res.write('ab');
    await once(first, 'data');
    expect(second.status).toBe(0);
    first.handle?.cancel();
    expect(second.body).toBe('ab');
    res.end('cd');
    expect(await second.answer).toMatchObject({ body: 'abcd' });
  });

  it('ends the call where it is the last', async () => {
    await using reuse = await startReuse();
    const [first, second] = [reuse.ask(), reuse.ask()];
    const { res } = await reuse.arrival();
    first.handle?.cancel();
    const closed = once(res, 'close');
    second.handle?.cancel();
    await closed;
    expect(res.writableFinished).toBe(false);
  });

  it('leaves the count to the next one where nothing had been sent', async () => {
    await using reuse = await startReuse(
      {},
      {
        before: (sender) => ({
          send: (request, receiver) => {
            const handle = { pause() {}, resume() {}, cancel() {} };
            setImmediate(() => Object.assign(handle, sender.send(request, receiver)));
            return handle;
          },
        }),
      },
    );
    const [first, second] = [reuse.ask(), reuse.ask()];
    first.handle?.cancel();
    (await reuse.arrival()).res.end();
    await second.answer;
    expect([first.sent, second.sent, second.how]).toEqual([0, 1, 'asked']);
  });
});

describe('a slow client', () => {
  const half = 'x'.repeat(longest / 2);

  it.each([0, 1])('does not slow the others, and gets all of it: the one at %i', async (slow) => {
    await using reuse = await startReuse();
    const clients = [reuse.ask(undefined, { isSlow: slow === 0 }), reuse.ask(undefined, { isSlow: slow === 1 })];
    const { res } = await reuse.arrival();
    res.writeHead(200, { 'Content-Length': longest }).write(half);
    const [slowOne, fastOne] = slow === 0 ? clients : clients.toReversed();
    while ((fastOne?.body.length ?? 0) < half.length) await once(fastOne ?? res, 'data');
    res.end(half);
    expect(await fastOne?.answer).toMatchObject({ body: half + half });
    expect(slowOne?.body.length).toBeLessThan(longest);
    slowOne?.on('data', () => setImmediate(() => slowOne.handle?.resume()));
    slowOne?.handle?.resume();
    expect(await slowOne?.answer).toMatchObject({ body: half + half });
  });

  it('slows v2 where it is alone', async () => {
    let paused = 0;
    await using reuse = await startReuse(
      {},
      {
        before: (sender) => ({
          send(request, receiver) {
            const sent = sender.send(request, receiver);
            return { pause: () => (paused++, sent.pause()), resume: () => sent.resume(), cancel: () => sent.cancel() };
          },
        }),
      },
    );
    const client = reuse.ask(undefined, { isSlow: true });
    const { res } = await reuse.arrival();
    res.write(half);
    await once(client, 'data');
    expect(paused).toBe(1);
    client.on('data', () => setImmediate(() => client.handle?.resume()));
    client.handle?.resume();
    res.end(half + half + half);
    expect(await client.answer).toMatchObject({ body: half.repeat(4) });
  });
});

describe('what fails', () => {
  it('because the hour is used up is refused for all', async () => {
    let asked = 0;
    await using reuse = await startReuse(
      {},
      {
        before: () => ({
          send(_request, receiver) {
            asked++;
            setImmediate(() => receiver.onRefused({ why: 'used up', retryAfter: 7 }));
            return { pause() {}, resume() {}, cancel() {} };
          },
        }),
      },
    );
    const clients = [reuse.ask(), reuse.ask()];
    expect(await Promise.all(clients.map(({ answer }) => answer))).toEqual(clients.map(() => ({ why: 'used up', retryAfter: 7 })));
    expect(asked).toBe(1);
  });

  it('as a connection breaks is asked once more, for all others together', async () => {
    await using reuse = await startReuse();
    const clients = [reuse.ask(), reuse.ask(), reuse.ask()];
    const { res } = await reuse.arrival();
    res.write('{');
    await once(clients[0] ?? res, 'data');
    res.destroy();
    (await reuse.arrival()).res.end('{}');
    expect(await Promise.all(clients.map(({ answer }) => answer))).toMatchObject(['reset', { body: '{}' }, { body: '{}' }]);
    expect(clients.map(({ sent }) => sent)).toEqual([1, 1, 0]);
    expect(reuse.arrived).toHaveLength(2);
  });

  it('as v2 takes too long is asked once more, and then has failed', async () => {
    await using reuse = await startReuse();
    const clients = [reuse.ask(), reuse.ask(), reuse.ask()];
    expect(await Promise.all(clients.map(({ answer }) => answer))).toEqual(['timeout', 'timeout', 'timeout']);
    expect(clients.map(({ sent }) => sent)).toEqual([1, 1, 0]);
  });

  it('in the middle of what all of them have has failed for all', async () => {
    await using reuse = await startReuse();
    const clients = [reuse.ask(), reuse.ask()];
    const { res } = await reuse.arrival();
    res.writeHead(200, { 'Content-Length': 4 }).write('ab');
    await Promise.all(clients.map((client) => once(client, 'data')));
    res.destroy();
    expect(await Promise.all(clients.map(({ answer }) => answer))).toEqual(['reset', 'reset']);
  });
});
