/** Everything that is not plain JavaScript or TypeScript: what it would change, and what became of each suspicious literal in it. */
import { type Bases, matchUrl } from '../verdict/routes.ts';
import type { Call, Edit, Finding, LedgerEntry, Span } from '../model.ts';
import { readJson, readToml, readYaml } from './data/read.ts';
import { componentScripts, readComponent } from './component.ts';
import { readEnv } from './env-file.ts';
import { groupsOf } from './groups.ts';
import { readHttp } from './http-file.ts';
import { ignoredIn } from '../verdict/ignore-comments.ts';
import { literalsIn } from './literals.ts';
import { markdownScripts, readMarkdown } from './markdown.ts';
import { type Reading, emptyReading } from './reading.ts';
import { Report } from './report.ts';
import { readShell } from './shell/file.ts';
import { type Place, overlap } from './text.ts';
import type { VariableUse } from '../uses.ts';

export type { Bases } from '../verdict/routes.ts';

export interface BesideFile {
  readonly file: string;
  readonly kind: 'env' | 'json' | 'yaml' | 'toml' | 'http' | 'shell' | 'markdown' | 'component';
  readonly text: string;
}

export interface BesideResult extends Variables {
  readonly edits: readonly Edit[];
  readonly calls: readonly Call[];
  readonly findings: readonly Finding[];
  readonly ledger: readonly LedgerEntry[];
  readonly variables: readonly VariableUse[];
}

export interface Variables {
  /** Variables that are set to one of our bases here, and move or need not. */
  readonly envs: readonly BesideEnv[];
  /**
   * Variables that are set to another service here, or to a base that stays as it is: the name alone proves nothing. Servers of a
   * developer's own machine do not count.
   */
  readonly otherEnvs: readonly { readonly name: string; readonly host: string }[];
}

export interface BesideEnv {
  readonly name: string;
  readonly span: Span;
  /** Whether its value ends in the version, and is changed. */
  readonly holdsVersion: boolean;
  /** The base as a program gets it. */
  readonly value: string;
  /** The group of its edits; undefined where nothing of it is changed. */
  readonly group: string | undefined;
}

const readers: Readonly<Record<BesideFile['kind'], (source: string, bases: Bases, file: string) => Reading>> = {
  env: readEnv,
  json: readJson,
  yaml: readYaml,
  toml: readToml,
  http: readHttp,
  shell: readShell,
  markdown: readMarkdown,
  component: (source, _bases, file) => readComponent(source, file),
};

export interface ScriptPart extends Place {
  /** The file's path with a part's number and an extension that tells the language. */
  readonly path: string;
  readonly text: string;
}

/** The script parts of a component or a Markdown file; all others have none. Offsets are the file's. */
export function scripts({ file, kind, text }: BesideFile): ScriptPart[] {
  const find = kind === 'component' ? componentScripts : kind === 'markdown' ? markdownScripts : () => [];
  const parts = orIfTooDeep(() => find(withoutBom(text), file), []);
  return parts.map(({ start, end, extension }, i) => ({ path: `${file}#${i}.${extension}`, start, end, text: text.slice(start, end) }));
}

/** Looks at one file. Never throws: where a parser gives up there are no edits, and its literals are told as not looked into. */
export function besides({ file, kind, text }: BesideFile, bases: Bases): BesideResult {
  const ignored = ignoredIn(text);
  const whole = read({ file, kind, text }, bases);
  // The scripts of a file are asked for the comment by themselves.
  const reading = ignored.file === undefined ? whole : { ...emptyReading, elsewhere: whole.elsewhere ?? [] };
  const report = new Report(file, text, { isExample: kind === 'markdown', hasOtherHost: bases.v2 !== undefined });
  for (const group of groupsOf(reading.drafts, ignored)) report.add(group);
  const literals = literalsIn(text, bases).filter((literal) => !(reading.elsewhere ?? []).some((place) => overlap(place, literal)));
  if (ignored.file !== undefined && literals[0] !== undefined)
    report.find('ignored', literals[0], ignored.file === '' ? {} : { reason: ignored.file });
  for (const literal of literals) {
    const state = report.stateOf(literal);
    if (state !== undefined) report.enter(literal, ...state);
    else if (ignored.file !== undefined) report.enter(literal, 'person', 'ignored');
    else if (ignored.reason(literal) !== undefined) report.enter(literal, 'person', 'ignored');
    else report.leftOver(literal, kind, (reading.prose ?? []).some((place) => overlap(place, literal)) || isComment(text, literal));
  }
  const { edits, calls, findings, ledger, variables } = report;
  return { edits, calls, findings, ledger, variables, ...variablesOf(file, reading, edits, bases) };
}

/** Which variables are ours from here on, and which are not, or stay. */
function variablesOf(file: string, { envs }: Reading, edits: readonly Edit[], bases: Bases): Variables {
  const ours: BesideEnv[] = [];
  const others: { name: string; host: string }[] = [];
  for (const { name, start, end, base, host } of envs) {
    if (host !== undefined && !isLocal(host)) others.push({ name, host });
    if (base === undefined) continue;
    const group = edits.find((edit) => overlap(edit, { start, end }))?.group;
    const isToMove = base.holdsVersion || (bases.v2 !== undefined && matchUrl(base.value, bases).kind === 'ours');
    if (isToMove && group === undefined) others.push({ name, host: URL.parse(base.value)?.host ?? '' });
    else ours.push({ name, span: { file, start, end }, ...base, group });
  }
  return { envs: ours, otherEnvs: others };
}

function read({ file, kind, text }: BesideFile, bases: Bases): Reading {
  return orIfTooDeep(() => readers[kind](withoutBom(text), bases, file), emptyReading);
}

/** A line end in place of a BOM: it means nothing in any format, and every offset stays. */
function withoutBom(text: string): string {
  return text.replace(/^\u{FEFF}/u, '\n');
}

function orIfTooDeep<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read();
  } catch (error) {
    // Nesting that no stack is deep enough for. Anything else is a fault of ours.
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}

/** Names without a dot are those of containers and of the machine itself. */
function isLocal(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return !name.includes('.') || /^(?:127\.|10\.|192\.168\.|0\.0\.0\.0$)|\.(?:local|localhost|internal|test)$/.test(name);
}

/** Whether a literal stands in a comment of its own line, in whatever way the format writes one. */
function isComment(source: string, { start }: Place): boolean {
  const line = source.slice(source.lastIndexOf('\n', start - 1) + 1, start);
  return /^\s*(?:#|\/\/|;|\*|<!--)/.test(line) || /\s#\s[^"']*$/.test(line);
}
