/** Types of paths and of the header go with the calls that they are of, once no value beside them is of v1: calls that are moved would no longer fit them. */
import { isKeyHeader, v1Auth, v2Auth } from '../../../src/contract/auth.ts';
import { answersRequests } from '../../clients/servers/frameworks.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { coverOf, type TextRange } from '../../formats/text.ts';
import type { Edit, Finding, Plan } from '../../model.ts';
import { escaped } from '../../find/words/literals.ts';
import { memo } from '../../once.ts';
import { isComment } from '../../syntax/comments.ts';
import type { CandidateCall } from '../../verdict/bases/candidates.ts';
import { anyPlaceholder, type Bases, matchRoute, matchUrl } from '../../verdict/bases/routes.ts';
import { byPlace } from '../merge.ts';
import { besideV2 } from '../beside-v2.ts';

type Read = Pick<Plan, 'edits' | 'findings'>;

interface Known {
  /** Files that belong together by their imports. */
  readonly components: readonly (readonly { readonly file: string }[])[];
  /** What is asked of any base. */
  readonly others: readonly Pick<CandidateCall, 'file' | 'base'>[];
  readonly bases: Bases;
  /** The text of a file. */
  readonly textIn: (file: string) => string;
}

export function withMovedTypes<P extends Read>(plan: P, { components, others, bases, textIn }: Known): P {
  const old = Map.groupBy(plan.findings.filter(isMovable), ({ file }) => file);
  if (old.size === 0) return plan;
  const editsIn = Map.groupBy(plan.edits, ({ file }) => file);
  const told = Map.groupBy(plan.findings, ({ file }) => file);
  const left = new Set(plan.findings.flatMap(({ code, file }) => (besideV2.has(code) ? [] : file)));
  // What types say may be of what they are asked, too.
  const askingOthers = new Set(others.flatMap(({ base, file }) => (matchUrl(base, bases).kind === 'foreign' ? file : [])));
  const moved = new Map<Finding, Edit>();
  for (const component of components) {
    const files = component.map(({ file }) => file);
    const findings = files.flatMap((file) => old.get(file) ?? []);
    // What a test repeats is told at its place, moved types or not.
    const ofProgram = files.filter((file) => !isTest({ file }));
    const toldIn = (file: string): readonly TextRange[] => (isTest({ file }) ? (told.get(file) ?? []) : []);
    if (findings.length === 0 || ofProgram.some((file) => left.has(file)) || files.some((file) => isGenerated(file, textIn(file))))
      continue;
    const isTyped = typedBy(findings, files, textIn);
    const names = findings.flatMap(({ file }) => typesExportedBy(textIn(file)));
    if (files.some((file) => askingOthers.has(file) && isTyped(file))) continue;
    const all = findings.flatMap((finding) => typeAt(finding, textIn(finding.file)) ?? []);
    for (const kind of ['path', 'header name'] as const) {
      const types = all.filter(({ edit }) => edit.what === kind);
      const own = files.flatMap((file) => editsIn.get(file) ?? []);
      const isMoved = own.some((edit) => edit.what === kind && isOfType(edit, textIn(edit.file)));
      const changed = Map.groupBy([...own, ...types.map(({ edit }) => edit)], ({ file }) => file);
      const said = saidBy(types, kind);
      const isSaid = (file: string): boolean =>
        said(
          textIn(file),
          [...(changed.get(file) ?? []), ...toldIn(file)],
          names.some((name) => wordOf(name).test(textIn(file))),
        );
      if (!isMoved || !types.every(({ fits }) => fits) || files.some(isSaid)) continue;
      for (const { finding, edit } of types) moved.set(finding, edit);
    }
  }
  const findings = plan.findings.filter((each) => !moved.has(each));
  return moved.size === 0 ? plan : { ...plan, edits: [...plan.edits, ...moved.values()].toSorted(byPlace), findings };
}

/** One finding for each line. */
export function withTypesOfLines<P extends Pick<Plan, 'findings'>>(plan: P): P {
  const lines = new Set<string>();
  const findings = plan.findings.filter(({ code, file, line }) => {
    const place = `${file}:${line}`;
    const isFirst = code !== 'old-type' || !lines.has(place);
    if (code === 'old-type') lines.add(place);
    return isFirst;
  });
  return { ...plan, findings };
}

/** @returns whether a file declares one of the types, or one that is made of them, or names such a type: what it asks may be of them */
function typedBy(findings: readonly Finding[], files: readonly string[], textIn: Known['textIn']): (file: string) => boolean {
  const wordsIn = memo((file) => new Set(textIn(file).match(/[\w$]+/g)));
  const typed = new Set(findings.map(({ file }) => file));
  // A set goes on with what is added to it.
  for (const file of typed) {
    const names = typesExportedBy(textIn(file));
    for (const each of files) if (names.some((name) => wordsIn(each).has(name))) typed.add(each);
  }
  return (file) => typed.has(file);
}

const typesExportedBy = (text: string): string[] =>
  Array.from(text.matchAll(exportedType), ([, declared, renamed = '']) => declared ?? renamed);
const wordOf = memo((name: string) => new RegExp(String.raw`(?<![\w$])${escaped(name)}(?![\w$])`));

/** `export type Route`, and what a list exports under another name: `export type { Path as Route }`. */
const exportedType =
  /\bexport\s+(?:declare\s+)?(?:type|interface|enum|(?:abstract\s+)?class)\s+([\w$]+)|(?<=\bexport\b[^;=()]{0,400})\bas\s+([\w$]+)/g;

/** A version alone may be of anything. */
const isMovable = ({ code, detail }: Finding): boolean => code === 'old-type' && detail['how'] === undefined;

/** What is made anew from something else. */
const isGenerated = (file: string, text: string): boolean =>
  /\.d\.[cm]?ts$/.test(file) || /\bgenerated\b|\bdo not (?:edit|modify|change)\b/i.test(text.slice(0, 500));

/** Whether types may be of what is edited: a path that stands in an address is of none. */
const isOfType = ({ what, start }: Edit, text: string): boolean =>
  what !== 'path' || /["'`](?:[A-Z]+[ :]\s*)?\/?$/.test(text.slice(Math.max(0, start - 20), start));

interface OldType {
  readonly finding: Finding;
  readonly said: string;
  readonly edit: Edit;
  /** Whether v2 has it, too, what is moved is of it, and nothing beside it is called so already. */
  readonly fits: boolean;
}

function typeAt(finding: Finding, text: string): OldType | undefined {
  const { file, start, end } = finding;
  const said = text.slice(start + 1, end - 1);
  const group = `${file}:types`;
  if (isKeyHeader(said)) {
    const isNamed = !/^\s*\??\s*:/.test(text.slice(end, end + maxType));
    const fits =
      (isNamed ? isOfRecord : isAnyText).test(text.slice(end, end + maxType)) && !hasV2Header.test(text) && !answersRequests.test(text);
    const span = isNamed || keepsQuotes(text, start, end) ? { start: start + 1, end: end - 1 } : { start, end };
    return { finding, said, fits, edit: { file, ...span, text: v2Auth.fieldName, what: 'header name', group } };
  }
  const [, method, path] = /^(?:([A-Z]+)[ :]\s*)?\/?(v1.*)$/i.exec(said) ?? [];
  if (path === undefined) return undefined;
  const from = end - 1 - path.length;
  const isRoute = /^v1\/?\$\{/.test(path) || matchRoute(`/${path}`, method, { placeholder: anyPlaceholder }).length > 0;
  const onV2 = `${said.slice(0, from - start - 1)}v2${path.slice('v1'.length)}`;
  const isThere = ['"', "'", '`'].some((quote) => text.includes(`${quote}${onV2}${quote}`));
  return {
    finding,
    said,
    fits: isRoute && !isThere,
    edit: { file, start: from, end: from + 'v1'.length, text: 'v2', what: 'path', group },
  };
}

/** Whether names around it are in quotes that they do not need: it is how the author writes, as of objects (`component/unquoted-names.ts`). */
const keepsQuotes = (text: string, start: number, end: number): boolean => {
  const around = `${text.slice(text.lastIndexOf('{', start), start)}${text.slice(end, text.indexOf('}', end))}`;
  return /(["'])[A-Za-z_$][\w$]*\1\s*\??\s*:/.test(around);
};

/** What `Bearer ${key}` is, behind a key's name: a key of a form or of a type of its own it is not. */
const isAnyText = /^\s*\??\s*:\s*(?:undefined\s*\|\s*)?string\b(?!\s*[&[.])/;
/** What names are given behind one of them: `Record<'x-api-key' | 'accept', string>`. */
const isOfRecord = /^[^<>{};]*,\s*string\s*>/;
const hasV2Header = new RegExp(`(?<![\\w-])${v2Auth.fieldName}["']?\\s*\\??\\s*:`, 'i');
const maxType = 100;

/** A version that is put together, `/v${major}`, may be any. */
const spoken = {
  path: /(?<=["'`])(?:[A-Z]+[ :]\s*)?\/?v1(?![\w-])[^"'`\n]*["'`]?|(?<!\w)v(?=["'`]\s?[+.]|%|[$#]?\{)/g,
  'header name': new RegExp(`(?<![\\w-])${v1Auth.field}(?![\\w-])`, 'gi'),
};

/** `define('GET', '/v1/contacts')`, `${method} /v1/contacts`: one of these types may be made of it where such a type is named. */
const pathAlone = /(?<=["'`\s}])\/v1\/[^"'`\s]*/g;

/** Whether anything says it of v1 that stays. Where types are texts as a whole, as `'GET /v1/contacts'` is, another text, as `'/v1/orders'`, is of none of them. */
function saidBy(
  types: readonly OldType[],
  kind: 'path' | 'header name',
): (text: string, changed: readonly TextRange[], namesThem: boolean) => boolean {
  const wholes = new Set(types.map(({ said }) => said));
  const paths = new Set(types.map(({ said }) => said.replace(/^[A-Z]+ /, '')));
  const isOfAny = types.some(({ said }) => !/^[A-Z]+ /.test(said) || said.includes('${'));
  const isOfTypes = (found: string): boolean => {
    const whole = /^[^$]*(?=["'`]$)/.exec(found)?.[0];
    return kind !== 'path' || whole === undefined || wholes.has(whole) || isOfAny;
  };
  return (text, changed, namesThem) => {
    const isChanged = coverOf(changed);
    const stays = ({ index: start, 0: found }: RegExpExecArray): boolean => {
      const length = kind === 'path' ? (/^.*?v1/.exec(found)?.[0].length ?? found.length) : found.length;
      return !isChanged({ start, end: start + length }) && !isInComment(text, start);
    };
    const parts = kind === 'path' && namesThem ? Array.from(text.matchAll(pathAlone)).filter(([found]) => paths.has(found)) : [];
    return [...Array.from(text.matchAll(spoken[kind])).filter(([found]) => isOfTypes(found)), ...parts].some(stays);
  };
}

function isInComment(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - longestLine), at);
  return isComment(line, line.length);
}

/** How much of a line is read in front of what it says, in characters. */
const longestLine = 2_000;
