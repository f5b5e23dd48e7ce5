/** By which hops a document says that a call comes to the service: `Browser → `/api/v1/*` → Parlo `https://…`. The server adds the `x-api-key`.`, and folders whose code asks it. */
import { v1Auth } from '../../../src/contract/auth.ts';
import { isTool } from './other-names.ts';
import { restOf, type Mentioned, type Subject } from './subjects.ts';

const arrow = /(?:→|⇒|[-=]+>)/g;

/** Whether a sentence ends with the service's address behind an arrow, if with its name in front, and has nothing else of it: whatever the hops before are, an address says by itself whose it is. */
export function endsAtService(said: string, mentions: readonly Mentioned[], withoutNames: (said: string) => string): boolean {
  const last = Array.from(said.matchAll(arrow)).at(-1);
  const [mention, ...others] = mentions;
  if (last === undefined || mention?.kind !== 'address' || others.length > 0 || mention.start < last.index) return false;
  const at = last.index + last[0].length;
  const rest = restOf(said.slice(at), [{ ...mention, start: mention.start - at, end: mention.end - at }]);
  return /^[\s`*.()]*$/.test(withoutNames(rest));
}

/** What is said right behind that: `The server adds the `x-api-key``, which goes the same way. */
export const addsItsHeader = (said: string): boolean => adding.test(said);
const adding = new RegExp(
  String.raw`^\s*(?:The|Our)\s(?:server|back-?end|BFF|API)\s(?:adds|sends|sets|puts\sin)\s(?:the\s|its\s)?\x60${v1Auth.field}\x60(?:\sheader)?[\s,.;]*$`,
  'i',
);

/** `- `apps/bff` – Fastify; adds …`: the folder, and what it is made with. */
const ofFolder = /^(\s*[-*+]\s+)`([\w@.-]+(?:\/[\w@.-]+)+)`(\s*[:–—-]\s*)((?:[A-Z][\w.]*(?:\s*[,/+]\s*|\s*(?=;)))*;)?/;

/** @returns the folder that an item begins with, and the item with blanks in the place of that and of its tools */
export function folderNamedIn(said: string): readonly [folders: readonly Subject[], rest: string] {
  const [found, mark = '', name, , tools = ''] = ofFolder.exec(said) ?? [];
  const isKnown = tools.split(/[\s,/+;]+/).every((each) => each === '' || isTool(each));
  if (found === undefined || name === undefined || !isKnown) return [[], said];
  return [[{ kind: 'file', name }], mark + ' '.repeat(found.length - mark.length) + said.slice(found.length)];
}
