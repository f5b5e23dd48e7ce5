import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { touchedBy } from '../../../proxy/reuse/touched.ts';
import type { Heard, Write, Writes } from '../../../proxy/reuse/writes.ts';
import { type AskOptions, type Client, type TestReuse, startReuse } from './senders.ts';

const policy = { reuse: { getMessage: 60_000, getCampaign: 60_000 } };
const send: [string, AskOptions] = ['/v2/messages/send', { method: 'POST', endpoint: 'sendMessage' }];
const campaign: [string, AskOptions] = ['/v2/campaigns/cmp_1', { endpoint: 'getCampaign' }];

/** Asks, and has v2 answer with this. */
async function answered(reuse: TestReuse, body: string, ...asking: Parameters<TestReuse['ask']>): Promise<Client> {
  const client = reuse.ask(...asking);
  (await reuse.arrival()).res.end(body);
  await client.answer;
  return client;
}

/** What a read is answered, where v2 itself would say `new`. */
async function seen(reuse: TestReuse, ...asking: Parameters<TestReuse['ask']>): Promise<string> {
  const before = reuse.arrived.length;
  const client = reuse.ask(...asking);
  await reuse.seenBy(client, 'new');
  return reuse.arrived.length === before ? `${client.how} ${client.body}` : client.body;
}

describe('once a write has begun', () => {
  it('what was kept of its workspace is not used again', async () => {
    await using reuse = await startReuse(policy);
    await answered(reuse, 'old');
    expect(await seen(reuse)).toBe('stored old');
    reuse.ask(...send);
    await reuse.arrival();
    expect(await seen(reuse)).toBe('new');
  });

  it('what it does not touch is used again', async () => {
    await using reuse = await startReuse(policy);
    await answered(reuse, 'old', ...campaign);
    reuse.ask(...send);
    await reuse.arrival();
    expect(await seen(reuse, ...campaign)).toBe('stored old');
  });

  it('what is no endpoint touches everything', async () => {
    await using reuse = await startReuse(policy);
    await answered(reuse, 'old', ...campaign);
    reuse.ask('/v2/imports', { method: 'POST', endpoint: null });
    await reuse.arrival();
    expect(await seen(reuse, ...campaign)).toBe('new');
  });

  it('no read gets an answer that was asked before, and who has asked before gets it', async () => {
    await using reuse = await startReuse(policy);
    const before = [reuse.ask(), reuse.ask()];
    const first = await reuse.arrival();
    reuse.ask(...send);
    await reuse.arrival();
    const after = reuse.ask();
    (await reuse.arrival()).res.end('new');
    first.res.end('old');
    expect(await Promise.all([...before, after].map(({ answer }) => answer))).toMatchObject([
      { body: 'old' },
      { body: 'old' },
      { body: 'new' },
    ]);
  });

  it('no read gets what another has asked while it went on, during it or after', async () => {
    await using reuse = await startReuse(policy);
    const write = reuse.ask(...send);
    const { res } = await reuse.arrival();
    const during = reuse.ask();
    const asked = await reuse.arrival();
    const other = reuse.ask();
    (await reuse.arrival()).res.end('other');
    await other.answer;
    res.end();
    await write.answer;
    const after = reuse.ask();
    (await reuse.arrival()).res.end('after');
    asked.res.end('during');
    expect([await during.answer, await other.answer, await after.answer]).toMatchObject([
      { body: 'during' },
      { body: 'other' },
      { body: 'after' },
    ]);
    expect(await seen(reuse)).toBe('stored after');
  });

  it('what was under way is not kept', async () => {
    await using reuse = await startReuse(policy);
    const before = reuse.ask();
    const { res } = await reuse.arrival();
    await answered(reuse, '{}', ...send);
    res.end('old');
    await before.answer;
    expect(await seen(reuse)).toBe('new');
  });
});

describe('a write', () => {
  it('is never asked together with another', async () => {
    await using reuse = await startReuse();
    const writes = [reuse.ask(...send), reuse.ask(...send)];
    for (const { res } of [await reuse.arrival(), await reuse.arrival()]) res.end('{}');
    await Promise.all(writes.map(({ answer }) => answer));
    expect(writes.map(({ sent, how }) => [sent, how])).toEqual([
      [1, 'asked'],
      [1, 'asked'],
    ]);
  });

  it('of another workspace changes nothing', async () => {
    await using reuse = await startReuse(policy);
    await answered(reuse, 'old', undefined, { workspace: 'Acme' });
    await answered(reuse, '{}', send[0], { ...send[1], workspace: 'Other' });
    expect(await seen(reuse, undefined, { workspace: 'Acme' })).toBe('stored old');
  });

  it('of another key ends what is kept, where the configuration gives neither a workspace: they may have the same', async () => {
    await using reuse = await startReuse(policy);
    await answered(reuse, 'old');
    await answered(reuse, '{}', send[0], { ...send[1], key: 'sk_2' });
    expect(await seen(reuse)).toBe('new');
  });

  it('that was not sent ends nothing', async () => {
    await using reuse = await startReuse(policy, {
      before: (sender) => ({
        send(request, receiver) {
          if (request.method === 'GET') return sender.send(request, receiver);
          setImmediate(() => receiver.onRefused({ why: 'used up', retryAfter: 1 }));
          return { pause() {}, resume() {}, cancel() {} };
        },
      }),
    });
    await answered(reuse, 'old');
    expect(await reuse.ask(...send).answer).toEqual({ why: 'used up', retryAfter: 1 });
    expect(await seen(reuse)).toBe('stored old');
  });

  it.each(['its connection broke', 'its client left'])('whose end nobody knows, as %s, counts as under way for a minute', async (why) => {
    await using reuse = await startReuse(policy);
    const write = reuse.ask(...send);
    const { res } = await reuse.arrival();
    const closed = once(res, 'close');
    if (why === 'its client left') write.handle?.cancel();
    else res.destroy();
    await closed;
    if (why !== 'its client left') await write.answer;
    await answered(reuse, 'unsure');
    expect(await seen(reuse)).toBe('new');
    reuse.pass(60_000);
    await answered(reuse, 'sure');
    expect(await seen(reuse)).toBe('stored sure');
  });

  it('that was answered is over, though its client leaves', async () => {
    await using reuse = await startReuse(policy);
    const write = reuse.ask(...send);
    const { res } = await reuse.arrival();
    res.write('{');
    await once(write, 'data');
    write.handle?.cancel();
    await answered(reuse, 'sure');
    expect(await seen(reuse)).toBe('stored sure');
  });
});

/** What other replicas would say. */
class Fleet implements Writes {
  hears = true;
  readonly told: string[] = [];
  others: Heard | undefined;

  began({ group, touched }: Write): void {
    this.told.push(`began ${group} ${touched.resources.join()}`);
  }

  over({ group }: Write): void {
    this.told.push(`over ${group}`);
  }

  heard(listener: Heard): void {
    this.others = listener;
  }
}

const theirs = (group = ''): Write => ({ id: 'another 1', group, touched: touchedBy('POST', '/v2/messages/send') });

describe('a write of another replica', () => {
  it('ends what is kept, and what is asked until it is over is for nobody else', async () => {
    const writes = new Fleet();
    await using reuse = await startReuse(policy, { writes });
    await answered(reuse, 'old');
    writes.others?.began(theirs());
    expect(await answered(reuse, 'during')).toMatchObject({ how: 'asked' });
    expect(await seen(reuse)).toBe('new');
    writes.others?.over(theirs());
    await answered(reuse, 'after');
    expect(await seen(reuse)).toBe('stored after');
  });

  it('is over after a minute where its replica says nothing more', async () => {
    const writes = new Fleet();
    await using reuse = await startReuse(policy, { writes });
    writes.others?.began(theirs());
    reuse.pass(60_000);
    await answered(reuse, 'after');
    expect(await seen(reuse)).toBe('stored after');
  });

  it('of which only the end is heard ends what was asked before', async () => {
    const writes = new Fleet();
    await using reuse = await startReuse(policy, { writes });
    await answered(reuse, 'old');
    const before = reuse.ask('/v2/messages/msg_2');
    const { res } = await reuse.arrival();
    writes.others?.over(theirs());
    res.end('old');
    await before.answer;
    expect([await seen(reuse), await seen(reuse, '/v2/messages/msg_2')]).toEqual(['new', 'new']);
  });

  it('may have been missed: nothing from before is used again', async () => {
    const writes = new Fleet();
    await using reuse = await startReuse(policy, { writes });
    await answered(reuse, 'old');
    const before = reuse.ask('/v2/messages/msg_2');
    const { res } = await reuse.arrival();
    writes.others?.missed();
    expect(await seen(reuse, '/v2/messages/msg_2')).toBe('new');
    res.end('old');
    await before.answer;
    expect([await seen(reuse), await seen(reuse, '/v2/messages/msg_2')]).toEqual(['new', 'stored new']);
  });
});

it('where other replicas are not heard, nothing is used again, and nothing is asked together', async () => {
  const writes = new Fleet();
  await using reuse = await startReuse(policy, { writes });
  await answered(reuse, 'old');
  writes.hears = false;
  expect(await seen(reuse)).toBe('new');
  const clients = [reuse.ask(), reuse.ask()];
  for (const { res } of [await reuse.arrival(), await reuse.arrival()]) res.end();
  await Promise.all(clients.map(({ answer }) => answer));
  expect(clients.map(({ sent }) => sent)).toEqual([1, 1]);
});

it('what was kept before other replicas were not heard is not used afterwards', async () => {
  const writes = new Fleet();
  await using reuse = await startReuse(policy, { writes });
  await answered(reuse, 'old');
  writes.hears = false;
  await answered(reuse, 'meanwhile', '/v2/messages/msg_2');
  writes.hears = true;
  expect(await seen(reuse)).toBe('new');
});

it('other replicas are told when a write begins, and when it is over', async () => {
  const writes = new Fleet();
  await using reuse = await startReuse(policy, { writes });
  const write = reuse.ask(send[0], { ...send[1], workspace: 'Acme' });
  const { res } = await reuse.arrival();
  expect(writes.told).toEqual(['began Acme messages,contacts']);
  res.end();
  await write.answer;
  expect(writes.told).toEqual(['began Acme messages,contacts', 'over Acme']);
});
