/** Types that speak of v1: the tree has none, but what is moved may no longer be of them. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { type Bases, matchUrl, routeHeads } from '../../verdict/bases/routes.ts';
import { coverOf } from '../../formats/text.ts';
import type { Finding } from '../../model.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { isComment } from '../../syntax/comments.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';

/** `'x-api-key': string` of an interface, `'x-api-key'` of a union or of what a generic type is given, `'/v1/messages'` `'GET /v1/messages'` or a template that begins with `/v1/` of a union, a generic or a table of paths, an address of ours as a type of its own, and one of any host, `https://${string}/v1`. */
const typed = new RegExp(
  [
    `(?<header>(["'])${v1Auth.field}\\2)\\??\\s*:`,
    `(?<=[|&=:<,[(\\s])(?<path>(["'\`])(?:[A-Z]+[ :]\\s*)?/?(?:${routeHeads.map((head) => head.slice(1)).join('|')})(?:/[^"'\`\\s]*)?\\4)`,
    `(?<=[|&=:<,[(\\s])(?<url>(["'\`])https?://(?!\\$)[^"'\`\\s]*/v1(?:/[^"'\`\\s]*)?\\6)`,
    `(?<=[|&=:<,[(\\s])(?<begun>\`(?:(?:[A-Z]+[ :]\\s*)?/?v1/?\\$\\{[^\`]*|(?:https?://)?\\$\\{\\w+\\}[^\`\\s?#]*/v1(?:/[^\`\\s]*)?)\`)`,
    `(?<=[|&=<,]\\s*)(?<named>'${v1Auth.field}'|"${v1Auth.field}")(?=\\s*[|&>,;\\r\\n])`,
  ].join('|'),
  'gi',
);

/** `apiVersion?: 'v1'` of what a version is given as. */
const versioned = /(?<=[|:<,(]\s*|=\s+)(?<version>(["'])\/?v1\/?\2)(?!\s*\??:)/g;

/** Whether a file may declare such types: others that only import them are moved without it. */
export const mayHoldOldTypes = (text: string): boolean =>
  /["'`](?:[A-Z]+[ :]\s*)?\/?v1(?:["'`]|\/(?:["'`]|\$\{))|\$\{\w+\}[^`\s]*\/v1\b/.test(text) &&
  /\b(?:type|interface|extends|@typedef)\b/.test(text);

const component = /\.(?:vue|svelte|astro)$/;

/** The markup of a component has no types: what it shows its readers, such as a program in another language, is told as text. */
function markupIn({ file, text }: SourceModule): (start: number) => boolean {
  if (!component.test(file)) return () => false;
  const isScript = coverOf(
    Array.from(text.matchAll(/<script\b[^]*?<\/script\s*>|^---\r?\n[^]*?\n---/gi), ({ index: start, 0: script }) => ({
      start,
      end: start + script.length,
    })),
  );
  return (start) => !isScript({ start, end: start });
}

/** Whether a change is of a version that is a text of its own. */
export const isVersionAlone = ({ module, start, end, what }: Change): boolean =>
  what === 'path' && /(["'])\/?v1\/?\1/.test(module.text.slice(start - 2, end + 2));

export const isV2Alone = (node: Node): boolean => node.kind === 'string' && /^\/?v2\/?$/.test(node.value);

/**
 * @param withVersions whether a version that is a text of its own has moved, now or before, which a type may forbid
 * @param isVersionMoved whether one does now
 * @returns one finding for each of them, of which a line may have several
 */
export function oldTypes(module: SourceModule, bases: Bases, withVersions: boolean, isVersionMoved: boolean): Finding[] {
  // The tree of one code block of a document knows nothing of the others.
  const isDocument = /\.mdx?$/.test(module.file);
  const found = isDocument ? [] : [typed, ...(withVersions ? [versioned] : [])].flatMap((each) => [...module.text.matchAll(each)]);
  const alone = isVersionMoved && found.length > 0 ? alonesIn(module.text) : new Set();
  const isValue = found.length === 0 ? () => false : valuesOf(module);
  const isShown = markupIn(module);
  return found.flatMap(({ index, groups }): Finding[] => {
    const { header, url, begun, version, named, path = url ?? begun ?? version ?? named } = groups ?? {};
    const end = index + (header ?? path ?? '').length;
    if (url !== undefined && matchUrl(url.slice(1, -1), bases).kind !== 'ours') return [];
    if (isComment(module.text, index) || isValue(index) || isShown(index)) return [];
    if (path !== undefined && !/\.[cm]?tsx?$|\.(?:vue|svelte|astro)$/.test(module.file)) return [];
    const isOnly = version !== undefined && isVersionMoved && alone.has(index);
    return [{ code: 'old-type', file: module.file, start: index, end, ...module.position(index), detail: isOnly ? { how: 'value' } : {} }];
  });
}

/** `version?: 'v1'`, `type Version = | 'v1' | undefined`, up to where the union ends. */
const versionTypes = /version\w*\??\s*[:=](?=(?<union>[\w\s|'"`/.-]*))/gi;
/** A text that is another one than v1's version. */
const other = /(["'`])(?!\/?v1\/?\1)[^"'`]*\1/;

/** Where v1 is the one text that a version may be. */
function alonesIn(text: string): ReadonlySet<number> {
  const found = [...text.matchAll(versionTypes)].flatMap(({ index, 0: { length }, groups: { union = '' } = {} }) =>
    other.test(union) ? [] : [...union.matchAll(/["'`]\/?v1/g)].map((each) => index + length + each.index),
  );
  return new Set(found);
}

/** Tells where texts are values, or names of values. */
export function valuesOf({ tree }: SourceModule): (offset: number) => boolean {
  const { program } = tree;
  const texts = [...nodesOfKind(program, 'string'), ...nodesOfKind(program, 'template')];
  const named = [...nodesOfKind(program, 'property'), ...nodesOfKind(program, 'patternProperty')];
  const names = named.map(({ keyStart: start, keyEnd: end }) => ({ start, end }));
  const sorted = [...texts, ...names].toSorted((one, other) => one.start - other.start);
  // Up to where anything reaches that begins before.
  let last = 0;
  const ends = sorted.map(({ end }) => (last = Math.max(last, end)));
  return (offset) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.start ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return offset < (ends[low - 1] ?? 0);
  };
}
