/**
 * Variables that moved code reads, where people are told to set them to another host by a path of v1, as of a region (`PARLO_BASE=https://api.us.example.com/v1`
 * in a README or an `.env.example`), or what sets up tests does so: whoever does has that asked with the header of v2.
 */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { packageFolders } from '../../find/packages/package-folders.ts';
import { escaped } from '../../find/words/literals.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Finding, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { CandidateCall } from '../../verdict/bases/candidates.ts';
import { isLocal } from '../../verdict/bases/hosts.ts';
import { type Bases, routeHeads } from '../../verdict/bases/routes.ts';
import type { Constraints, Member } from '../constraints/between-components.ts';
import { byPlace } from '../merge.ts';

/** @param candidates what asks v1, or stands in for what does, at other hosts: what tests expect at one that is set is told, too */
export function withHostsSet<P extends Pick<Plan, 'edits' | 'findings'>>(
  plan: P,
  members: readonly Pick<Member, 'variables'>[],
  constraints: Pick<Constraints, 'held'>,
  files: readonly FoundFile[],
  textIn: (file: string) => string,
  candidates: readonly CandidateCall[],
  { v1, v2, variablesOfOthers }: Bases,
): P {
  const uses = members.flatMap(({ variables }) =>
    variables.filter(
      ({ needsValue, group, isGiven, version }) =>
        needsValue && group !== undefined && constraints.held(group) === undefined && isGiven !== true && version === undefined,
    ),
  );
  const edited = Map.groupBy(plan.edits, ({ file }) => file);
  const mocks = files.filter(
    ({ path, kind }) => kind === 'script' && edited.get(replacedBy(path) ?? '')?.some(({ text }) => text === 'v2') === true,
  );
  if (uses.length === 0 && mocks.length === 0) return plan;
  const packageOf = packageFolders(files);
  const folders = Map.groupBy(uses, ({ name }) => name);
  const isNear = (name: string, file: string): boolean =>
    folders.get(name)?.some((use) => packageOf(use).startsWith(packageOf({ file }))) === true;
  const ours = new Set([...v1, v2 ?? []].flat().map((base) => new URL(base).host));
  const said = new Set(plan.findings.map(({ file, line }) => `${file}:${line}`));
  const patterns = folders.size === 0 ? () => undefined : patternsOf([...folders.keys()]);
  const isNew = ({ file, start, end, line }: Finding): boolean =>
    !said.has(`${file}:${line}`) && edited.get(file)?.some((edit) => start <= edit.start && edit.end <= end) !== true;
  const told = (file: string, find: (text: string) => Finding[]): Finding[] => {
    const text = textIn(file);
    return find(text).filter(isNew);
  };
  const set = files.flatMap(({ path: file, kind, aside }) => {
    const pattern = patterns(kind, file);
    if (aside !== undefined || pattern === undefined) return [];
    return told(file, (text) =>
      settingsIn(file, text, pattern).filter(
        ({ detail: { name = '', host = '' } }) =>
          isNear(name, file) && !ours.has(host) && !isLocal(host) && variablesOfOthers?.get(name)?.has(file) !== true,
      ),
    );
  });
  const mocked = mocks.flatMap(({ path: file }) =>
    told(file, (text) => basesIn(file, text).filter(({ detail: { host = '' } }) => !ours.has(host))),
  );
  const hosts = new Set(
    [...set, ...mocked].flatMap(({ file, detail: { host } }) => (host === undefined || /\.mdx?$/.test(file) ? [] : host)),
  );
  const expected = candidates
    .filter(({ file, base }) => isTest({ file }) && hosts.has(URL.parse(base)?.host ?? ''))
    .flatMap(({ file, start, end }) =>
      told(file, (text) => [{ code: 'repeats-path', file, start, end, ...positionsOf(text)(start), detail: { how: 'test' } }]),
    );
  const found = [...set, ...mocked, ...expected];
  return found.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...found].toSorted(byPlace) };
}

/** The file that a runner has another in the place of: `src/env.ts` of `src/__mocks__/env.ts`. */
const replacedBy = (path: string): string | undefined =>
  /(?:^|\/)__mocks__\//.test(path) ? path.replace(/(^|\/)__mocks__\//, '$1') : undefined;

/** The bases that stand there: the calls that read the other file ask them in tests. */
function basesIn(file: string, text: string): Finding[] {
  const position = positionsOf(text);
  return Array.from(text.matchAll(new RegExp(String.raw`(?<=["'\`])${address}`, 'g'))).map(
    ({ 0: { length }, 2: host = '', index: start }) => ({
      code: 'repeats-path',
      file,
      start,
      end: start + length,
      ...position(start),
      detail: { how: 'test', host: host.toLowerCase() },
    }),
  );
}

function settingsIn(file: string, text: string, pattern: RegExp): Finding[] {
  const position = positionsOf(text);
  return Array.from(text.matchAll(pattern)).map(({ 0: all, 1: name = '', 2: address = '', 3: host = '', index }) => {
    const [start, end] = [index + all.length - address.length, index + all.length];
    return { code: 'env-elsewhere', file, start, end, ...position(start), detail: { name, host: host.toLowerCase(), how: 'host' } };
  });
}

const heads = routeHeads.map((head) => head.slice('/v1/'.length)).join('|');
/** An address up to the version, behind which nothing stands, or one of v1's routes. */
const address = String.raw`(https?://([\w.-]+(?::\d+)?)(?:/[\w./-]*?)?/v1)(?=/*(?:[\s"'\`),;|<\]]|\.(?:\s|$)|$)|/(?:${heads})\b)`;

/** What sets a variable, or says how it is set, in a file of a kind. */
function patternsOf(names: readonly string[]): (kind: FoundFile['kind'], file: string) => RegExp | undefined {
  const name = `(${names.map(escaped).join('|')})`;
  // In a document anything may stand between them but the name of another variable.
  const shown = new RegExp(String.raw`(?<![\w$])${name}(?!\w)(?:(?!\b[A-Z][A-Z\d]*_[A-Z\d_]+\b|https?://)[^\n]){0,200}?${address}`, 'g');
  const sample = new RegExp(String.raw`(?<=^[ \t]*(?:#[ \t]*)?(?:export[ \t]+)?)${name}[ \t]*=[ \t]*["']?${address}`, 'gm');
  // `process.env.API_URL = '…'`, and `env: { API_URL: '…' }` of what a runner is configured with, or starts.
  const assigned = new RegExp(
    String.raw`(?:\benv(?:\.|\[["']|["']?\s*:\s*\{[^{}]{0,400}?(?<![\w$]))|\bstubEnv\(\s*["'])${name}["'\`]?(?:\]?\s*\??\??=|,|\s*:)\s*["'\`]${address}`,
    'g',
  );
  return (kind, file) =>
    kind === 'markdown' ? shown : kind === 'script' ? assigned : /(?:^|[/.])env(?:\.[\w.-]+)?$/.test(file) ? sample : undefined;
}
