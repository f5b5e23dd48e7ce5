/** Loops of shell scripts that wait and ask by a function of a script which they source: the call stands there, and the wait here. */
import { posix } from 'node:path';
import type { Ask } from '../../escape/calls/asks.ts';
import { pollsInText } from '../../escape/limits/text-polling.ts';
import { escaped } from '../../find/words/literals.ts';
import type { Walk } from '../../find/walk.ts';
import { sourcedBy } from '../../formats/shell/sourced.ts';
import type { TextRange } from '../../formats/text.ts';
import type { Finding, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import { byPlace } from '../merge.ts';
import { textOf } from '../../run/surroundings.ts';

/** @param asks where this service is asked */
export function withSourcedPolls<P extends Pick<Plan, 'findings'>>(
  plan: P,
  { cwd, files }: Pick<Walk, 'cwd' | 'files'>,
  asks: readonly Ask[],
): P {
  const scripts = new Set(files.flatMap(({ path, kind, aside }) => (kind === 'shell' && aside === undefined ? path : [])));
  const asking = Map.groupBy(
    asks.filter(({ file }) => scripts.has(file)),
    ({ file }) => posix.basename(file),
  );
  if (asking.size === 0) return plan;
  const textIn = (file: string): string => {
    const read = textOf(cwd, file);
    return typeof read === 'string' ? read : '';
  };
  const told = new Set(plan.findings.map(({ code, file, start }) => `${code} ${file} ${start}`));
  const found = [...scripts].flatMap((file): Finding[] => {
    const text = textIn(file);
    if (!/\bsleep\s/.test(text)) return [];
    const names = [...sourcedBy(text)].flatMap((name) =>
      (asking.get(name) ?? []).flatMap((ask) => functionAround(textIn(ask.file), ask) ?? []),
    );
    const source = { file, text, position: positionsOf(text) };
    const calls = [...new Set(names)].flatMap((name) => callsOf(name, text));
    return pollsInText(source, calls).filter(({ code, start }) => !told.has(`${code} ${file} ${start}`));
  });
  return found.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...found].toSorted(byPlace) };
}

const opening = /^[ \t]*(?:function[ \t]+)?(?<name>[\w:-]+)[ \t]*(?:\(\)[ \t]*)?\{/gm;

/** The name of the function that a place stands in: it ends with the first brace at the beginning of a line. */
function functionAround(text: string, { start }: TextRange): string | undefined {
  const last = [...text.slice(0, start).matchAll(opening)].at(-1);
  const isEnded = last !== undefined && /\n\}/.test(text.slice(last.index, start));
  return isEnded ? undefined : last?.groups?.['name'];
}

const callsOf = (name: string, text: string): TextRange[] =>
  Array.from(text.matchAll(new RegExp(String.raw`(?<![\w./$-])${escaped(name)}(?=[\s)"'\x60;|]|$)`, 'g')), ({ index: start }) => ({
    start,
    end: start + name.length,
  }));
