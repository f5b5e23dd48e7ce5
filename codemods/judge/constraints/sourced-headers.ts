/**
 * Headers in variables of files that scripts source. Whoever else names such a variable may send it to another host, in whatever way: a text that
 * JavaScript gives to a shell, a here-document, a list of options, a container, a document. So it is only given up to requests of ours.
 */
import type { VariableUse } from '../../uses-between-components.ts';
import { escaped } from '../../find/words/literals.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { IsOpen } from '../../verdict/directive-comments.ts';
import type { Member } from './between-components.ts';

/**
 * @param files all of the run
 * @returns each place that names such a variable, but for where it is set or exported and where requests of ours are given it
 */
export function namedBesideRequests(
  files: readonly string[],
  members: readonly Pick<Member, 'variables'>[],
  textIn: (file: string) => string,
  isOpen: IsOpen,
): VariableUse[] {
  const headers = members.flatMap(({ variables }) => variables.filter(({ sentAt, group }) => sentAt !== undefined && group !== undefined));
  return [...Map.groupBy(headers, ({ name }) => name)].flatMap(([name, set]) => {
    const sent = new Set(set.flatMap(({ sentAt = [] }) => sentAt.map(({ file, start }) => `${file}\0${start}`)));
    // Behind `$` or `${`.
    const isSent = (start: number, file: string): boolean => sent.has(`${file}\0${start - 1}`) || sent.has(`${file}\0${start - 2}`);
    return files.flatMap((file) => {
      const text = textIn(file);
      if (!text.includes(name)) return [];
      const position = positionsOf(text);
      return Array.from(text.matchAll(wordOf(name)), ({ index: start }) => ({ start, end: start + name.length }))
        .filter((place) => !isSetOrExported(text, place, file, set) && !isSent(place.start, file))
        .filter((place) => isOpen({ file, ...place }))
        .map((place) => ({ file, ...place, ...position(place.start), name, group: undefined, needsValue: true }));
    });
  });
}

interface Place {
  readonly start: number;
  readonly end: number;
}

const wordOf = (name: string): RegExp => new RegExp(`(?<!\\w)${escaped(name)}(?!\\w)`, 'g');

function isSetOrExported(text: string, { start, end }: Place, file: string, set: readonly VariableUse[]): boolean {
  const own = set.filter((use) => use.file === file);
  if (own.length === 0) return false;
  const [line = ''] = text.slice(text.lastIndexOf('\n', start - 1) + 1).split('\n', 1);
  return /^[ \t]*export(?:[ \t]+\w+)+\s*$/.test(line) || own.some((use) => /^=["']?$/.test(text.slice(end, use.start)));
}
