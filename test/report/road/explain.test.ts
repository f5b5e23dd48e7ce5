import { describe, expect, test } from 'vitest';
import { renderExplanation } from '../../../src/report/road/explain-text.ts';
import { type Asked, explain } from '../../../src/report/road/explain.ts';
import type { RoadSource } from '../../../src/report/road/view.ts';
import { hashOf } from '../../helpers/usage-store.ts';
import { sourceWith, step } from './sources.ts';

const key = 'ak_acme_live_1';
const call: Asked = {
  key,
  keyHash: hashOf(key),
  keyPrefix: 'ak_a',
  isKeyInPart: false,
  workspace: 'Acme',
  client: 'axios/1.7.2',
  endpoint: 'GET /v1/contacts',
  method: 'GET',
};
const rules = (...matches: readonly object[]) => matches.map((match, index) => ({ name: `r${index + 1}`, stage: 'compare', match }));
const told = (given: object, more: Partial<Asked> = {}, source: Partial<RoadSource> = {}) =>
  explain({ ...call, ...more }, sourceWith(given, source));

describe('an explanation', () => {
  test('names the first part of each earlier rule that does not apply', () => {
    const { rule, passed } = told({
      rules: rules(
        { workspace: 'Bolt', methods: 'POST' },
        { workspace: 'Acme', methods: ['POST', 'PUT'] },
        { unknown: true },
        { client: ['curl', 'axios/1.6.0'] },
        { endpoint: 'GET /v1/messages/:id' },
        { keys: ['ak_bolt', `hash:${hashOf('another')}`] },
        { percent: '0%' },
        { client: 'axios', percent: '100%', keys: 'ak_acme' },
        {},
      ),
    });
    expect(rule).toBe('r8');
    expect(passed.map(({ name, part }) => `${name} ${part}`)).toEqual([
      'r1 workspace',
      'r2 methods',
      'r3 unknown',
      'r4 client',
      'r5 endpoint',
      'r6 keys',
      'r7 percent',
    ]);
  });

  test('says that no rule matches', () => {
    const explanation = told({ rules: rules({ workspace: 'Bolt' }) });
    expect(explanation).toMatchObject({ rule: null, stage: 'translate', inForce: 'translate', passed: [{ name: 'r1' }] });
    expect(renderExplanation(explanation, { width: Infinity, color: false })).toContain('No rule matches, and so the stage is translate.');
  });

  test('gives the place of the key, and shows no more of it than the record', () => {
    const explanation = told({ rules: rules({ keys: `${key}_and_more` }, { percent: '0%' }) });
    const text = renderExplanation(explanation, { width: Infinity, color: false });
    expect(explanation.place).toBeCloseTo(Number.parseInt(hashOf(key).slice(0, 8), 16) / 2 ** 32);
    expect(text).toMatch(/^GET \/v1\/contacts with the key ak_a… \(hash:[0-9a-f]{16}\) of Acme, at [\d.]+% of the keys, by axios/);
    expect(text + JSON.stringify(explanation)).not.toContain(key);
  });

  test('says where a hash is not enough to know, and where it is', () => {
    const given = { rules: rules({ keys: 'ak_acme_live' }, { keys: 'ak_bolt_live' }) };
    const asked = { key: 'ak_a', isKeyInPart: true };
    expect(told(given, asked).passed.map(({ isGuess }) => isGuess)).toEqual([true, false]);
    expect(told(given).rule).toBe('r1');
    expect(renderExplanation(told(given, asked), { width: Infinity, color: false })).toContain('give the key by env: or file:');
  });

  test('tells a call without a key from others', () => {
    const without = { key: undefined, keyHash: undefined, keyPrefix: undefined, workspace: null };
    const explanation = told({ rules: rules({ percent: '100%' }, { unknown: true }) }, without);
    expect(explanation).toMatchObject({ place: null, rule: 'r2' });
    expect(renderExplanation(explanation, { width: Infinity, color: false })).toMatch(/the first 100% of the keys +without a key/);
  });

  test('says what makes the stage another one', () => {
    const given = { rules: [{ name: 'moved', stage: 'translate', fallback: {} }] };
    const because = (...steps: RoadSource['steps']) => {
      const { inForce, because, step } = told(given, {}, { steps });
      return [inForce, because, step?.detail];
    };
    expect(because()).toEqual(['translate', null, undefined]);
    expect(because(step('tripped', 'moved', 'too many'))).toEqual(['observe', 'tripped', 'too many']);
    expect(because(step('tripped', 'moved'), step('stopped', '', 'by hand'))).toEqual(['observe', 'stopped', 'by hand']);
    expect(because(step('tripped', 'moved'), step('changed-over'))).toEqual(['translate', 'sunset', undefined]);
  });

  test('says which brownouts refuse the call, and why others do not', () => {
    const at = (day: number) => ({ at: `2026-12-${day}T10:00:00Z`, for: '10m' });
    const given = {
      brownouts: [
        { name: 'all', ...at(10) },
        { name: 'exempt', ...at(11), exempt: 'Acme' },
        { name: 'others', ...at(12), match: { workspace: 'Bolt' } },
        { name: 'ended', ...at(13) },
        { name: 'over', at: '2026-11-01T10:00:00Z', for: '10m' },
      ],
    };
    const explanation = told(given, {}, { steps: [step('brownout-stopped', 'ended')] });
    expect(explanation.brownouts.map(({ why }) => why)).toEqual([null, 'exempt', 'workspace', 'stopped', null]);
    const text = renderExplanation(explanation, { width: Infinity, color: false });
    expect(text).toContain('"all" refuses it: next 2026-12-10 10:00 to 10:10 UTC');
    expect(text).toContain('"others" leaves it alone: this is workspace Acme');
    expect(text).toContain('"over" is over');
    expect(told(given, {}, { steps: [step('stopped')] }).brownouts[0]?.why).toBe('everything stopped');
  });
});
