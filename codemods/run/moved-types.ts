/** Types of paths and of the header go with the calls that they are of, once no value beside them is of v1: calls that are moved would no longer fit them. */
import { v1Auth, v2Auth } from '../../src/contract/auth.ts';
import { typed } from '../escape/answers/old-types.ts';
import { coverOf, type TextRange } from '../formats/text.ts';
import type { Edit, Finding, Plan } from '../model.ts';
import { isComment } from '../syntax/comments.ts';
import { anyPlaceholder, matchRoute } from '../verdict/routes.ts';
import { byPlace } from './merge.ts';
import { besideV2 } from './moved-passages.ts';

type Read = Pick<Plan, 'edits' | 'findings'>;

interface Known {
  /** Files that belong together by their imports. */
  readonly components: readonly (readonly { readonly file: string }[])[];
  /** The text of a file. */
  readonly textIn: (file: string) => string;
}

export function withMovedTypes<P extends Read>(plan: P, { components, textIn }: Known): P {
  const old = Map.groupBy(plan.findings.filter(isMovable), ({ file }) => file);
  if (old.size === 0) return plan;
  const editsIn = Map.groupBy(plan.edits, ({ file }) => file);
  const left = new Set(plan.findings.flatMap(({ code, file }) => (besideV2.has(code) ? [] : file)));
  const moved = new Map<Finding, readonly Edit[]>();
  for (const component of components) {
    const files = component.map(({ file }) => file);
    const findings = files.flatMap((file) => old.get(file) ?? []);
    if (findings.length === 0 || files.some((file) => left.has(file) || isGenerated(file, textIn(file)))) continue;
    for (const kind of ['path', 'header name'] as const) {
      const types = findings.flatMap((finding) => typesAt(finding, textIn(finding.file), kind));
      const isMoved = files.some((file) => editsIn.get(file)?.some(({ what }) => what === kind) === true);
      const changed = Map.groupBy(
        [...files.flatMap((file) => editsIn.get(file) ?? []), ...types.flatMap(({ edits }) => edits)],
        ({ file }) => file,
      );
      if (!isMoved || !types.every(({ isOurs }) => isOurs) || files.some((file) => isSaid(textIn(file), kind, changed.get(file) ?? [])))
        continue;
      for (const { finding, edits } of types) moved.set(finding, [...(moved.get(finding) ?? []), ...edits]);
    }
  }
  const edits = [...moved.values()].flat();
  return edits.length === 0
    ? plan
    : { ...plan, edits: [...plan.edits, ...edits].toSorted(byPlace), findings: plan.findings.filter((each) => !moved.has(each)) };
}

/** A version alone may be of anything. */
const isMovable = ({ code, detail }: Finding): boolean => code === 'old-type' && detail['how'] === undefined;

/** What is made anew from something else. */
const isGenerated = (file: string, text: string): boolean =>
  /\.d\.[cm]?ts$/.test(file) || /\bgenerated\b|\bdo not (?:edit|modify|change)\b/i.test(text.slice(0, 500));

interface OldType {
  readonly finding: Finding;
  readonly edits: readonly Edit[];
  /** Whether v2 has it, too. */
  readonly isOurs: boolean;
}

/** All types of a finding's line, of which there is one finding. */
function typesAt(finding: Finding, text: string, kind: 'path' | 'header name'): OldType[] {
  const { file, start: at } = finding;
  const from = text.lastIndexOf('\n', at) + 1;
  const end = text.indexOf('\n', at);
  const line = text.slice(from, end === -1 ? undefined : end);
  return Array.from(line.matchAll(typed), ({ index, groups = {} }): OldType[] => {
    const { header, path, begun } = groups;
    const said = kind === 'path' ? (path ?? begun) : header;
    if (said === undefined || isInComment(text, from + index)) return [];
    const inner = said.slice(1, -1);
    const [, method, route = ''] = /^(?:([A-Z]+)[ :]\s*)?(.*)$/.exec(inner) ?? [];
    const start = from + index + 1 + (kind === 'path' ? inner.length - route.length + 1 : 0);
    const [length, by] = kind === 'path' ? ['v1'.length, 'v2'] : [v1Auth.field.length, v2Auth.fieldName];
    const isOurs = header !== undefined || begun !== undefined || matchRoute(route, method, { placeholder: anyPlaceholder }).length > 0;
    return [{ finding, isOurs, edits: [{ file, start, end: start + length, text: by, what: kind, group: `${file}:types` }] }];
  }).flat();
}

/** A version that is put together, `/v${major}`, may be any. */
const said = {
  path: /(?<=["'`])(?:[A-Z]+[ :]\s*)?\/?v1(?![\w-])|(?<!\w)v(?=["'`]\s?[+.]|%|[$#]?\{)/g,
  'header name': new RegExp(`(?<![\\w-])${v1Auth.field}(?![\\w-])`, 'gi'),
};

/** Whether anything says it of v1 that stays. */
function isSaid(text: string, kind: 'path' | 'header name', changed: readonly TextRange[]): boolean {
  const isChanged = coverOf(changed);
  return Array.from(text.matchAll(said[kind])).some(
    ({ index: start, 0: found }) => !isChanged({ start, end: start + found.length }) && !isInComment(text, start),
  );
}

function isInComment(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - longestLine), at);
  return isComment(line, line.length);
}

/** How much of a line is read in front of what it says, in characters. */
const longestLine = 2_000;
