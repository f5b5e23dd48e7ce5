/** Rows of tables and items of lists in documents that say what a variable is set to or a function asks for: data, which says the same whatever the words around it are. */
import { isDoubtful, isOfAnotherProgram } from './doubts.ts';
import {
  answering,
  beginsWithRoutes,
  cellsOfService,
  cellsOfUpstream,
  isOfCalls,
  isOfRequests,
  isOfUpstreams,
  isServices,
  ofOthers,
  requests,
  saysMore,
} from './route-tables.ts';
import { askingIn, code, flag, type Mentioned, restOf, type Row, settingsOf, variable } from './subjects.ts';

/** How a header is written that is not written so on v2. */
const ofItsValue = /\b(?:without|no|custom|scheme|prefix(?:ed)?)\b/i;
/** A cell of its own, as of what is required. */
const notRequired = /\|[\s*`]*no[\s*`]*(?=\|)/gi;

/** What it may do: `read & write key`. */
const ofKey = String.raw`(?:an?\s|the\s|your\s)?(?:(?:read|write|and|&|\+|/|only|full|access|api|secret|live|workspace)[\s-]*){0,6}key`;
/** `TEXTS_API_KEY`: goes out as `x-api-key`, up to the header, and nobody said to send it. */
const goesOut = new RegExp(
  `${variable.source}[|:(–—=-]\\s*(?:${ofKey},\\s|it\\s)?(?:(?:it\\s)?(?:is|gets)\\s)?(?:sent|passed|goes out|sent out|sent along)(?:\\s(?:with|on)\\s(?:each|every|all)\\srequests?)?\\s(?:as|in)\\s(?:the\\s|an?\\s)?[*\\x60]*$`,
  'i',
);

/** What is known of a table from around it. */
interface Around {
  /** Whether all that has a version there is the service's. */
  readonly isOfOne: boolean;
  /** Whether what has something in front of its version, `/api/v1`, is none of the service's. */
  readonly isAtRoot: boolean;
  /** Whether it stands under what the service is called, and is said to be what is asked for there. */
  readonly isOfService: boolean;
  /** Whether what stands above it is understood. */
  readonly isLedInByUs: boolean;
  /** Takes out what the service is called. */
  readonly withoutNames: (said: string) => string;
  /** Whether a row has the header in the cell beside an address, so that it is that one's. */
  readonly hasOwnHeader: (row: string) => boolean;
}

/**
 * @param said a whole table or list
 * @param mentionsIn what is said of the service within a text, by places in it
 * @returns the rows and items of a variable that speak of addresses or of the header of the service, and the rows of functions and files that ask for its
 *   routes, by places in it; where it is all that is spoken of, those of a table that says what is asked for what
 */
export function rowsOf(said: string, mentionsIn: (text: string) => readonly Mentioned[], around: Around): Row[] {
  const { isOfOne, isAtRoot, isOfService, isLedInByUs, withoutNames, hasOwnHeader } = around;
  const lines = Array.from(said.matchAll(/[^\n]+\n?/g), ({ index: start, 0: line }) => ({ start, end: start + line.length, line }));
  const isTable = lines.every(({ line }) => /^\s*\|/.test(line));
  const head = lines[0]?.line ?? '';
  const isOfTwo = isTable && isOfOne && isAtRoot && isLedInByUs && isOfUpstreams(head);
  if (isTable ? !isOfTwo && isDoubtful(head) : !lines.every(({ line }) => /^\s*(?:[-*+]|\d+[.)])\s/.test(line))) return [];
  const body = lines.slice(isTable ? 2 : 0).map((each) => ({ ...each, ...saidIn(each.line, mentionsIn) }));
  // An item may be about what those below it say.
  if (!isTable && body.some(({ line, rest }) => isDoubtful(rest) && !variable.test(line) && !flag.test(line))) return [];
  if (!isTable && isOfService && body.every(beginsWithRoutes))
    return body.map(({ start, end }) => ({ start, end, subjects: [], isOfService }));
  if (isTable && isServices(head, withoutNames)) return cellsOfService(body);
  if (isOfTwo) return cellsOfUpstream(body);
  // Where a table has routes of somebody else, too, whose each of them is depends on the words beside it.
  const isMixed = body.some(({ rest }) => ofOthers.test(rest));
  // Half a table on v2 would say that there are two versions.
  const spoken = body.filter(({ kinds }) => kinds.size > 0);
  // A class says by its name whose routes it asks, which is not read.
  const isOfNobody = isOfCalls(withoutNames(head)) && !body.some(({ rest }) => ofClass.test(rest));
  if (isOfOne && isOfNobody && isTable && requests.test(head) && spoken[0] !== undefined && body.every(isOfRequests)) {
    const { start: table } = spoken[0];
    const rows = spoken.map(({ start, end, rest }): Row => ({ start, end, subjects: askingIn(rest), table }));
    return rows.every(({ subjects }) => subjects.length === 0) ? [{ start: table, end: said.length, subjects: [] }] : rows;
  }
  return body.flatMap(({ start, end, line, rest, kinds }): Row[] => {
    if (kinds.size === 0 || ofOthers.test(rest) || isDoubtful(rest)) return [];
    // What a class asks, and by which header: `| `Texts` | `https://…/v1` | `x-api-key` |`.
    if (kinds.size > 1) {
      const isOfClass = isTable && !kinds.has('route') && hasOwnHeader(line) && !answering.test(head) && !isOfAnotherProgram(rest);
      const subjects = isOfClass ? askingIn(rest) : [];
      return subjects.length === 0 ? [] : [{ start, end, subjects, hasOwnHeader: true }];
    }
    if (isOfAnotherProgram(rest) || (kinds.has('header') && ofItsValue.test(rest.replaceAll(notRequired, '|')))) return [];
    const isOfRoutes = kinds.has('route');
    if (isOfRoutes && (!isTable || isMixed || saysMore.test(rest.replaceAll(code, '').replaceAll(linked, '')))) return [];
    // What begins with a route says what answers it, where anything does.
    const isUntied = isOfRoutes && !/^\s*\|\s*\[?`(?![A-Z]+[ `]|\/)/.test(line);
    if (isUntied && (answering.test(head) || !behindRoute.test(line))) return [];
    const subjects = isOfRoutes ? askingIn(rest) : settingsOf(line);
    // An option may be the name of the header itself.
    if (kinds.has('header') && /default/i.test(rest) && subjects.some(({ kind }) => kind === 'option')) return [];
    const isOfItsName = subjects.every(({ kind, name }) => kind === 'variable' && isCalledAs(withoutNames, name));
    const isSentOut =
      subjects.every(({ name }) => isItsKey(withoutNames(name.replaceAll('_', ' ')))) &&
      goesOut.test(line.slice(0, mentionsIn(line)[0]?.start));
    const facts = { ...(isUntied && { isUntied }), ...(isOfItsName && { isOfItsName }), ...(isSentOut && { isSentOut }) };
    return subjects.length === 0 ? [] : [{ start, end, subjects, ...facts }];
  });
}

function isCalledAs(withoutNames: (said: string) => string, variable: string): boolean {
  const words = variable.replaceAll('_', ' ');
  return withoutNames(words) !== words && !ofReceivers.test(words);
}
const isItsKey = (rest: string): boolean => /^(?:NUXT|NITRO)?\s*(?:API )?(?:KEY|TOKEN|SECRET)$/.test(rest.trim());
/** What the service itself, or who comes by way of a program, is known by. */
const ofReceivers = /\b(?:(?:WEB)?HOOKS?|SIGN\w*|GATEWAY|PROXY|INBOUND|INCOMING|CALLERS?|ADMIN|SERVER|OWN)\b/;

/** `| GET | `/v1/contacts` | `ContactService.getAll()` |` */
const behindRoute =
  /^\s*\|(?:\s*`?(?:GET|POST|PUT)`?\s*\||\s*`(?:GET|POST|PUT) (?=\/))[\s\x60]*\/v1\/[^\s|\x60]+[\s\x60]*\|\s*`[^`|]*`\s*\|\s*$/;

const ofClass = /`[A-Z][a-z\d]*[a-z]\w*[`.(]/;
/** A link from a function to where it is described, in the same folders. */
const linked = /\]\((?!\w+:)[^()\s]*\)/g;

/** What a row says of the service, and what beside. */
function saidIn(line: string, mentionsIn: (text: string) => readonly Mentioned[]): { kinds: ReadonlySet<Mentioned['kind']>; rest: string } {
  // Where the method has a cell of its own, the code begins behind that.
  const isOpen = ({ start, end }: Mentioned): boolean => line.slice(start, end).split('`').length % 2 === 0 && line[end] === '`';
  const mentions = mentionsIn(line).map((each) => (isOpen(each) ? { ...each, end: each.end + 1 } : each));
  return { kinds: new Set(mentions.map(({ kind }) => kind)), rest: restOf(line, mentions).replaceAll(/`\s*`/g, ' ') };
}
