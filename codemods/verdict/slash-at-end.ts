/** Paths that a program writes with a slash at their end: `/v1/contacts/`. An identifier that is empty leaves one, too, and asks for something else. */
import { isScript } from '../evaluate/module.ts';
import { flat, sliceParts } from '../evaluate/values/text.ts';
import type { Part } from '../evaluate/values/values.ts';
import type { Request } from '../requests/requests.ts';
import type { Node } from '../syntax/tree.ts';
import type { Verdict } from './verdict.ts';

/** @returns that of the endpoint without the slash, if there is one: who asks with it today, asks that one */
export function withoutSlash(
  { url = [], isPrefix }: Pick<Request, 'url' | 'isPrefix'>,
  judge: (url: readonly Part[]) => Verdict,
): Verdict | undefined {
  const text = flat(url);
  const at = text.search(/[?#]|$/) - 1;
  if (text[at] !== '/' || isPrefix || !isWrittenAtEnd(url, at)) return undefined;
  const verdict = judge([...sliceParts(url, 0, at), ...sliceParts(url, at + 1, text.length)]);
  return verdict.kind === 'ours' && verdict.endpoint !== undefined ? { ...verdict, endsInSlash: true } : undefined;
}

/** Whether nothing is put behind it, which may be nothing: `/contacts/${id}`, `'/contacts/' + id`. */
function isWrittenAtEnd(url: readonly Part[], at: number): boolean {
  const [slash] = sliceParts(url, at, at + 1);
  const source = slash !== undefined && 'text' in slash ? slash.source : undefined;
  if (source === undefined || !isScript(source.module) || !/["'`?#]/.test(source.module.text[source.start + 1] ?? '')) return false;
  for (let node: Node = source.node; node.parent?.kind === 'concat'; node = node.parent) if (node.parent.left === node) return false;
  return true;
}
