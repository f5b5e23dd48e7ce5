import { describe, expect, test } from 'vitest';
import { explain } from '../../../codemods/report/explain.ts';
import { apiFile, apiText, call, edits, finding, reportOf, spanOf } from './results.ts';

describe('an explanation', () => {
  test('of a call is the chain to its base and what is changed together', async () => {
    expect(explain(await reportOf(), { file: apiFile, line: 4 })).toBe(
      `src/api.ts:4:3: POST /v1/messages/send -> POST /v2/messages/send, called with fetch
  1. call       src/api.ts:4:3   fetch(…)
  2. path       src/api.ts:4:17  /v1/messages/send
  3. reference  src/api.ts:4:12  base
  4. base       src/base.ts      https://api.example.com
  5. header     src/api.ts:4:72  x-api-key
  Changed together:
    path          src/api.ts:4:18
    header name   src/api.ts:4:73
    header value  src/api.ts:4:86
`,
    );
  });

  test('of an edit that several calls need shows some of them', async () => {
    const calls = Array.from({ length: 5 }, () => call);
    const shared = { ...spanOf(apiFile, apiText, './base.ts'), text: '', group: 'g1', what: 'base' as const };
    const text = explain(await reportOf({ plan: { calls, edits: [...edits, shared] } }), { file: apiFile, line: 1 });
    expect(text.match(/called with fetch/g)).toHaveLength(3);
    expect(text).toContain('  … and 2 more calls of the same group\n');
  });

  test('of a finding is its reason and what to do', async () => {
    const report = await reportOf({ plan: { findings: [finding('shared-with-other-host', { host: 'other.example' })] } });
    expect(explain(report, { file: 'src/other.ts', line: 7 })).toBe(
      `src/other.ts:7:3: The client also calls another host (shared-with-other-host)
  What it sends goes to other.example too, which would get the key as a Bearer token.
  What to do: If other.example is this service as well – a stage of it, or what stands in for it –, run again with --v1-base for it, too; if it is not, give the calls of this service a client with headers of its own; then run again.
`,
    );
  });

  test('of a literal that only the ledger knows says whose it is', async () => {
    const entry = { file: 'src/x.ts', start: 3, end: 5, line: 2, column: 4, state: 'foreign' as const, reason: 'other-host' };
    expect(explain(await reportOf({ plan: { ledger: [entry] } }), { file: 'src/x.ts', line: 2 })).toBe(
      "src/x.ts:2:4: Another service's (left alone)\n",
    );
  });

  test('of a line that is left because of another one names that', async () => {
    const entry = { file: apiFile, start: 90, end: 92, line: 4, column: 18, state: 'person' as const, reason: 'shared-with-other-host' };
    const findings = [finding('shared-with-other-host', { host: 'other.example' })];
    expect(explain(await reportOf({ plan: { calls: [], edits: [], ledger: [entry], findings } }), { file: apiFile, line: 4 })).toBe(
      `src/api.ts:4:18: The client also calls another host (a person has to decide)
  src/other.ts:7:3: What it sends goes to other.example too, which would get the key as a Bearer token.
`,
    );
  });

  test('of a call that stays because of another place names that, and what holds the call, whatever else it holds', async () => {
    const findings = [finding('shared-with-other-host', { host: 'other.example', holds: '2', calls: `src/x.ts:4, ${apiFile}:40` })];
    const report = await reportOf({ plan: { calls: [], edits: [], findings } });
    expect(explain(report, { file: apiFile, line: 40 })).toBe(
      `src/api.ts:40: stays because of another place
src/other.ts:7:3: The client also calls another host (shared-with-other-host)
  What it sends goes to other.example too, which would get the key as a Bearer token.
  It holds 2 calls: src/x.ts:4, src/api.ts:40
  What to do: If other.example is this service as well – a stage of it, or what stands in for it –, run again with --v1-base for it, too; if it is not, give the calls of this service a client with headers of its own; then run again.
`,
    );
    expect(explain(report, { file: apiFile, line: 4 })).toBe(
      'src/api.ts:4: no call, change or finding stands here; what calls take from here is told where they stand.\n',
    );
  });

  test('of a place that holds many calls names all that are known', async () => {
    const calls = Array.from({ length: 30 }, (_, index) => `${apiFile}:${index + 40}`).join(', ');
    const findings = [finding('shared-with-other-host', { host: 'other.example', holds: '30', calls })];
    const report = await reportOf({ plan: { calls: [], edits: [], findings } });
    expect(explain(report, { file: apiFile, line: 69 })).toContain(`  It holds 30 calls: ${calls}\n`);
  });

  test('of a place that holds another one names that', async () => {
    const findings = [finding('held-elsewhere', { name: 'API_URL', by: `${apiFile}:40`, why: 'setting' })];
    const text = explain(await reportOf({ plan: { calls: [], edits: [], findings } }), { file: apiFile, line: 40 });
    expect(text).toMatch(
      /^src\/api\.ts:40: holds another place\nsrc\/other\.ts:7:3: .*\n {2}API_URL is also set or read at src\/api\.ts:40/,
    );
  });

  test('of a base that stays says which calls it proves', async () => {
    const proof = call.proof.map((step) => (step.step === 'base' ? { ...step, ...spanOf(apiFile, apiText, './base.ts') } : step));
    const calls = Array.from({ length: 5 }, () => ({ ...call, proof }));
    expect(explain(await reportOf({ plan: { calls } }), { file: apiFile, line: 1 })).toBe(
      `src/api.ts:1:23: stays as it is; what stands here is part of the proof of 5 calls
  base  src/api.ts:4:3  POST /v1/messages/send -> POST /v2/messages/send
  base  src/api.ts:4:3  POST /v1/messages/send -> POST /v2/messages/send
  base  src/api.ts:4:3  POST /v1/messages/send -> POST /v2/messages/send
  … and 2 more calls
`,
    );
  });

  test('of a file that was not looked into says why, whatever the line', async () => {
    const findings = [finding('generated', { reason: 'minified' }, { line: 1, column: 1, start: 0, end: 0 })];
    const text = explain(await reportOf({ plan: { findings } }), { file: 'src/other.ts', line: 90 });
    expect(text).toMatch(/^src\/other\.ts:1:1: Uses v1, in a file that was generated .*\n {2}Minified; /);
  });

  test('of a file that a comment leaves alone names that comment, once, and no other file', async () => {
    const entry = { file: 'src/x.ts', start: 90, end: 92, line: 4, column: 18, state: 'person' as const, reason: 'ignored' };
    const comment = finding('ignored', { reason: 'legacy' }, { file: 'src/x.ts', line: 1, column: 1 });
    const report = await reportOf({ plan: { ledger: [entry, entry], findings: [comment, finding('ignored')] } });
    expect(explain(report, { file: 'src/x.ts', line: 4 })).toBe(
      'src/x.ts:4:18: Left alone, as a comment says (left alone)\n  src/x.ts:1:1: Legacy.\n',
    );
  });

  test('of any other line says that there is nothing', async () => {
    expect(explain(await reportOf(), { file: apiFile, line: 2 })).toBe(
      'src/api.ts:2: no call, change or finding stands here; what calls take from here is told where they stand.\n',
    );
  });
});
