import type { Log, Result } from 'sarif';
import { describe, expect, test } from 'vitest';
import { findingCodes } from '../../../codemods/model.ts';
import { sarif } from '../../../codemods/report/sarif.ts';
import { apiFile, finding, type Given, key, reportOf } from './results.ts';

const log = async (given: Given = {}): Promise<Log> => JSON.parse(sarif.render(await reportOf(given)));
const run = async (given?: Given) => {
  const [first] = (await log(given)).runs;
  if (first === undefined) throw new Error('no run');
  return first;
};
const results = async (given?: Given): Promise<readonly Result[]> => (await run(given)).results ?? [];

const every: Given = { plan: { findings: findingCodes.map((code) => finding(code)) } };

describe('the SARIF report', () => {
  // The fields that SARIF 2.1.0 requires, and what it says of their values.
  test('has what the standard requires', async () => {
    const { $schema, version, runs } = await log(every);
    expect({ version, runs: runs.length }).toEqual({ version: '2.1.0', runs: 1 });
    expect($schema).toMatch(/^https:\/\/.*sarif-schema-2\.1\.0\.json$/);
    const { tool, invocations, columnKind, results = [] } = await run(every);
    expect(tool.driver).toMatchObject({ name: 'migrate-v2', semanticVersion: '1.2.3' });
    expect(invocations).toEqual([{ executionSuccessful: false }]);
    expect(columnKind).toBe('utf16CodeUnits');
    for (const { ruleId, ruleIndex = -1, level, message, locations } of results) {
      expect(tool.driver.rules?.[ruleIndex]?.id).toBe(ruleId);
      expect(['error', 'warning', 'note']).toContain(level);
      expect(message.text).toBeTruthy();
      expect(locations).toHaveLength(1);
    }
  });

  test('has a rule with help for every code, each once', async () => {
    const { rules = [] } = (await run()).tool.driver;
    expect(rules.map(({ id }) => id)).toEqual(['v1-call', ...findingCodes]);
    for (const rule of rules) {
      expect(rule.help?.text).toContain(`docs/findings.md#${rule.id}`);
      expect(rule.help?.markdown).toContain('**What to do:**');
      expect(rule.shortDescription?.text).toBeTruthy();
      expect(rule.fullDescription?.text).not.toContain('{');
    }
  });

  test('shows a call on v1 with its region and the way to its base', async () => {
    const [result] = await results();
    expect(result).toMatchObject({
      ruleId: 'v1-call',
      level: 'warning',
      message: { text: 'POST /v1/messages/send (fetch) is called on v1; on v2 it is POST /v2/messages/send.' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: apiFile, uriBaseId: 'SRCROOT' },
            region: { startLine: 4, startColumn: 3, endLine: 4, endColumn: 9 },
          },
        },
      ],
    });
    expect(result?.codeFlows?.[0]?.threadFlows[0]?.locations.map(({ location }) => location?.message?.text)).toEqual([
      'call',
      'path',
      'reference',
      'base',
      'header',
    ]);
  });

  test('no longer shows calls that were moved', async () => {
    expect(await results({ mode: 'write', result: { written: [apiFile] } })).toEqual([]);
  });

  test('leaves out what is someone else’s, and suppresses what a comment settles', async () => {
    const findings = [finding('other-host'), finding('own-server'), finding('ignored', { reason: 'frozen until May' })];
    const shown = await results({ mode: 'write', plan: { findings } });
    expect(shown.map(({ ruleId }) => ruleId)).toEqual(['ignored']);
    expect(shown[0]?.suppressions).toEqual([{ kind: 'inSource', justification: 'frozen until May' }]);
  });

  test.each([
    ['src/a b#c.ts', 'src/a%20b%23c.ts'],
    ['src/100%.ts', 'src/100%25.ts'],
    ['../lib/ü.ts', '../lib/%C3%BC.ts'],
    ['c:evil/\u001b[0m.ts', 'c%3Aevil/%1B%5B0m.ts'],
  ])('names %j as a relative URI', async (file, uri) => {
    const [, result] = await results({ plan: { findings: [finding('dynamic-path', {}, { file })] } });
    expect(result?.locations?.[0]?.physicalLocation?.artifactLocation?.uri).toBe(uri);
    expect(new URL(uri, 'file:///root/src/').pathname.startsWith('/root/')).toBe(true);
  });

  test('gives a result the same fingerprint wherever its line is, and two of the same kind different ones', async () => {
    const fingerprints = async (lines: readonly number[]) =>
      (await results({ mode: 'write', plan: { findings: lines.map((line) => finding('dynamic-path', {}, { line, start: line })) } })).map(
        ({ partialFingerprints }) => partialFingerprints?.['migrateV2/v1'],
      );
    const before = await fingerprints([1, 9]);
    expect(await fingerprints([4, 20])).toEqual(before);
    expect(new Set(before).size).toBe(2);
    expect(before[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  test('has the calls that were to be moved and were not', async () => {
    const shown = await results({ mode: 'write', refused: new Set(['g1']), result: { written: [] } });
    expect(shown.map(({ ruleId }) => ruleId)).toEqual(['v1-call']);
  });

  test('keeps brackets and braces of other people from being links and placeholders', async () => {
    const [result] = await results({
      mode: 'write',
      plan: { findings: [finding('unknown-route', { route: '[x](https://evil.example){0}' })] },
    });
    expect(result?.message.text).toContain(String.raw`\[x\](https://evil.example){{0}}`);
  });

  test('says that the run failed where a file did', async () => {
    expect((await run()).invocations).toEqual([{ executionSuccessful: true }]);
    expect((await run({ result: { failures: [finding('unreadable')] } })).invocations).toEqual([{ executionSuccessful: false }]);
  });

  test('shows no key', async () => {
    expect(sarif.render(await reportOf(every))).not.toContain(key);
  });
});
