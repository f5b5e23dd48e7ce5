/**
 * Data that programs with calls of ours import, or find by its name, and in which v1's header or paths stand that no call was seen to have: settings of calls that
 * stay, and what tests answer by. Whoever moves these calls looks there, too.
 */
import { posix } from 'node:path';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { FoundFile } from '../../find/walk.ts';
import { escaped } from '../../find/words/literals.ts';
import { coverOf } from '../../formats/text.ts';
import { isDataFile, isCodeOrPage } from '../../find/kinds.ts';
import type { Finding, FindingCode, LedgerEntry, Plan } from '../../model.ts';
import { memo, once } from '../../once.ts';
import { positionsOf } from '../../syntax/position.ts';
import { byPlace } from '../merge.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;
type Component = readonly { readonly file: string; readonly importers: readonly string[] }[];

/** What is said of calls that stay, as it is not known what they ask for. */
const ofCalls: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'dynamic-path',
  'dynamic-method',
  'key-not-found',
  'key-not-text',
  'base-split',
  'escapes',
  'held-elsewhere',
]);

/** @param textIn the text of a file */
export function withNamedData<P extends Read>(
  plan: P,
  components: readonly Component[],
  files: readonly FoundFile[],
  textIn: (file: string) => string,
): P {
  const open = plan.ledger.filter(({ file, state, reason }) => state === 'foreign' && reason === 'no-call' && isDataFile.test(file));
  const held = new Set(plan.findings.flatMap(({ code, file }) => (ofCalls.has(code) && isCodeOrPage.test(file) ? file : [])));
  if (open.length + held.size === 0) return plan;
  const usersOf = usersIn(plan, held, components, textIn);
  const told = new Set(plan.findings.map(({ file, line }) => `${file}:${line}`));
  const codeOf = memo((file: string): FindingCode | undefined => {
    if (isOfOtherServers(textIn(file))) return undefined;
    const users = usersOf(file);
    return users.length === 0 ? undefined : users.every((user) => isTest({ file: user })) ? 'repeats-path' : 'unconsumed';
  });
  const named = new Set(open.filter(({ file }) => codeOf(file) !== undefined));
  const found = [...named].map((entry) => findingOf(codeOf(entry.file) ?? 'unconsumed', entry));
  const isHeld = (file: string): boolean => [...held].some((script) => isNamed(file, textIn(script)));
  const data = held.size === 0 ? [] : files.flatMap(({ path, aside }) => (aside === undefined && isDataFile.test(path) ? path : []));
  const versions = data.filter(isHeld).flatMap((file) => versionsIn(file, textIn(file), plan));
  const lines = new Map([...found, ...versions].map((each) => [`${each.file}:${each.line}`, each]));
  const added = [...lines].flatMap(([line, finding]) => (told.has(line) ? [] : finding));
  if (named.size + added.length === 0) return plan;
  return {
    ...plan,
    ledger: plan.ledger.map((entry): LedgerEntry =>
      named.has(entry) ? { ...entry, state: 'person', reason: codeOf(entry.file) ?? entry.reason } : entry,
    ),
    findings: [...plan.findings, ...added].toSorted(byPlace),
  };
}

/** A description of an API whose servers it says, none of which is ours: a document that names our host is told for that. */
function isOfOtherServers(text: string): boolean {
  if (!/^\s*["']?(?:openapi|swagger)["']?\s*:/m.test(text.slice(0, maxHead))) return false;
  const [, servers = ''] = /^[ \t]*["']?servers["']?\s*:\s*([\s\S]{1,2000})/m.exec(text) ?? [];
  return /^(?:[\s[{]|-)*["']?url["']?\s*:\s*["']?https?:\/\/[\w-]+(?:\.[\w-]+)+/.test(servers);
}

/** Where a document says what it is, in characters. */
const maxHead = 2_000;

const findingOf = (code: FindingCode, { file, start, end, line, column }: Omit<LedgerEntry, 'state' | 'reason'>): Finding => ({
  code,
  file,
  start,
  end,
  line,
  column,
  detail: {},
});

/** Tells which scripts have a file of data, of those with calls that stay, and of the tests of such and of what is moved. */
function usersIn(
  { edits }: Read,
  held: ReadonlySet<string>,
  components: readonly Component[],
  textIn: (file: string) => string,
): (file: string) => readonly string[] {
  const asking = new Set([...held, ...edits.map(({ file }) => file)]);
  const active = components.filter((own) => own.some(({ file }) => asking.has(file)));
  const importers = new Map(active.flatMap((own) => own.map((each) => [each.file, each.importers] as const)));
  const isUser = (file: string): boolean => isCodeOrPage.test(file) && (held.has(file) || isTest({ file }));
  const scripts = once(() => active.flatMap((own) => own.flatMap(({ file }) => (isUser(file) ? file : []))));
  return (file) => [
    ...new Set([...(importers.get(file) ?? []).filter(isUser), ...scripts().filter((script) => isNamed(file, textIn(script)))]),
  ];
}

/** `'api.yml'`, or `load('api')` where the end of its name is put behind: `${name}.yml`. */
function isNamed(file: string, script: string): boolean {
  const name = posix.basename(file);
  const [stem, extension] = [name.replace(isDataFile, ''), escaped(posix.extname(name))];
  if (script.includes(name)) return new RegExp(String.raw`(?<![\w.-])${escaped(name)}(?![\w-])`).test(script);
  return (
    script.includes(stem) &&
    new RegExp(String.raw`["'\x60]${escaped(stem)}["'\x60]`).test(script) &&
    new RegExp(String.raw`(?:\}|["'])${extension}["'\x60]`).test(script)
  );
}

const version =
  /(?<![\w-])["']?[\w-]*(?:base|prefix|path|version|root|url)[\w-]*["']?[^\S\n]*[:=][^\S\n]*(["']?)\/?(v1)\/?\1[^\S\n]*(?=[,}#\n]|$)/gi;

/** `"basePath": "/v1"` */
function versionsIn(file: string, text: string, { edits }: Read): Finding[] {
  const isEdited = coverOf(edits.filter((edit) => edit.file === file));
  return Array.from(text.matchAll(version)).flatMap(({ index, 0: all }) => {
    const place = { start: index, end: index + all.length };
    return isEdited(place) ? [] : [findingOf('unconsumed', { file, ...place, ...positionsOf(text)(index) })];
  });
}
