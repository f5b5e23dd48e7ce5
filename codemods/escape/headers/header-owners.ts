/**
 * Whose header a text speaks of that also holds a base of ours. It is somebody else's only where its own place says so: a list of what browsers may
 * send to a server of the user's own, a container that others call, the name of a secret's entry, a command for another host, a section of a document about one.
 */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import type { TextRange } from '../../formats/text.ts';
import { type Bases, namingOurs, routeHeads } from '../../verdict/bases/routes.ts';

type Owner = 'own-server' | 'other-host' | 'no-call';

/** @param isSentElsewhere whether a stretch holds the header of a request that goes to another host */
export function ownersOf(
  source: SourceText,
  bases: Bases,
  isSentElsewhere: (place: TextRange) => boolean,
): (header: TextRange) => Owner | undefined {
  const { file, text } = source;
  const speaksOfOurs = namingOurs(bases);
  if (/\.mdx?$/i.test(file)) {
    const headings = headingsIn(text);
    const isTheirs = remembered(({ start, end }: TextRange) => {
      const part = text.slice(start, end);
      return !speaksOfOurs(part) && !routes.test(part) && isSentElsewhere({ start, end });
    });
    const prose = withoutBlocks(text);
    const isBesideOther = ({ start }: TextRange): boolean => {
      const line = lineAt(text, start);
      if (line === undefined || speaksOfOurs(line)) return false;
      // In a block of code each line stands for itself.
      const said = prose[start] === text[start] ? lastAddress(paragraphTo(text, start), speaksOfOurs) : undefined;
      return said === undefined ? otherApi.test(line) : said === 'other';
    };
    return (header) => (isBesideOther(header) || sectionsAt(headings, header.start, text.length).some(isTheirs) ? 'other-host' : undefined);
  }
  const isCalled = remembered((service: Line) => isCalledServer(text, service, speaksOfOurs));
  let left = mostLines;
  return ({ start }) => {
    const line = lineAt(text, start);
    if (line === undefined || left <= 0) return undefined;
    if (isToOther(line, speaksOfOurs)) return 'other-host';
    if (!/\.(?:ya?ml|jsonc?)$/i.test(file)) return undefined;
    if (isSecret(line)) return 'no-call';
    const { lines, looked } = linesAround(text, start, line, left);
    left -= looked;
    const above = lines.map((each) => each.text);
    if (/^[\s-]*key:/.test(line) && above.some(isSecret)) return 'no-call';
    if ([line, ...above].some((each) => allowing.test(each)) || asking.every((part) => above.some((each) => part.test(each))))
      return 'own-server';
    if (lines.some((each) => isProbe(text, each))) return 'own-server';
    const [service, services] = lines.slice(-2);
    return service !== undefined && services?.text.startsWith('services:') === true && isCalled(service) ? 'own-server' : undefined;
  };
}

/** `POST https://shop.example.com/api/v1/orders`, or the base of such: no link to something to read. */
const otherApi = /\bhttps?:\/\/(?!(?:docs?|developers?|help|support)\.)[^\s"'`<>)]+\/v\d+(?:\/|(?=["'`|\s]|$))/i;

/** Up to a place from where its paragraph begins, or its item of a list; a row of a table is one by itself. */
function paragraphTo(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - longest), at);
  const begin = [...before.matchAll(/(?:^|\n)(?=[ \t>]*(?:\n|#|\||[-*+] |\d+[.)] ))/g)].at(-1)?.index ?? 0;
  return before.slice(begin);
}

/** Whose the last address of a text is, if it has one. */
function lastAddress(text: string, speaksOfOurs: (part: string) => boolean): 'ours' | 'other' | undefined {
  const addresses = text.match(/(?:https?:\/\/|\b)(?:[\w-]+\.)+[a-z]{2,}(?:[:/][^\s"'`<>)]*)?/gi) ?? [];
  return addresses.flatMap((each) => (speaksOfOurs(each) ? (['ours'] as const) : otherApi.test(each) ? (['other'] as const) : [])).at(-1);
}

/** What a clause, a cell or a heading of a document says of an API of the user's own. */
const own = /\bour (?:own\b(?! (?:api )?keys?\b)|(?:own )?(?:api|gateway)\b)|\bon us\b|\bus under\b/i;
const ownHeading = /^#+\s+(?:our|own)\b/i;

/** Tells of a place whether its document says that it speaks of an API of the user's own. */
export function ownApiIn({ file, text }: Pick<SourceText, 'file' | 'text'>, bases: Bases): (place: TextRange) => boolean {
  if (!/\.mdx?$/i.test(file)) return () => false;
  const speaksOfOurs = namingOurs(bases);
  const headings = headingsIn(text);
  const isOwn = remembered(({ start, end }: TextRange) => {
    const part = text.slice(start, end);
    return ownHeading.test(part) && !speaksOfOurs(part);
  });
  return ({ start, end }) => {
    const before =
      text
        .slice(Math.max(0, start - longest), start)
        .split(clauseEnd)
        .at(-1) ?? '';
    const [after = ''] = text.slice(end, end + longest).split(clauseEnd, 1);
    if (besideV2.test(text.slice(text.lastIndexOf('\n', start) + 1, end + longest).split('\n', 1)[0] ?? '')) return true;
    return saysOwn(before, after) ? !speaksOfOurs(before + after) : sectionsAt(headings, start, text.length).slice(0, 1).some(isOwn);
  };
}

/** What a server answers by a version of its own, in a row that says what of v2 it asks for it: `| `GET /api/v1/contacts` | `GET /v2/contacts` |`. */
const besideV2 = /^\s*\|\s*`(?:[A-Z]+ )?\/(?!v\d)[^\s|`]+`\s*\|\s*`(?:[A-Z]+ )?(?:https?:\/\/[^\s|`/]+)?\/v2\/[^|]*\|\s*$/;

/** Whether it is that place of which a clause says so, and no other path: `` `POST /v1/messages/send`, and our own `/api/messages/:id` ``. */
function saysOwn(before: string, after: string): boolean {
  const [behind = ''] = after.split(/[,)]/, 1);
  const said = before.split(own);
  return own.test(behind) || (said.length > 1 && !/[\s`]\/(?!v1\b)\w/.test(said.at(-1) ?? ''));
}

const clauseEnd = /[|;]|\.\s|\n/;

/** Lines that are looked at around the headers of one file, and characters of one: what is beyond is nobody's by proof. */
const mostLines = 50_000;
const longest = 2_000;

/** By where it begins: many headers stand in one. */
function remembered<Place extends TextRange>(ask: (place: Place) => boolean): (place: Place) => boolean {
  const known = new Map<number, boolean>();
  return (place) => {
    const answer = known.get(place.start) ?? ask(place);
    known.set(place.start, answer);
    return answer;
  };
}

const routes = new RegExp(routeHeads.join('|'));

/** What browsers may send to a server of the user's own, and what it shows them. */
const allowing = /^[\s"'-]*(?:cors|(?:access-control-)?(?:allow|expose)(?:d|ed)?[-_]?headers)["']?\s*:/i;

/** An entry of a secret or a map of settings, whatever it is called: `secretKeyRef: { name: texts, key: x-api-key }`. */
const isSecret = (line: string): boolean => /\b(?:secret|configMap)KeyRef\s*:/.test(line);

/** What calls a function of the user's own, by Serverless or SAM, and has to send it. */
const asking = [/^[\s-]*events\s*:\s*$/i, /^[\s-]*(?:request_?)?parameters\s*:\s*$/i];

/** A command with one address, which is another's, and nothing beside it that may be ours. */
function isToOther(line: string, speaksOfOurs: (part: string) => boolean): boolean {
  const addresses = line.match(/\bhttps?:\/\/[^\s"'`<>]*/g) ?? [];
  const [address] = addresses;
  if (address === undefined || addresses.length > 1 || speaksOfOurs(line)) return false;
  if (!/\b(?:curl|wget)\b/.test(line) || /\s(?:-x|--proxy|--connect-to|--resolve)\b/.test(line)) return false;
  const isKnown = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/|$)/.test(address);
  // An address in a variable may be ours.
  const rest = line.replace(address, '').replaceAll(/(["'])[\w-]+:\s*[^"']*\1/g, '');
  return isKnown && !/[$%<]|\{(?:\{|\w)/.test(rest);
}

/** @returns undefined where it is too long for one that people write */
function lineAt(text: string, at: number): string | undefined {
  const around = text.slice(Math.max(0, at - longest), at + longest);
  const within = Math.min(at, longest);
  const [start, end] = [around.lastIndexOf('\n', within - 1) + 1, around.indexOf('\n', within)];
  if ((start === 0 && at > longest) || (end === -1 && at + longest < text.length)) return undefined;
  return around.slice(start, end === -1 ? undefined : end);
}

interface Line extends TextRange {
  readonly text: string;
}

const indentOf = (line: string): number => line.search(/\S|$/);

/** The lines that a place stands below by how far in they begin, the nearest first. */
function linesAround(text: string, at: number, own: string, most: number): { readonly lines: Line[]; readonly looked: number } {
  const lines: Line[] = [];
  let indent = indentOf(own);
  let looked = 0;
  for (let start = text.lastIndexOf('\n', at - 1) + 1; start > 0 && indent > 0 && looked < most; looked++) {
    const end = start - 1;
    start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    if (line.trim() === '' || indentOf(line) >= indent || /^\s*#/.test(line)) continue;
    indent = indentOf(line);
    lines.push({ start, end, text: line });
  }
  return { lines, looked };
}

/** `httpGet:` of a container, which asks that container itself. */
const isProbe = (text: string, line: Line): boolean => /^\s*-?\s*httpGet:\s*$/.test(line.text) && !/^\s*host:/m.test(belowOf(text, line));

/** The lines that begin further in. */
function belowOf(text: string, line: Line): string {
  const below = text.slice(line.end + 1).split('\n');
  const length = below.findIndex((each) => each.trim() !== '' && indentOf(each) <= indentOf(line.text));
  return (length === -1 ? below : below.slice(0, length)).join('\n');
}

/** A container made elsewhere that others of the file call, and that is told nothing of ours: a server with a header of its own. */
function isCalledServer(text: string, service: Line, speaksOfOurs: (part: string) => boolean): boolean {
  const name = /^\s*["']?([\w.-]+)["']?:\s*$/.exec(service.text)?.[1];
  const section = belowOf(text, service);
  if (name === undefined || speaksOfOurs(section) || !/^\s*image:/m.test(section)) return false;
  if (/^\s*(?:build|env_file|extends|<<|command|entrypoint|volumes):|\$\{?\w|\*\w/m.test(section)) return false;
  const others = text.slice(0, service.start) + text.slice(service.end + 1 + section.length);
  return new RegExp(`://${name.replaceAll('.', '\\.')}(?=[:/\\s"']|$)`, 'm').test(others);
}

interface Heading {
  readonly start: number;
  readonly level: number;
}

const headingsIn = (text: string): Heading[] =>
  Array.from(withoutBlocks(text).matchAll(/^(#{1,6})\s.*$/gm), ({ index, 1: sign = '' }) => ({ start: index, level: sign.length }));

/** From each heading that a place stands under to the next one that is as high. */
function sectionsAt(headings: readonly Heading[], at: number, end: number): TextRange[] {
  const first = headings.findLastIndex(({ start }) => start <= at);
  const sections: TextRange[] = [];
  let top = Infinity;
  for (let i = first; i >= 0 && top > 1; i--) {
    const { start, level } = headings[i] ?? { start: 0, level: 0 };
    if (level >= top) continue;
    top = level;
    const next = headings.find((other, j) => j > first && other.level <= level);
    sections.push({ start, end: next?.start ?? end });
  }
  return sections;
}

/** Comments of scripts begin like headings. */
const withoutBlocks = (text: string): string =>
  text.replaceAll(/^[ \t>]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t>]*\1/gm, (block) => block.replaceAll(/[^\n]/g, ' '));
