/**
 * Calls with a path of v1 of what is not read, in a project where something is of this service: a base of it, a call that moves, or its header set for whoever
 * asks. They may be calls of it, and are told.
 */
import { v1Auth } from '../../../src/contract/auth.ts';
import { notReportedBy } from '../../escape/ledger/ledger-entry.ts';
import { isRouteOfV1 } from '../../escape/calls/unresolved-calls.ts';
import type { StrayCall } from '../../escape/calls/stray-calls.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { nestedIn } from '../../find/packages/projects.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Finding, LedgerEntry, Plan } from '../../model.ts';
import { memo } from '../../once.ts';
import { byPlace } from '../merge.ts';

type Read = Pick<Plan, 'calls' | 'findings' | 'ledger'>;

interface Around {
  /** Files that hold a base of ours. */
  readonly naming: readonly { readonly path: string }[];
  readonly files: readonly FoundFile[];
  readonly textIn: (file: string) => string;
  /** Whether no comment lets a place stay as it is. */
  readonly isOpen: (place: StrayCall) => boolean;
}

export function withStrayCalls<P extends Read>(plan: P, calls: readonly StrayCall[], { naming, files, textIn, isOpen }: Around): P {
  const isOfOne = nestedIn(files);
  const isKey = ({ file, start, end, sentUnseen }: LedgerEntry): boolean => {
    const text = textIn(file);
    return (
      text.slice(start, end).toLowerCase().includes(v1Auth.field) &&
      (sentUnseen !== undefined || setting.test(text.slice(start - 30, start)))
    );
  };
  const keys = plan.ledger.filter((entry) => isLoose(entry) && !isTest(entry) && isKey(entry));
  const ours = [...new Set([...plan.calls.map(({ file }) => file), ...keys.map(({ file }) => file), ...naming.map(({ path }) => path)])];
  const mayAsk = (call: StrayCall): boolean => ours.some((file) => isOfOne(file, call.file)) && isOpen(call);
  const places = new Map(calls.filter(mayAsk).map((call) => [placeOf(call), call]));
  const asking = plan.ledger.filter((entry) => isLoose(entry) && places.has(placeOf(entry)));
  // Who sees to the calls sees to the header that they may send.
  const isAskedBeside = ({ file }: LedgerEntry): boolean => asking.some((call) => isOfOne(file, call.file));
  // The documents of a project alone name a base, and nothing in it was seen to ask for anything: what hands the header on may be how it does.
  const isUnaccounted = ({ file }: LedgerEntry): boolean => {
    const named = naming.filter(({ path }) => isOfOne(file, path));
    return (
      named.length > 0 &&
      named.every(({ path }) => /\.(?:mdx?|rst|adoc|txt)$/.test(path)) &&
      ![...plan.calls, ...plan.findings].some((each) => isOfOne(file, each.file))
    );
  };
  // So may what has both a whole path of v1 and the header, and names nobody else's host.
  const hasRoute = memo((file: string) => {
    const text = textIn(file);
    return (
      !/https?:\/\//.test(text) && plan.ledger.some((each) => each.file === file && isLoose(each) && isRouteOfV1(unquoted(text, each)))
    );
  });
  // What one call is given both, is a stray call, or a message by its subject.
  const isNamed = (key: LedgerEntry): boolean => key.sentUnseen === 'alone' && hasRoute(key.file);
  const open = [
    ...asking,
    ...keys.filter((key) => isAskedBeside(key) || isNamed(key) || (key.sentUnseen !== undefined && isUnaccounted(key))),
  ];
  const told = new Set(open);
  const found = open
    .map(({ state: _state, reason: _reason, sentUnseen: _sentUnseen, ...place }): Finding => {
      const route = places.get(placeOf(place))?.route;
      return {
        ...place,
        code: 'base-not-proven',
        detail: route === undefined ? {} : { route, paths: route.replace(/[?#].*$/s, '').replaceAll('…', '0') },
      };
    })
    .filter(notReportedBy(plan.findings));
  return {
    ...plan,
    findings: [...plan.findings, ...found].toSorted(byPlace),
    ledger: plan.ledger.map((entry) => (told.has(entry) ? { ...entry, state: 'person', reason: 'base-not-proven' } : entry)),
  };
}

const unquoted = (text: string, { start, end }: Pick<LedgerEntry, 'start' | 'end'>): string =>
  text.slice(start, end).replaceAll(/["'`]/g, '');

const isLoose = ({ state, reason }: LedgerEntry): boolean => state === 'foreign' && reason === 'no-call';

/** `$axios.setHeader('x-api-key', key)` */
const setting = /\b\w*header\w*\(\s*["'`]?$/i;

const placeOf = ({ file, start }: Pick<StrayCall, 'file' | 'start'>): string => `${file} ${start}`;
