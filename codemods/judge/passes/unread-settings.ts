/**
 * Variables that moved code reads, where a file gives them a value in a way that is not followed: put together of others, or handed to the option of a tool
 * that deploys (`gcloud run deploy --set-env-vars API_URL=$HOST/$VERSION`). Whoever runs that would have the code ask v1 with the header of v2.
 */
import { escaped } from '../../find/words/literals.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Edit, Finding, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import type { Constraints, Member } from '../constraints/between-components.ts';
import { byPlace } from '../merge.ts';

export function withUnreadSettings<P extends Pick<Plan, 'edits' | 'findings'>>(
  plan: P,
  members: readonly Pick<Member, 'variables'>[],
  constraints: Pick<Constraints, 'held'>,
  files: readonly FoundFile[],
  textIn: (file: string) => string,
  { variablesOfOthers }: Pick<Bases, 'variablesOfOthers'>,
): P {
  const moved = new Set(
    members.flatMap(({ variables }) =>
      variables.flatMap(({ name, needsValue, group, isGiven }) =>
        needsValue && group !== undefined && constraints.held(group) === undefined && isGiven !== true ? name : [],
      ),
    ),
  );
  const setting = files.filter(({ kind, aside }) => aside === undefined && !read.has(kind));
  if (moved.size === 0 || setting.length === 0) return plan;
  const edits = Map.groupBy(plan.edits, ({ file }) => file);
  const named = variablesOn(edits, textIn);
  const said = new Set(plan.findings.map(({ file, line }) => `${file}:${line}`));
  const pattern = settingOf(moved);
  const found = setting.flatMap(({ path: file, kind }) => {
    const text = textIn(file);
    const position = positionsOf(text);
    const edited = new Set((edits.get(file) ?? []).map(({ start }) => position(start).line));
    const told = Array.from(text.matchAll(pattern)).flatMap(({ 0: all, 1: name = '', index }): Finding[] => {
      const [start, end] = [index + all.indexOf(name), index + all.indexOf(name) + name.length];
      const { line, column } = position(start);
      const rest = text.slice(index + all.length, index + all.length + maxValue).split('\n', 1)[0] ?? '';
      const isOpen =
        (isVersion(rest) && !(kind === 'yaml' && isEntry(text, start, end))) || (kind !== 'script' && isPutTogether(rest, name, named));
      const isSaid = edited.has(line) || [line, line + 1].some((each) => said.has(`${file}:${each}`));
      if (!isOpen || isSaid || isComment(text, start) || variablesOfOthers?.get(name)?.has(file) === true) return [];
      return [{ code: 'env-elsewhere', file, start, end, line, column, detail: { name, how: 'unread' } }];
    });
    return told;
  });
  return found.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...found].toSorted(byPlace) };
}

/** What has texts for people, or no variables of programs. */
const read: ReadonlySet<FoundFile['kind']> = new Set(['markdown', 'markup', 'plain', 'http', 'bruno']);

/** Characters of a value that are looked at. */
const maxValue = 300;

/** `API_URL=`, `API_URL: `, `"API_URL", "`, `{ name: API_URL, value: `, with the value in the next line, too. */
const settingOf = (names: ReadonlySet<string>): RegExp =>
  new RegExp(
    String.raw`(?<![\w$]|\$\{|\{\{ *)(${[...names].map(escaped).join('|')})(?:["'\`]?,?\s+["']?value["']?[ \t]*[:=]|["'\`]?[ \t]*[=:,](?![=:]))[ \t]*`,
    'g',
  );

/** `v1`, and what a command makes of it. */
const isVersion = (value: string): boolean => /^["'`]?\/?v1(?![\w.-])|^["']?(?:\$\(|`)[^)`]*\bv1\b/.test(value);

const reference = /\$\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{\{[^{}]*\}\}|\$\([\w.]+\)|\$\w+/g;
const token = new RegExp(String.raw`^["']?((?:${reference.source}|[^\s"'\`,;&|{}$])+)`);

/** `NAME: v1`, `- NAME=v1`, `['NAME=v1']`: readers know what is set so, and whose it is. */
function isEntry(text: string, start: number, end: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return /^["']?[ \t]*:/.test(text.slice(end, end + 10))
    ? /(?:^|[{,])\s*(?:-\s+)?["']?$/.test(before)
    : /(?:^\s*-\s+["']?|[[,]\s*["'])$/.test(before);
}

/** `$HOST/$VERSION`, `https://${self:custom.host}/v1`, `!Join ['/', …]`: of more than what stands elsewhere under one name. */
function isPutTogether(value: string, name: string, edited: ReadonlySet<string>): boolean {
  const isJoined = /^!(?:Join|Sub)\b/.test(value);
  const [, whole = ''] = token.exec(value) ?? [];
  const used = isJoined ? value : whole;
  const names: readonly string[] = used.match(/[A-Za-z_]\w*/g) ?? [];
  if (/\bv2\b/.test(used) || names.includes(name) || names.some((each) => edited.has(each))) return false;
  const references = whole.match(reference) ?? [];
  return isJoined || (references.length > 0 && /\//.test(whole.replaceAll(reference, ' ').trim()));
}

/** The variables that stand on lines which are edited: what is put together of these says v2. */
function variablesOn(edits: ReadonlyMap<string, readonly Edit[]>, textIn: (file: string) => string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [file, own] of edits) {
    const text = textIn(file);
    for (const { start } of own) {
      const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
      for (const [, name = ''] of line.matchAll(/(\w+)["']?[ \t]*[:=](?!\/\/)/g)) names.add(name);
    }
  }
  return names;
}

const isComment = (text: string, at: number): boolean => /^\s*(?:#|\/\/|\*|;)/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
