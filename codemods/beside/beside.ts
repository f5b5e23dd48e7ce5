/** Everything that is not plain JavaScript or TypeScript: what it would change, and what became of each suspicious literal in it. */
import type { Bases } from '../identify/routes.ts';
import type { Call, Edit, Finding, FindingCode, LedgerEntry, Span } from '../model.ts';
import { readJson, readToml, readYaml } from './data/read.ts';
import type { Draft } from './draft.ts';
import { componentScripts, readComponent } from './component.ts';
import { readEnv } from './env-file.ts';
import { type DraftGroup, groupsOf } from './groups.ts';
import { readHttp } from './http-file.ts';
import { ignoredIn } from './ignored.ts';
import { type Literal, literalsIn } from './literals.ts';
import { markdownScripts, readMarkdown } from './markdown.ts';
import { positions } from './position.ts';
import { type Reading, emptyReading } from './reading.ts';
import { readShell } from './shell/file.ts';
import { type Place, overlap } from './text.ts';

export type { Bases } from '../identify/routes.ts';

export interface BesideFile {
  readonly file: string;
  readonly kind: 'env' | 'json' | 'yaml' | 'toml' | 'http' | 'shell' | 'markdown' | 'component';
  readonly text: string;
}

export interface BesideResult {
  readonly edits: readonly Edit[];
  readonly calls: readonly Call[];
  readonly findings: readonly Finding[];
  readonly ledger: readonly LedgerEntry[];
  /** Variables that are set to one of our bases here. */
  readonly envs: readonly BesideEnv[];
  /** Variables that are set to another service here: the name alone proves nothing. Servers of a developer's own machine do not count. */
  readonly otherEnvs: readonly { readonly name: string; readonly host: string }[];
  /** Variables of other files that calls read which stay on v1: these may not move either. */
  readonly stuck: readonly string[];
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
  const parts =
    kind === 'component' ? componentScripts(text.replace(/^\u{FEFF}/u, '\n'), file) : kind === 'markdown' ? markdownScripts(text) : [];
  return parts.map(({ start, end, extension }, i) => ({ path: `${file}#${i}.${extension}`, start, end, text: text.slice(start, end) }));
}

/** Looks at one file. Never throws: where a parser gives up there are no edits, and its literals are told as not looked into. */
export function besides({ file, kind, text }: BesideFile, bases: Bases): BesideResult {
  const ignored = ignoredIn(text);
  const reading = ignored.file === undefined ? read({ file, kind, text }, bases) : emptyReading;
  const report = new Report(file, text);
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
  const envs = reading.envs.flatMap(({ name, start, end, base }): BesideEnv[] => {
    const group = report.edits.find((edit) => overlap(edit, { start, end }))?.group;
    return base === undefined ? [] : [{ name, span: { file, start, end }, ...base, group }];
  });
  const otherEnvs = reading.envs.flatMap(({ name, host }) => (host === undefined || isLocal(host) ? [] : [{ name, host }]));
  return {
    edits: report.edits,
    calls: report.calls,
    findings: report.findings,
    ledger: report.ledger,
    envs,
    otherEnvs,
    stuck: report.stuck,
  };
}

function read({ file, kind, text }: BesideFile, bases: Bases): Reading {
  try {
    // A line end in place of a BOM: it means nothing in any format, and every offset stays.
    return readers[kind](text.replace(/^\u{FEFF}/u, '\n'), bases, file);
  } catch (error) {
    // Nesting that no stack is deep enough for. Anything else is a fault of ours.
    if (error instanceof RangeError) return emptyReading;
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

/** Gathers what is said of one file. */
class Report {
  readonly edits: Edit[] = [];
  readonly calls: Call[] = [];
  readonly findings: Finding[] = [];
  readonly ledger: LedgerEntry[] = [];
  readonly stuck: string[] = [];
  readonly #file: string;
  readonly #position: ReturnType<typeof positions>;
  readonly #covered: { place: Place; state: readonly [LedgerEntry['state'], string] }[] = [];

  constructor(file: string, source: string) {
    this.#file = file;
    this.#position = positions(source);
  }

  add({ drafts, problems, reason }: DraftGroup): void {
    const start = Math.min(...drafts.flatMap(({ start, edits }) => [start, ...edits.map((edit) => edit.start)]));
    const group = `${this.#file}:${start}`;
    const made = problems.length === 0;
    if (reason !== undefined) for (const { code, at, detail } of problems) this.find(code, at, detail, group);
    for (const draft of drafts) {
      if (made) this.#make(draft, group);
      if ((!made || draft.stance === 'bystander') && draft.variable !== undefined) this.stuck.push(draft.variable);
      for (const place of draft.literals) this.#covered.push({ place, state: stateOf(draft, made, reason) });
    }
  }

  #make({ edits, call, start, end }: Draft, group: string): void {
    for (const edit of edits) {
      const made = this.edits.some((other) => other.start === edit.start && other.end === edit.end);
      if (!made) this.edits.push({ file: this.#file, ...edit, group });
    }
    if (call === undefined) return;
    const { endpoint, client, proof } = call;
    this.calls.push({ file: this.#file, start, end, endpoint, client, group, proof: proof.map((step) => ({ file: this.#file, ...step })) });
  }

  find(code: FindingCode, { start, end }: Place, detail: Finding['detail'], group?: string): void {
    this.findings.push({ file: this.#file, start, end, code, ...this.#position(start), detail, ...(group !== undefined && { group }) });
  }

  enter({ start, end }: Place, state: LedgerEntry['state'], reason: string): void {
    this.ledger.push({ file: this.#file, start, end, ...this.#position(start), state, reason });
  }

  /** What the drafts say of a literal; ours before someone else's. */
  stateOf(literal: Place): readonly [LedgerEntry['state'], string] | undefined {
    const states = this.#covered.filter(({ place }) => overlap(place, literal)).map(({ state }) => state);
    return states.find(([state]) => state !== 'foreign') ?? states[0];
  }

  /** A literal that nothing explains: a person looks at our URLs, and at headers where only requests are written. */
  leftOver(literal: Literal, kind: BesideFile['kind'], isProse: boolean): void {
    const isData = kind === 'json' || kind === 'yaml' || kind === 'toml';
    const left = literal.kind === 'our url' || (literal.kind === 'header' && !isData && kind !== 'markdown');
    if (!left || isProse) return this.enter(literal, 'foreign', literal.host === undefined ? 'own-server' : 'other-host');
    this.find('unconsumed', literal, {});
    this.enter(literal, 'person', 'unconsumed');
  }
}

function stateOf({ stance, call, edits }: Draft, made: boolean, reason: FindingCode | undefined): readonly [LedgerEntry['state'], string] {
  if (stance !== 'ours') return ['foreign', stance === 'foreign' ? 'other-host' : 'own-server'];
  if (reason !== undefined) return ['person', reason];
  return made ? ['rewritten', call?.endpoint ?? edits[0]?.what ?? 'base'] : ['foreign', 'own-server'];
}
