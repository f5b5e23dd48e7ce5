/**
 * Texts of tests that name what is moved, where nothing was seen to ask or to compare them: rows of a table (`test.each([[contacts(1), '/v1/contacts?page=1']])`),
 * what a helper is given to compare. Whoever imports what is moved most often expects something of it.
 */
import { isKeyHeader, v1Auth } from '../../../src/contract/auth.ts';
import { notReportedBy } from '../../escape/ledger/ledger-entry.ts';
import { asksOwnServer } from '../../clients/testing/libraries.ts';
import { startsPrograms } from '../../clients/values/spawned-commands.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Finding, LedgerEntry, Plan } from '../../model.ts';
import { memo } from '../../once.ts';
import { type Moved, routeIn } from '../moved.ts';
import { positionsOf } from '../../syntax/position.ts';
import { byPlace } from '../merge.ts';
import { isTitleAt } from './moved-titles.ts';

/** The header with what is sent by it, in a text of both: `'{"x-api-key":"key-1"}'`. */
const asName = new RegExp(String.raw`(?<=["'])${v1Auth.field}(?=\\?["']\s*:)`, 'i');

/** A host that something is given, with no version behind it. */
const hostAlone = /(?<=['"`])https?:\/\/[^\s'"`/?#]+(?=\/*['"`])/g;
const address = /https?:\/\/[^\s'"`]*/g;
const originIn = (text: string): string => /^https?:\/\/[^/?#]*/.exec(text)?.[0].toLowerCase() ?? '';

/** Whether a place stands in a line that expects something. */
const isExpected = (text: string, at: number): boolean =>
  /\b(?:expect|assert|should)\b|\.(?:is|equal|match|like|ok)\(/.test(text.slice(text.lastIndexOf('\n', at) + 1, at));

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;
type Component = readonly { readonly file: string; readonly importers: readonly string[] }[];

/**
 * @param calls what is moved
 * @param textIn the text of a file
 */
export function withTestsOfMoved<P extends Read>(
  plan: P,
  calls: readonly Moved[],
  components: readonly Component[],
  textIn: (file: string) => string,
): P {
  const importersOf = new Map(components.flat().map(({ file, importers }) => [file, importers]));
  const movedFiles = plan.edits.flatMap(({ file }) => (isTest({ file }) ? [] : file));
  const tests = new Set(namersOf(new Set(movedFiles), importersOf, textIn).filter((file) => isTest({ file })));
  // What the program prints, whoever starts it reads: `execFileSync('node', ['src/main.js'])`.
  const isStarting = memo((file: string) => movedFiles.length > 0 && isTest({ file }) && startsPrograms.test(textIn(file)));
  const routes = [...new Set(calls.map(({ endpoint }) => endpoint))].map(routeIn);
  const isHeaderMoved = plan.edits.some(({ what }) => what === 'header name');
  const isAsked = memo((file: string) => asksOwnServer(textIn(file)));
  const codeOf = memo((text: string): Finding['code'] | undefined => {
    if (isKeyHeader(text) || (asName.test(text) && !/https?:/.test(text))) return isHeaderMoved ? 'reads-header' : undefined;
    return /^[/`]|^https?:/.test(text) && routes.some((route) => route.test(text)) ? 'repeats-path' : undefined;
  });
  const isUntold = notReportedBy(plan.findings);
  const isOfGiven = memo((file: string) => {
    const given = new Set(
      textIn(file)
        .match(hostAlone)
        ?.map((host) => host.toLowerCase()),
    );
    const left = textIn(file).replaceAll(address, (each) => (given.has(originIn(each)) ? '' : each));
    return (text: string): boolean => given.has(originIn(text)) && !/\bv1\b/.test(left);
  });
  const found = new Map(
    plan.ledger.flatMap((entry): [LedgerEntry, Finding][] => {
      const { file, start, end, line, column, state, reason } = entry;
      if (state !== 'foreign' || !(tests.has(file) || isStarting(file)) || isAsked(file)) return [];
      if (isTitleAt(textIn(file), start)) return [];
      const text = textIn(file)
        .slice(start, end)
        .replaceAll(/^['"`]|['"`]$/g, '');
      // Where a test gives another host and no version, what it expects behind that may be what is moved.
      const isOther = reason === 'other-host' && isOfGiven(file)(text);
      if (reason !== 'no-call' && !isOther) return [];
      const isPrinted = isStarting(file) && isExpected(textIn(file), start) && routes.some((route) => route.test(text));
      const code = isPrinted ? 'repeats-path' : !tests.has(file) ? undefined : codeOf(isOther ? text.slice(originIn(text).length) : text);
      const finding = code && { code, file, start, end, line, column, detail: { how: 'test' } };
      return finding === undefined || !isUntold(finding) ? [] : [[entry, finding]];
    }),
  );
  // Of some the address is rewritten.
  const written = plan.ledger.flatMap(({ file, start, end, state }): Finding[] => {
    const at = state === 'rewritten' && tests.has(file) ? textIn(file).slice(start, end).search(asName) : -1;
    if (at === -1) return [];
    const place = { start: start + at, end: start + at + v1Auth.field.length };
    return [{ code: 'reads-header', file, ...place, ...positionsOf(textIn(file))(place.start), detail: { how: 'test' } }];
  });
  if (found.size + written.length === 0) return plan;
  const lines = new Map([...found.values(), ...written].map((each) => [`${each.file}:${each.line} ${each.code}`, each]));
  return {
    ...plan,
    findings: [...plan.findings, ...lines.values()].toSorted(byPlace),
    ledger: plan.ledger.map((entry): LedgerEntry => {
      const reason = found.get(entry)?.code;
      return reason === undefined ? entry : { ...entry, state: 'person', reason };
    }),
  };
}

/** Whoever imports one of the files, or what hands it on: `export * from './routes.js'`. */
function namersOf(
  files: Set<string>,
  importersOf: ReadonlyMap<string, readonly string[]>,
  textIn: (file: string) => string,
): readonly string[] {
  const namers = new Set<string>();
  for (const file of files)
    for (const importer of importersOf.get(file) ?? []) {
      namers.add(importer);
      if (handingOn.test(textIn(importer))) files.add(importer);
    }
  return [...namers];
}

const handingOn = /\bexport\s*(?:type\s*)?(?:\*|\{[^{}]*\})[^;'"]{0,40}\bfrom\s*['"]/;
