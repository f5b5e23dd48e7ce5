/**
 * The address that a test gives a program of a server it starts itself, `http://127.0.0.1:${port}/v1`, where nobody sees how the program comes by it: it goes with
 * what the server expects, once no route of v1 and not its header is left in its tests.
 */
import { v1Auth } from '../../../src/contract/auth.ts';
import { hasSeveralServers } from '../../clients/testing/stand-in-servers.ts';
import { startsServer } from '../../clients/servers/frameworks.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { coverOf } from '../../formats/text.ts';
import type { Edit, Finding, LedgerEntry, Plan } from '../../model.ts';
import { routeHeads } from '../../verdict/bases/routes.ts';
import { byPlace } from '../merge.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

interface Known {
  /** Files that belong together by their imports. */
  readonly components: readonly (readonly { readonly file: string }[])[];
  /** The text of a file. */
  readonly textIn: (file: string) => string;
}

/** Whichever port it has: one that is written out may be a program's own, which a configuration starts. */
const ownAddress = /^['"`]https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\$\{[^{}]*\}\/v1\/?['"`]$/;
/** A route or the header; another address of a test may end in any version. */
const ofV1 = new RegExp(`(?:${[...routeHeads, v1Auth.field].join('|')})(?![\\w-])`, 'gi');

export function withMovedFakeAddresses<P extends Read>(plan: P, { components, textIn }: Known): P {
  const saidAt = ({ file, start, end }: Finding): string => textIn(file).slice(start, end);
  const open = plan.findings.filter((each) => each.code === 'unconsumed' && isTest(each) && ownAddress.test(saidAt(each)));
  if (open.length === 0) return plan;
  const editsIn = Map.groupBy(plan.edits, ({ file }) => file);
  const openIn = Map.groupBy(open, ({ file }) => file);
  const isMoved = (file: string): boolean => {
    const isChanged = coverOf([...(editsIn.get(file) ?? []), ...(openIn.get(file) ?? [])]);
    return Array.from(textIn(file).matchAll(ofV1)).every(({ index: start, 0: { length } }) => isChanged({ start, end: start + length }));
  };
  const moving = open.filter(({ file }) => {
    const text = textIn(file);
    const own = components.find((each) => each.some((one) => one.file === file)) ?? [{ file }];
    return (
      editsIn.has(file) && startsServer.test(text) && !hasSeveralServers(text) && own.filter(isTest).every((each) => isMoved(each.file))
    );
  });
  return moving.length === 0 ? plan : withEdits(plan, moving, saidAt);
}

function withEdits<P extends Read>(plan: P, moving: readonly Finding[], saidAt: (finding: Finding) => string): P {
  const places = new Set(moving.map(placeOf));
  const edits = moving.map((each): Edit => {
    const start = each.start + saidAt(each).lastIndexOf('v1');
    return { file: each.file, start, end: start + 2, text: 'v2', what: 'expectation', group: `${each.file}:fakes` };
  });
  return {
    ...plan,
    edits: [...plan.edits, ...edits].toSorted(byPlace),
    findings: plan.findings.filter((each) => !places.has(placeOf(each))),
    ledger: plan.ledger.map((entry): LedgerEntry =>
      places.has(placeOf(entry)) ? { ...entry, state: 'rewritten', reason: 'expectation' } : entry,
    ),
  };
}

const placeOf = ({ file, start }: Finding | LedgerEntry): string => `${file} ${start}`;
