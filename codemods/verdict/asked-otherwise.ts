/** Paths that ask for an endpoint as nobody shows them: with a slash at their end, or blanks in an identifier. */
import { isScript } from '../evaluate/module.ts';
import { flat, sliceParts } from '../evaluate/values/text.ts';
import type { Part } from '../evaluate/values/values.ts';
import type { Request } from '../requests/requests.ts';
import type { Node } from '../syntax/tree.ts';
import type { Verdict } from './verdict.ts';

/** `mock template` of a test as an identifier: a client sends the blanks in another form. What people put a value into is a placeholder. */
export function withBlanksSent(url: readonly Part[], judge: (url: readonly Part[]) => Verdict): Verdict | undefined {
  const blank = (flat(url).split(/[?#]/, 1)[0] ?? '').split('/').filter((segment) => segment.includes(' '));
  if (blank.length === 0 || !blank.every((segment) => /^[\w.-]+(?: [\w.-]+)+$/.test(segment))) return undefined;
  // As long as what is sent in its place, so that nothing else moves.
  const verdict = judge(url.map((part) => ('text' in part ? { ...part, text: part.text.replaceAll(' ', '_') } : part)));
  return verdict.kind === 'ours' && verdict.endpoint !== undefined ? verdict : undefined;
}

/** @returns that of the endpoint without the slash, if there is one: who asks with it today, asks that one */
export function withoutSlash(
  { url, isPrefix }: Pick<Request, 'url' | 'isPrefix'>,
  judge: (url: readonly Part[]) => Verdict,
): Verdict | undefined {
  const asked = isPrefix ? undefined : slashTaken(url);
  const verdict = asked && judge(asked);
  return verdict?.kind === 'ours' && verdict.endpoint !== undefined ? { ...verdict, endsInSlash: true } : undefined;
}

/** An address without the slash that is written at the end of its path; undefined where none is. */
export function slashTaken(url: readonly Part[] = []): readonly Part[] | undefined {
  const text = flat(url);
  const at = text.search(/[?#]|$/) - 1;
  if (text[at] !== '/' || !isWrittenAtEnd(url, at)) return undefined;
  return [...sliceParts(url, 0, at), ...sliceParts(url, at + 1, text.length)];
}

/** Whether nothing is put behind it: an identifier that is empty leaves a slash, too, and asks for something else: `/contacts/${id}`, `'/contacts/' + id`. */
function isWrittenAtEnd(url: readonly Part[], at: number): boolean {
  const [slash] = sliceParts(url, at, at + 1);
  const source = slash !== undefined && 'text' in slash ? slash.source : undefined;
  if (source === undefined || !isScript(source.module) || !/["'`?#]/.test(source.module.text[source.start + 1] ?? '')) return false;
  for (let node: Node = source.node; node.parent?.kind === 'concat'; node = node.parent) if (node.parent.left === node) return false;
  return true;
}
