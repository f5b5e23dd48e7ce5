import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Match, Rule, Stage } from '../../src/rollout/rules.ts';
import { type CallFacts, matches, placeOf, selector } from '../../src/rollout/select.ts';

const call: CallFacts = {
  key: 'ak_acme_0123456789',
  keyHash: '40000000aaaaaaaa',
  workspace: 'Acme',
  client: 'acme-crm',
  endpoint: 'GET /v1/messages/:id',
  method: 'GET',
};

const rule = (match: Match, stage: Stage = 'compare', name = JSON.stringify(match)): Rule => ({ name, match, stage });

describe('a match', () => {
  test.each<[string, Match, Partial<CallFacts>, boolean]>([
    ['of nothing means every call', {}, {}, true],
    ['names the workspace', { workspace: ['Acme'] }, {}, true],
    ['names another workspace', { workspace: ['Bolt'] }, {}, false],
    ['names one of several workspaces', { workspace: ['Bolt', 'Acme'] }, {}, true],
    ['of a workspace is not about unknown keys', { workspace: ['Acme'] }, { workspace: null }, false],
    ['of unknown keys is not about those of a workspace', { unknown: true }, {}, false],
    ['of unknown keys is about a key of no workspace', { unknown: true }, { workspace: null }, true],
    ['of unknown keys is about a call without a key', { unknown: true }, { workspace: null, key: undefined, keyHash: undefined }, true],
    ['names the beginning of the key', { keys: ['ak_acme_'] }, {}, true],
    ['names the beginning of another key', { keys: ['ak_bolt_'] }, {}, false],
    ['names the hash of the key', { keys: ['hash:40000000aaaaaaaa'] }, {}, true],
    ['names another hash', { keys: ['hash:40000000aaaaaaab'] }, {}, false],
    ['names a key where the call has none', { keys: ['ak_'] }, { key: undefined, keyHash: undefined }, false],
    ['names the client', { client: ['acme-crm'] }, {}, true],
    ['names another client', { client: ['curl'] }, {}, false],
    ['names a client of any version', { client: ['curl'] }, { client: 'curl/8.5.0' }, true],
    ['names a client of one version', { client: ['curl/8.5.0'] }, { client: 'curl/8.5.0' }, true],
    ['names a client of another version', { client: ['curl/8.5.1'] }, { client: 'curl/8.5.0' }, false],
    ['names the beginning of a client', { client: ['cur'] }, { client: 'curl/8.5.0' }, false],
    ['names the endpoint', { endpoint: ['GET /v1/messages/:id'] }, {}, true],
    ['names another endpoint', { endpoint: ['POST /v1/messages/send'] }, {}, false],
    ['names the method', { methods: ['GET', 'HEAD'] }, {}, true],
    ['names another method', { methods: ['POST'] }, {}, false],
    ['has the place of the key within its share', { percent: 0.26 }, {}, true],
    ['has the place of the key outside its share', { percent: 0.25 }, {}, false],
    ['of 0 % is about nobody', { percent: 0 }, { keyHash: '0000000000000000' }, false],
    ['of 100 % is about every key', { percent: 1 }, { keyHash: 'ffffffffffffffff' }, true],
    ['of 100 % is not about a call without a key', { percent: 1 }, { key: undefined, keyHash: undefined }, false],
    ['of which one part does not apply', { workspace: ['Acme'], methods: ['POST'] }, {}, false],
  ])('%s', (_what, match, facts, expected) => {
    expect(matches(match, { ...call, ...facts })).toBe(expected);
    expect(selector([rule(match)])({ ...call, ...facts }) !== undefined).toBe(expected);
  });
});

describe('the selector', () => {
  it('takes the first rule that matches', () => {
    const rules = [rule({ workspace: ['Bolt'] }), rule({ methods: ['GET'] }), rule({ workspace: ['Acme'] }), rule({})];
    expect(selector(rules)(call)).toBe(rules[1]);
    expect(selector(rules)({ ...call, method: 'POST' })).toBe(rules[2]);
    expect(selector(rules)({ ...call, method: 'POST', workspace: null })).toBe(rules[3]);
  });

  const text = fc.constantFrom('Acme', 'Bolt', 'a', 'ab', 'abc', 'GET', 'POST', 'curl');
  const match: fc.Arbitrary<Match> = fc.record(
    {
      workspace: fc.array(text, { minLength: 1, maxLength: 2 }),
      keys: fc.array(fc.oneof(text, fc.constantFrom('hash:0000000000000000', 'hash:8000000000000000')), { minLength: 1, maxLength: 2 }),
      client: fc.array(fc.oneof(text, fc.constant('curl/1')), { minLength: 1, maxLength: 2 }),
      endpoint: fc.array(text, { minLength: 1, maxLength: 2 }),
      methods: fc.array(text, { minLength: 1, maxLength: 2 }),
      percent: fc.constantFrom(0, 0.1, 0.5, 0.9, 1),
      unknown: fc.constant(true as const),
    },
    { requiredKeys: [] },
  );
  const facts: fc.Arbitrary<CallFacts> = fc.record({
    key: fc.option(text, { nil: undefined }),
    keyHash: fc.option(
      fc.constantFrom('0000000000000000', '1111111111111111', '8000000000000000', 'e666666666666666', 'ffffffffffffffff'),
      {
        nil: undefined,
      },
    ),
    workspace: fc.option(text),
    client: fc.oneof(text, fc.constantFrom('curl/1', 'curl/2', 'ab/1')),
    endpoint: text,
    method: text,
  });

  it('with its memory gives what looking at each rule in turn gives', () => {
    fc.assert(
      fc.property(fc.array(match, { maxLength: 8 }), fc.array(facts, { minLength: 1, maxLength: 20 }), (given, calls) => {
        const rules = given.map((each, index) => rule(each, 'compare', String(index)));
        const select = selector(rules);
        for (const each of calls) expect(select(each)?.name).toBe(rules.find((one) => matches(one.match, each))?.name);
      }),
      { numRuns: 500 },
    );
  });

  it('moves nobody back when a share is raised, and takes about that share of the keys', () => {
    const hash = fc.stringMatching(/^[0-9a-f]{16}$/);
    fc.assert(
      fc.property(hash, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (keyHash, one, other) => {
        const isIn = (percent: number): boolean => matches({ percent }, { ...call, keyHash });
        return !isIn(Math.min(one, other)) || isIn(Math.max(one, other));
      }),
    );
    expect(placeOf('00000000ffffffff')).toBe(0);
    expect(placeOf('ffffffff00000000')).toBeLessThan(1);
  });

  it('looks at ten thousand rules once for all calls of a kind', () => {
    let looks = 0;
    const rules = Array.from({ length: 10_000 }, (_, index) => {
      const match: Match = { client: [`client-${index}`] };
      return Object.defineProperty(rule(match), 'match', { get: () => (looks++, match) });
    });
    const select = selector(rules);
    select({ ...call, client: 'client-9999' });
    const before = looks;
    for (let i = 0; i < 1_000; i++) expect(select({ ...call, key: `k${i}`, client: 'client-9999' })).toBe(rules[9_999]);
    expect(looks).toBe(before);
    // Whatever clients send: names that no rule has are one kind.
    select({ ...call, client: 'nobody' });
    const afterNobody = looks;
    for (let i = 0; i < 1_000; i++) expect(select({ ...call, client: `nobody-${i}` })).toBeUndefined();
    expect(looks).toBe(afterNobody);
  });
});
