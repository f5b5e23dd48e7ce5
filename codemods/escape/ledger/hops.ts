/** By which hops a document says that a call comes to the service: `Browser → `/api/v1/*` → Parlo `https://…`. The server adds the `x-api-key`.`, and folders whose code asks it. */
import { v1Auth } from '../../../src/contract/auth.ts';
import { isTool } from './other-names.ts';
import { restOf, type Mentioned, type Subject } from './subjects.ts';

const arrow = /→|⇒|[-=]+>/;

/** Whether a sentence ends with the service's address behind an arrow, if with its name in front, and has nothing else of it, where each hop before is known: whoever else has such an address, it stays in. */
export function endsAtService(said: string, mentions: readonly Mentioned[], withoutNames: (said: string) => string): boolean {
  const last = Array.from(said.matchAll(new RegExp(arrow, 'g'))).at(-1);
  const [mention, ...others] = mentions;
  if (last === undefined || mention?.kind !== 'address' || others.length > 0 || mention.start < last.index) return false;
  if (!areKnown(said.slice(0, last.index).split(arrow))) return false;
  const at = last.index + last[0].length;
  const rest = restOf(said.slice(at), [{ ...mention, start: mention.start - at, end: mention.end - at }]);
  return /^[\s`*.()]*$/.test(withoutNames(rest));
}

/** Whether a paragraph begins with such hops. */
export const beginsWithHops = (said: string): boolean => arrow.test(said) && areKnown(said.split(arrow).slice(0, -1));

/** Whether somebody at the program itself asks, and no more than the program is in between. */
const areKnown = ([first = '', ...others]: readonly string[]): boolean => asking.test(first) && others.every(isOfProgram);
const asking = /^\s*(?:[-*+]\s+)?(?:(?:the|our)\s)?(?:web\s)?(?:browser|page|app|client|user|front-?end)s?\s*$/i;

/** A route of its own, which may be blank, or its server, with what that is made with, and where. */
function isOfProgram(hop: string): boolean {
  const [found, tools = ''] = /^\s*(?:`\/[^`]*`|(?:(?:the|our)\s)?(?:server|back-?end|BFF))?\s*(?:\(([^()]*)\))?\s*$/i.exec(hop) ?? [];
  return found !== undefined && tools.split(',').every((each) => /^\s*(?:`[\w@./-]+`)?\s*$/.test(each) || isTool(each.trim()));
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
