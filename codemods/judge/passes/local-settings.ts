/**
 * What files set a variable to for a developer's machine, a container or a test, by a path of v1, while the code that reads it moves: whoever answers
 * there gets calls of v2, and mocks of that address no longer answer.
 */
import { isOfItsTime } from '../../escape/ledger/passages.ts';
import { isChangeLog } from '../../formats/change-log.ts';
import { isLocal } from '../../verdict/bases/hosts.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { isLoopback } from '../../verdict/bases/hosts.ts';
import { escaped } from '../../find/words/literals.ts';
import type { Scan } from '../../find/scan.ts';
import type { FoundFile } from '../../find/walk.ts';
import { standsInByName } from '../../find/packages/stand-ins.ts';
import type { Finding, LedgerEntry, Plan, Span } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { CandidateCall } from '../../verdict/bases/candidates.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import type { Constraints, Member } from '../constraints/between-components.ts';
import { byPlace } from '../merge.ts';

type Told = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

export function withLocalSettings<P extends Told>(
  plan: P,
  members: readonly Pick<Member, 'variables'>[],
  constraints: Pick<Constraints, 'held'>,
  found: Scan,
  textIn: (file: string) => string,
  files: readonly FoundFile[],
  candidates: readonly CandidateCall[],
  { variablesOfOthers }: Pick<Bases, 'variablesOfOthers'>,
): P {
  const uses = members.flatMap(({ variables }) => variables);
  const moved = uses.flatMap(({ name, needsValue, group, isGiven, version }) =>
    needsValue && group !== undefined && constraints.held(group) === undefined && isGiven !== true && version === undefined ? name : [],
  );
  if (moved.length === 0) return plan;
  const pattern = settingOf(new Set(moved));
  const edited = Map.groupBy(plan.edits, ({ file }) => file);
  const isEdited = (at: Span): boolean => edited.get(at.file)?.some((edit) => meet(edit, at)) === true;
  const named = (file: string, of: (text: string) => Finding[]): Finding[] => {
    const text = textIn(file);
    return of(text);
  };
  const isForOthers = ({ file, detail }: Finding): boolean => variablesOfOthers?.get(String(detail['name']))?.has(file) === true;
  const types = new Set(plan.findings.flatMap(({ code, file, line }) => (code === 'old-type' ? `${file}:${line}` : [])));
  const isSaid = ({ file, line }: Finding): boolean => types.has(`${file}:${line}`);
  const documents = files.filter(isDocument).map(({ path }) => path);
  const settings = [...filesIn(found), ...documents]
    .flatMap((file) => named(file, (text) => settingsIn(file, text, pattern)))
    .filter((setting) => !isForOthers(setting) && !isSaid(setting));
  const hosts = new Set(settings.flatMap(({ detail: { host } }) => host ?? []));
  const set = settings.flatMap((setting) => (isEdited(setting) ? named(setting.file, (text) => movedIn(setting, text)) : [setting]));
  const mocks = candidates.filter(
    ({ file, base }) => (isTest({ file }) || standsInByName.test(file)) && hosts.has(URL.parse(base)?.host ?? ''),
  );
  const answers = mocks.flatMap((mock) => named(mock.file, (text) => [mockAt(mock, text)]));
  const told = [...set, ...answers].filter((each) => !isEdited(each) || each.detail['how'] === 'stage');
  const reasonOf = (entry: LedgerEntry): string | undefined =>
    entry.state === 'foreign' ? told.find((each) => each.file === entry.file && meet(each, entry))?.code : undefined;
  return {
    ...plan,
    findings: [...plan.findings, ...told].toSorted(byPlace),
    ledger: plan.ledger.map((entry): LedgerEntry => {
      const reason = reasonOf(entry);
      return reason === undefined ? entry : { ...entry, state: 'person', reason };
    }),
  };
}

/** What a test answers at the address that a variable is set to, where nothing said that it is about the calls which read it. */
const mockAt = ({ file, start, end }: CandidateCall, text: string): Finding => ({
  code: 'repeats-path',
  file,
  start,
  end,
  ...positionsOf(text)(start),
  detail: { how: 'test' },
});

const meet = (one: Pick<Span, 'start' | 'end'>, other: Pick<Span, 'start' | 'end'>): boolean =>
  one.start < other.end && other.start < one.end;

/** Of files that hold nothing else of v1, those that may set a variable to such an address. */
function filesIn({ candidates, settings, servers, open }: Scan): ReadonlySet<string> {
  const read = candidates.filter(({ kind, skipReason }) => skipReason === undefined && kind !== 'markdown');
  const data = open.filter(({ kind }) => kind !== 'script' && kind !== 'markup' && kind !== 'markdown');
  return new Set([...[...read, ...settings, ...data].map(({ path }) => path), ...servers]);
}

/** What was written on a day tells nobody what to set now. */
const isDocument = ({ path, kind, aside }: FoundFile): boolean =>
  kind === 'markdown' && aside === undefined && !isOfItsTime.test(path) && !isChangeLog(path);

/** `API_URL=http://localhost:4010/v1`, `API_URL: 'http://fake:4010/v1/contacts'`, `stubEnv('API_URL', 'http://127.0.0.1/v1')`, `| API_URL | http://localhost:4010/v1 |`. */
const settingOf = (names: ReadonlySet<string>): RegExp =>
  new RegExp(
    String.raw`(?<!\w)(${[...names].map(escaped).join('|')})["'\`]?\??\s*(?:[:=,|]|to\s)\s*["'\`]?(https?://([\w.-]+(?::\d+)?)(?:/[\w./-]*)?/v1)(?![\w.-])`,
    'g',
  );

/** What moves is told, too, where a container answers, of which nobody sees here who that is, with what else asks there by a path of v1. */
function movedIn(setting: Finding, text: string): Finding[] {
  const { detail } = setting;
  const { host = '' } = detail;
  if (isLoopback(host)) return [];
  const position = positionsOf(text);
  const asked = new RegExp(String.raw`(?<=://${escaped(host)}/(?:[\w.-]+/)*)v1(?=/\w)`, 'g');
  const others = Array.from(text.matchAll(asked), ({ index: start, 0: { length } }): Finding => {
    return { ...setting, start, end: start + length, ...position(start), detail: { host, how: 'beside' } };
  });
  return [{ ...setting, detail: { ...detail, how: 'stage' } }, ...others];
}

function settingsIn(file: string, text: string, pattern: RegExp): Finding[] {
  const position = positionsOf(text);
  // `interface ProcessEnv { API_URL: 'https://…/v1' }`
  const isTypes = /\.d\.[cm]?ts$/.test(file);
  const comment = /\.mdx?$/i.test(file) ? /^\s*<!--/ : /^\s*(?:#|\/\/|\*)/;
  return Array.from(text.matchAll(pattern)).flatMap(({ 0: all, 1: name = '', 2: address = '', 3: host = '', index }): Finding[] => {
    const line = text.slice(text.lastIndexOf('\n', index) + 1, index);
    if (!(isLocal(host) || isTypes) || comment.test(line)) return [];
    const [start, end] = [index + all.length - address.length, index + all.length];
    if (isTypes) return [{ code: 'env-elsewhere', file, start, end, ...position(start), detail: { name, how: 'type' } }];
    return [{ code: 'env-elsewhere', file, start, end, ...position(start), detail: { name, host, how: 'local' } }];
  });
}
