import { expect, test } from 'vitest';
import type { Edit, LedgerEntry } from '../../../codemods/model.ts';
import { withNamedBases } from '../../../codemods/judge/passes/named-bases.ts';
import type { Suspect } from '../../../codemods/find/scan.ts';
import { workOf } from '../helpers/work.ts';

const base = 'https://api.example.com';
const held = `const config = '{"url":"${base}/v1"}';\n`;

test('names our address within another text of a script that is moved, once', () => {
  const { plan, suspects, components } = runOf(1);
  const { findings } = withNamedBases(plan, suspects, components, { v1: [base] }, () => held.repeat(2));
  expect(findings.map(({ code, file, line }) => ({ code, file, line }))).toStrictEqual([
    { code: 'unconsumed', file: '0.ts', line: 1 },
    { code: 'unconsumed', file: '0.ts', line: 2 },
  ]);
});

test('says nothing of an address that is moved, or of which something is reported already', () => {
  const { plan, suspects, components } = runOf(1, held.indexOf(base));
  const reported = {
    ...plan,
    findings: [{ code: 'unconsumed' as const, file: '0.ts', start: 99, end: 99, line: 2, column: 1, detail: {} }],
  };
  expect(withNamedBases(reported, suspects, components, { v1: [base] }, () => held.repeat(2))).toBe(reported);
});

test('looks at twice as many files for twice the cost', async () => {
  const costOf = (count: number): Promise<number> => {
    const { plan, suspects, components } = runOf(count);
    return workOf(async () => Promise.resolve(withNamedBases(plan, suspects, components, { v1: [base] }, () => held)));
  };
  await costOf(1);
  const [few, many] = [await costOf(200), await costOf(400)];
  expect(many / few).toBeLessThan(2.3);
});

/** @param edited where each file is edited */
function runOf(count: number, edited = 0): { plan: PlanRead; suspects: Suspect[]; components: { readonly file: string }[][] } {
  const files = Array.from({ length: count }, (_, index) => `${index}.ts`);
  const edits = files.map((file): Edit => ({ file, start: edited, end: edited + 1, text: 'v2', group: file, what: 'path' }));
  const suspects = files.map((path): Suspect => ({
    path,
    kind: 'script',
    hits: { header: false, route: false, code: false, needles: [base] },
  }));
  return { plan: { edits, findings: [], ledger: [] }, suspects, components: files.map((file) => [{ file }]) };
}

type PlanRead = Parameters<typeof withNamedBases>[0] & { readonly ledger: LedgerEntry[] };
