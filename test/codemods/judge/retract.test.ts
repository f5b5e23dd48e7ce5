import { expect, test } from 'vitest';
import type { Edit } from '../../../codemods/model.ts';
import type { Member, Constraints } from '../../../codemods/judge/constraints/between-components.ts';
import { retracted } from '../../../codemods/judge/retract.ts';

const constraints: Constraints = { of: (group) => group, held: () => ({ code: 'held-elsewhere', detail: {} }) };

/** A component with a call in each of its files, of which nothing may move; and how often its edits and calls were looked at. */
function retractedFrom(files: number) {
  let looks = 0;
  const counted = <Value extends object>(value: Value): Value =>
    new Proxy(value, { get: (target, name) => (looks++, Reflect.get(target, name)) });
  const places = Array.from({ length: files }, (_, index) => ({ file: `${index}.js`, start: 0, end: 2, group: `${index}` }));
  const member: Member = {
    edits: places.map((place): Edit => counted({ ...place, text: 'v2', what: 'path' })),
    calls: places.map((place) => counted({ ...place, endpoint: 'listContacts', client: 'fetch', proof: [] })),
    ledger: places.map((place) => ({ ...place, line: 1, column: 1, state: 'rewritten', reason: 'listContacts' })),
    findings: [],
    variables: places.map((place) => ({ ...place, line: 1, column: 1, name: 'API', needsValue: true })),
    routes: [],
    refused: [],
    isCode: true,
  };
  const { findings, ledger } = retracted(member, constraints, () => ({ line: 1, column: 1 }));
  return { looks, findings, ledger };
}

test('what is left is told and entered place by place, at a cost that grows as the files do', () => {
  const { looks, findings, ledger } = retractedFrom(100);
  expect([findings.length, new Set(ledger.map(({ state }) => state))]).toEqual([100, new Set(['person'])]);
  expect(retractedFrom(200).looks).toBeLessThanOrEqual(2 * looks);
});
