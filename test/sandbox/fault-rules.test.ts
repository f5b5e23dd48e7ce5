import { describe, expect, test as base } from 'vitest';
import { Faults } from '../../src/sandbox/faults/faults.ts';
import type { Fault, FaultRule } from '../../src/sandbox/faults/rule.ts';
import { sandboxFixtures } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

describe('the route of a fault', () => {
  const unavailable: Fault = { kind: 'error', status: 503 };

  test.for<[route: string, call: string, meets: boolean]>([
    ['POST /v2/messages/send', 'POST /v2/messages/send', true],
    ['POST /v2/messages/send', 'POST /v1/messages/send', false],
    ['GET /v1/contacts/:id', 'GET /v1/contacts/con_1', true],
    ['GET /v1/contacts/:id', 'PUT /v1/contacts/con_1', false],
    ['GET /v1/contacts/:id', 'GET /v1/contacts', false],
    ['GET /v1/contacts/:id', 'GET /v1/contacts/:id/x', false],
    ['/v2/contacts/:id', 'DELETE /v2/contacts/con_1', true],
    ['/v2/contacts/:id', 'GET /v2/contacts/a%2Fb', true],
    ['GET /v2/messages', 'GET /v2/messages?page=2', true],
    ['GET /v2/messages', 'HEAD /v2/messages', true],
    ['GET /v2/*', 'GET /v2/webhooks', true],
    ['GET /v2/*', 'POST /v2/contacts', false],
    ['/v2/*', 'POST /v2/contacts', true],
    ['/v2/*', 'GET /v2/nothing', true],
    ['/v2/*', 'GET /v1/contacts', false],
    ['/v1/*', 'GET /v1/contacts', true],
    ['/v1/*', 'GET /v10/contacts', false],
    ['*', 'GET /nothing', true],
    ['*', 'OPTIONS /v2/contacts', true],
    ['DELETE *', 'DELETE /v2/webhooks/wh_1', true],
    ['DELETE *', 'GET /v2/webhooks', false],
  ])('%s: for %s %s', async ([route, call, meets], { sandbox }) => {
    sandbox.faults.add({ route, fault: unavailable });
    expect((await sandbox.call(call)).status === 503).toBe(meets);
    expect(sandbox.faults.list()).toMatchObject([{ fired: meets ? 1 : 0 }]);
  });
});

describe('a rule that cannot be kept is refused, and the message says what to write:', () => {
  const fault = { kind: 'truncated' };

  test.for<[rule: unknown, said: string]>([
    [null, 'A fault must be an object'],
    [{ fault }, 'route must be a text such as GET /v2/*'],
    [{ route: 'GET /v2/message', fault }, 'did you mean GET /v2/messages?'],
    [{ route: 'PATCH *', fault }, 'route must be *, /v1/*, /v2/* or an endpoint such as /v2/contacts/:id, and may begin with a method'],
    [{ route: '*' }, 'fault must be an object'],
    [{ route: '*', fault: {} }, 'fault.kind must be one of latency, error, reset, truncated, invalidJson, slow'],
    [{ route: '*', fault: { kind: 'latency', ms: -1 } }, 'fault.ms must be a whole number from 0 to 2147483647'],
    [{ route: '*', fault: { kind: 'error', status: 200 } }, 'fault.status must be 429, or a whole number from 500 to 599'],
    [{ route: '*', fault: { kind: 'error', status: 404 } }, 'fault.status must be 429, or a whole number from 500 to 599'],
    [{ route: '*', fault: { kind: 'error', status: 503, retryAfter: 1.5 } }, 'fault.retryAfter must be a whole number of at least 0'],
    [{ route: '*', fault: { kind: 'reset', at: 'end' } }, 'fault.at must be one of request, head, body'],
    [{ route: '*', fault: { kind: 'slow', bytesPerSecond: 0 } }, 'fault.bytesPerSecond must be a whole number of at least 1'],
    [{ route: '*', fault: { kind: 'truncated', ms: 1 } }, 'fault has no ms; its fields are kind'],
    [{ route: '*', fault, time: 1 }, 'A fault has no time; its fields are route, fault, times, probability'],
    [{ route: '*', fault, times: 0 }, 'times must be a whole number of at least 1'],
    [{ route: '*', fault, probability: 2 }, 'probability must be at most 1'],
  ])('%j', ([rule, said]) => {
    const faults = new Faults('seed');
    // What a program in JavaScript may give.
    expect(() => faults.add(rule as FaultRule)).toThrow(
      expect.objectContaining({ code: 'FAULT_RULE', message: expect.stringContaining(said), cause: expect.anything() }),
    );
    expect(faults.list()).toEqual([]);
  });
});

describe('the rules', () => {
  const call = { method: 'GET', path: '/v2/contacts', endpoint: undefined };
  const error = (status: number): Fault => ({ kind: 'error', status });
  const pick = (faults: Faults, times: number) => Array.from({ length: times }, () => faults.pick(call));

  test('are tried in their order, and each only as often as its times say', () => {
    const faults = new Faults('seed');
    faults.add({ route: '/v1/*', fault: error(500) });
    faults.add({ route: '/v2/*', fault: error(501), times: 2 });
    faults.add({ route: '*', fault: error(502), times: 1 });
    expect(pick(faults, 4)).toEqual([error(501), error(501), error(502), undefined]);
    expect(faults.list()).toEqual([
      { id: 'flt_1', route: '/v1/*', fault: error(500), fired: 0 },
      { id: 'flt_2', route: '/v2/*', fault: error(501), times: 2, fired: 2 },
      { id: 'flt_3', route: '*', fault: error(502), times: 1, fired: 1 },
    ]);
  });

  test('can be removed, one or all, and no id is given twice', () => {
    const faults = new Faults('seed');
    for (const status of [500, 501, 502]) faults.add({ route: '*', fault: error(status) });
    expect([faults.remove('flt_1'), faults.remove('flt_1')]).toEqual([true, false]);
    expect(pick(faults, 1)).toEqual([error(501)]);
    faults.clear();
    expect(pick(faults, 1)).toEqual([undefined]);
    expect(faults.add({ route: '*', fault: error(503) }).id).toBe('flt_4');
  });

  test('with a probability fire by a sequence that only the seed decides', () => {
    const fired = (seed: string, probability: number): boolean[] => {
      const faults = new Faults(seed);
      faults.add({ route: '*', fault: error(500), probability });
      return pick(faults, 200).map((fault) => fault !== undefined);
    };
    expect(fired('one', 0.3)).toEqual(fired('one', 0.3));
    expect(fired('one', 0.3)).not.toEqual(fired('another', 0.3));
    const share = fired('one', 0.3).filter(Boolean).length / 200;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.4);
    expect(new Set(fired('one', 0))).toEqual(new Set([false]));
    expect(new Set(fired('one', 1))).toEqual(new Set([true]));
  });

  test('with a probability draw from a sequence of their own, which begins anew under another id', () => {
    const faults = new Faults('seed');
    const draw = (): boolean[] => pick(faults, 60).map((fault) => fault !== undefined);
    const sequences = ['flt_1', 'flt_2'].map((id) => {
      expect(faults.add({ route: '*', fault: error(500), probability: 0.5 }).id).toBe(id);
      const drawn = draw();
      faults.clear();
      return drawn;
    });
    expect(sequences[0]).not.toEqual(sequences[1]);
  });

  test('leave a call whose probability says no to the next one', () => {
    const faults = new Faults('seed');
    faults.add({ route: '*', fault: error(500), probability: 0 });
    faults.add({ route: '*', fault: error(501) });
    expect(pick(faults, 1)).toEqual([error(501)]);
  });

  test('go on from their state as if nothing had been between', () => {
    const faults = new Faults('seed');
    faults.add({ route: '*', fault: error(500), probability: 0.5, times: 20 });
    faults.add({ route: '*', fault: error(501), probability: 0.5 });
    pick(faults, 13);
    const again = new Faults('seed', JSON.parse(JSON.stringify(faults.state())));
    expect(again.list()).toEqual(faults.list());
    expect(pick(again, 40)).toEqual(pick(faults, 40));
    expect(again.add({ route: '*', fault: error(502) }).id).toBe('flt_3');
  });
});
