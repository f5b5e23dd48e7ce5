/** Rows of tables and items of lists in documents that say what a variable is set to or a function asks for: data, which says the same whatever the words around it are. */
import { v2Auth } from '../../../src/contract/auth.ts';
import type { TextRange } from '../../formats/text.ts';

/** That compares versions, tells of what was or will be, forbids, or says what else v1 has. */
const ofAnotherTime = [
  String.raw`(?<![\w./@:-])v1(?![\w/-]|\.\w)|(?<![\w@-])v[02]\b|\b${v2Auth.field}\b|\b${v2Auth.scheme}\b`,
  String.raw`\b(?:deprecat|migrat|upgrad|sunset|retir|replac|renam|switch)\w*|\b(?:until|legacy|old|former(?:ly)?|previous(?:ly)?|still|yet|for now|currently|today|instead|new (?:apis?|versions?)|used to|moved|histor\w+|todo)\b`,
  String.raw`\b(?:was|were|had|no longer)\b|\b(?:19|20)\d\d\b|\d\.\d+\.\d`,
  String.raw`\b(?:rate|limit(?:s|ed)?|per (?:second|minute|hour|day|key))\b`,
  String.raw`\b(?:version (?:1|one)|first version)\b`,
  // What stands in for a service may answer as v1 does.
  String.raw`\b(?:mock\w*|stub\w*|fakes?|stand-?ins?|sandbox)\b`,
  // What is written in another language is not read.
  String.raw`[^\x00-\x7F–—…’“”→✓✅❌]`,
];
/** That speaks of another server. */
const ofAnotherServer = String.raw`\b(?:own|ours|internal(?:ly)?|gateway|proxy|proxies|prox(?:y|i)ed|localhost|callers?|partners?|consumers?|inbound|incoming|exposes?|serves?)\b|127\.0\.0\.1`;
/** That forbids, or denies. */
const denying = String.raw`\b(?:not|never|avoid|cannot)\b|n['’]t\b`;
const ofOtherSubjects = new RegExp([...ofAnotherTime, ofAnotherServer].join('|'), 'i');
const doubtful = new RegExp(`${ofOtherSubjects.source}|${denying}`, 'i');
export const isDoubtful = (said: string): boolean => doubtful.test(said.replaceAll(unsetOrNamed, ' '));
/** The same of what is said above rows and settings, which say themselves whose they are: what is denied there is denied of something else, unless it leads to them. */
export const isDoubtfulAbove = (said: string): boolean =>
  (/[:*_]\s*$/.test(said) ? doubtful : ofOtherSubjects).test(said.replaceAll(unsetOrNamed, ' '));
const dated = new RegExp([...ofAnotherTime, denying].join('|'), 'i');
/** Whether it does not hold of an address either, which says by itself whose it is. */
export const isOfAnotherTime = (said: string): boolean => dated.test(said.replaceAll(unsetOrNamed, ' '));

/** What mails do not go by. */
export const notBySmtp = String.raw`\b(?:not|instead\s+of|rather\s+than)\s+(?:(?:via|over|through|by)\s+)?SMTP\b`;

/** What holds where nothing is set; what a file of settings is to be called; an event: `| Order was placed |`; a page of a list. */
const unsetOrNamed = new RegExp(
  [
    String.raw`\b(?:if|when|unless)\s+(?:it\s+is\s+|it['’]s\s+)?(?:not\s+(?:set|given|specified|provided|defined)|unset)\b`,
    String.raw`\brename\b(?=[\s*\x60]*\.env\b)`,
    // What nobody does with a key, on any version.
    String.raw`\b(?:never|do not|don['’]t|avoid)[\s*]+(?:commit|share|expose|publish|hard-?cod(?:e|ing)|log|leak|paste|check in)(?:ting|ing)?\b`,
    notBySmtp,
    String.raw`\binstead\s+of\s+(?:the\s+|an?\s+)?(?:environment\s+)?(?:variables?|flags?|options?|arguments?)(?!\w)`,
    String.raw`(?<=[?&])limit(?==)`,
    String.raw`(?<=^\s*\|\s*(?:(?:an?|the)\s+)?(?!what|which|it|this|that)[a-z]+\s+)was(?=\s+(?:placed|created|sent|received|read|added|deleted|paid|shipped|delivered|confirmed|booked|cancell?ed)\s*\|)`,
  ].join('|'),
  'gi',
);

/** Another program, which is elsewhere. */
export const isOfAnotherProgram = (said: string): boolean =>
  /\b(?:android|ios|gradle|kotlin|swift|java|php|ruby|python|dotnet)\b/i.test(said);
/** How a header is written that is not written so on v2. */
const ofItsValue = /\b(?:without|no|custom|scheme|prefix(?:ed)?)\b/i;
/** A cell of its own, as of what is required. */
const notRequired = /\|[\s*`]*no[\s*`]*(?=\|)/gi;

/** An address or a version that is none of ours. */
const ofOthers = /https?:|\/v\d/i;
/** Beside a route, any host, number or limit: whose the route is depends on it, or it is of v1 alone. */
const saysMore = /\w\.[a-z]{2}|\d|\b(?:an?|per) (?:second|minute|hour|day)\b|\bends?\b/i;
const beginning = String.raw`(?:\||^\s*(?:[-*+]|\d+[.)])\s)\s*(?:\*\*)?`;
const nameOfVariable = String.raw`[A-Z][A-Z\d]*(?:_[A-Z\d]+)+`;
/** A cell, or the beginning of an item, that names a variable, or several: `TEXTS_HOST`, `TEXTS_VERSION`. */
const variable = new RegExp(
  `${beginning}\\x60?(${nameOfVariable}(?:\\x60?\\s*(?:,|/|&|and|or)\\s*\\x60?${nameOfVariable})*)\\x60?(?:\\*\\*)?\\s*(?=[|:(–—=-])`,
);
/** The same of an option of a command: `-u, --url <url>`. */
const flag = new RegExp(
  `${beginning}\\x60(?:-\\w,\\s)?--([a-z][a-z\\d]*(?:-[a-z\\d]+)*)(?:[ =](?:<[^<>\\x60]*>|[A-Z]+))?\\x60(?:\\*\\*)?\\s*(?=[|:(–—-])`,
);
/** The same of an option of a client, as code. */
const option = new RegExp(`${beginning}\\x60([a-z]\\w*)\\x60(?:\\*\\*)?\\s*(?=[|:(–—-])`);
/** `TEXTS_API_KEY`: goes out as `x-api-key`, up to the header, and nobody said to send it. */
const goesOut = new RegExp(
  `${variable.source}[|:(–—=-]\\s*(?:it\\s)?(?:(?:is|gets)\\s)?(?:sent|passed|goes out|sent out|sent along)(?:\\s(?:with|on)\\s(?:each|every|all)\\srequests?)?\\s(?:as|in)\\s(?:the\\s|an?\\s)?[*\\x60]*$`,
  'i',
);
/** What a piece of code may name: a function, with the object that has it, or a file. */
const called = /^(?:[\w$]+\.)*(?=[\w$]*[a-z])([A-Za-z_$][\w$]*)(?:\([^()]*\))?$/;
const script = /^[\w.@/[\]-]+\.(?:[cm]?[jt]sx?|vue|svelte)$/;

interface Mention extends TextRange {
  readonly kind: 'address' | 'route' | 'header';
}

interface Spoken extends Mention {
  /** Which an address or a route may be of. */
  readonly endpoints: readonly unknown[];
}

/** What ties a row to code of its package. */
export interface Subject {
  readonly kind: 'variable' | 'option' | 'function' | 'file';
  readonly name: string;
}

export interface Row extends TextRange {
  readonly subjects: readonly Subject[];
  /** Of one that moves without its subjects, too, where nothing at all is left on v1: the table that it does so with. */
  readonly table?: number;
  /** Whether its head says that what stands there is the service's. */
  readonly isOfService?: boolean;
  /** Whether its header is that of its address. */
  readonly hasOwnHeader?: boolean;
  /** Whether it moves only where nothing at all is left on v1. */
  readonly isAlone?: boolean;
  /** Whether its routes have the service's name in front. */
  readonly isNamed?: boolean;
  /** Whether it begins with a route, which it may say of what answers that. */
  readonly isUntied?: boolean;
  /** Whether it is of variables that are called as the service is: `PARLO_TOKEN`. */
  readonly isOfItsName?: boolean;
  /** Whether it says of these that they are sent. */
  readonly isSentOut?: boolean;
}

/** What is known of a table from around it. */
interface Around {
  /** Whether all that has a version there is the service's. */
  readonly isOfOne: boolean;
  /** Whether it stands under what the service is called, and is said to be what is asked for there. */
  readonly isOfService: boolean;
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
export function rowsOf(said: string, mentionsIn: (text: string) => readonly Mention[], around: Around): Row[] {
  const { isOfOne, isOfService, withoutNames, hasOwnHeader } = around;
  const lines = Array.from(said.matchAll(/[^\n]+\n?/g), ({ index: start, 0: line }) => ({ start, end: start + line.length, line }));
  const isTable = lines.every(({ line }) => /^\s*\|/.test(line));
  const head = lines[0]?.line ?? '';
  if (isTable ? isDoubtful(head) : !lines.every(({ line }) => /^\s*(?:[-*+]|\d+[.)])\s/.test(line))) return [];
  const body = lines.slice(isTable ? 2 : 0).map((each) => ({ ...each, ...saidIn(each.line, mentionsIn) }));
  // An item may be about what those below it say.
  if (!isTable && body.some(({ line, rest }) => isDoubtful(rest) && !variable.test(line) && !flag.test(line))) return [];
  if (!isTable && isOfService && body.every(beginsWithRoutes))
    return body.map(({ start, end }) => ({ start, end, subjects: [], isOfService }));
  if (isTable && isServices(head, withoutNames)) return cellsOfService(body);
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

/** Methods and whole addresses alone, or routes behind what the service is called: `Parlo `/v1/contacts``. */
const isAddressCell = (cell: string): boolean => /^(?:[\s`*,:;<>]|and\b|then\b)*$/.test(cell);

/** What is known of words in a table. */
interface Words {
  /** Takes out what the service is called. */
  readonly withoutNames: (said: string) => string;
  /** Whether no word of a text may be whoever else asks. */
  readonly isKnown: (said: string) => boolean;
}

/**
 * @param said a whole table
 * @returns all of it that speaks of the service, where each cell that does has a method and an address, or several, and nothing else: whoever else is spoken of
 *   beside it, an address says by itself whose it is, and so does the service's name in front of a route. Half a table on v2 would say that there are two versions
 */
export function addressesOf(said: string, mentionsIn: (text: string) => readonly Spoken[], { withoutNames, isKnown }: Words): Row[] {
  const mentions = mentionsIn(said);
  const [first] = mentions;
  const [, head = '', body = ''] = /^([^\n]*)\n\s*\|[\s:|-]+\n([^]*)$/.exec(said) ?? [];
  if (first === undefined || !mentions.every(({ kind, endpoints }) => kind !== 'header' && endpoints.length > 0)) return [];
  const rest = restOf(said, mentions).replaceAll(ownPath, ' ');
  if (body === '' || isOfAnotherTime(rest) || isOfAnotherProgram(rest) || !isKnown(head.replaceAll(ofUpstreams, ' '))) return [];
  const isAlone = mentions.every(({ kind, start, end }) => {
    const [from, until] = [said.lastIndexOf('|', start) + 1, said.indexOf('|', end)];
    const cell = said.slice(from, until);
    const own = restOf(cell, mentionsIn(cell));
    const isNamed = kind === 'address' || isNameAlone(cell.slice(0, mentionsIn(cell)[0]?.start), withoutNames);
    return until > 0 && !cell.includes('\n') && isNamed && isAddressCell(kind === 'address' ? own : withoutNames(own));
  });
  const isOfCode = Array.from(body.matchAll(/[^\n]+/g)).every(([line]) => {
    const own = mentionsIn(line);
    return own.length === 0 || isKnown(restOf(line, own).replaceAll(/`\s*`/g, ' ').replaceAll(code, ' '));
  });
  const start = said.lastIndexOf('\n', first.start) + 1;
  const isNamed = mentions.some(({ kind }) => kind === 'route');
  return isAlone && isOfCode ? [{ start, end: said.length, subjects: [], isAlone, ...(isNamed && { isNamed }) }] : [];
}

const isNameAlone = (said: string, withoutNames: (said: string) => string): boolean =>
  withoutNames(said) !== said && isAddressCell(withoutNames(said));

/** What somebody answers, by whatever version: `GET /api/v1/health`. */
const ownPath = /(?<=[\s\x60])\/[\w/:{}-]*/g;

/** In a head: what is asked for here, and there. */
const ofUpstreams =
  /\b(?:ours|own|local|lambdas?|upstream|hooks?|methods?|functions?|commands?|tools?|actions?|operations?|procedures?|triggers?)\b/gi;

const code = /`([^`\n]+)`/g;
const ofClass = /`[A-Z][a-z\d]*[a-z]\w*[`.(]/;
/** A link from a function to where it is described, in the same folders. */
const linked = /\]\((?!\w+:)[^()\s]*\)/g;

/** In a head: its rows may say by which header somebody asks these, and not what they ask. */
const answering = /\b(?:routes?|paths?|handlers?|controllers?|resolvers?|callers?|consumers?|tools?)\b/i;

/** The head of a table whose last column says what is asked for; one of keys, answers or callers says more of v1 than that. */
const requests =
  /^(?!.*\b(?:keys?|scopes?|permissions?|roles?|status|codes?|errors?|plans?|responses?|answers?|served|by)\b).*\|[\w ]*\b(?:endpoints?|requests?|calls?|rest)\s*\|\s*$/i;

/** Whether the cells of a head in front of the last one say by what its rows are told apart, and name nobody whose they are. */
const isOfCalls = (head: string): boolean =>
  head
    .split('|')
    .slice(1, -2)
    .every((cell) => cell.split(/[\s*_()/,`-]+/).every((word) => word === '' || ofHeads.has(word.toLowerCase())));

const ofHeads: ReadonlySet<string> = new Set(
  [
    'what for which when where is it does the a an of to and why how purpose use used usage event events step steps task tasks type types kind name names description details notes',
    'method methods function functions command commands tool tools action actions trigger triggers operation operations operationid feature features button buttons',
    'graphql query queries mutation mutations field fields screen screens page pages view views node nodes class classes file files component components hook hooks procedure',
    'procedures resolver resolvers slash job jobs script scripts subcommand subcommands resource resources rpc message messages activity activities here local option menu key',
  ].flatMap((each) => each.split(' ')),
);

/** A line of a table, and what it says besides of the service. */
interface Line extends TextRange {
  readonly line: string;
  readonly rest: string;
  readonly kinds: ReadonlySet<string>;
}

/** Methods and paths alone, if with how often they are asked for. */
const routesAlone = String.raw`(?:[\s,;]|and\b|then\b|\((?:polling|polled|paged|paginated|cached|batched)\)|\x60(?:GET|POST|PUT) \/v1\/[^\s\x60|]+\x60)+\|\s*$`;

/** They stand in the last cell, behind what is no path. */
const isOfRequest = ({ line, rest, kinds }: Line): boolean =>
  kinds.size === 1 && kinds.has('route') && behindNoPath.test(line) && saysNoMore(rest);
const behindNoPath = new RegExp(String.raw`^\s*\|[^|/]*[a-z][^|/]*\|(?:[^|]*\|)?${routesAlone}`);

/** Such a line, or one of what nothing is asked for: `| New message | webhook |`. */
const isOfRequests = (each: Line): boolean =>
  isOfRequest(each) || (each.kinds.size === 0 && !/[/\\]|\w\.[a-z]{2}/i.test(each.rest) && saysNoMore(each.rest.replaceAll(arriving, ' ')));
/** What comes in of the service's itself. */
const arriving = /\b(?:inbound|incoming)(?=\s+(?:messages?|texts?|sms|e?mails?|repl(?:y|ies))\b)/gi;

/** `- `GET /v1/messages/:id` for the status` */
const beginsWithRoutes = ({ line, rest, kinds }: Line): boolean =>
  kinds.size === 1 &&
  kinds.has('route') &&
  /^\s*(?:[-*+]|\d+[.)])\s+`(?:(?:GET|POST|PUT) )?\/v1\//.test(line) &&
  !ofOthers.test(rest) &&
  saysNoMore(itemsMark(rest));
const itemsMark = (rest: string): string => rest.replace(/^\s*\d+[.)]/, '');

/** `We use:`, `Used endpoints:`; somebody who answers such routes says so by another word. */
export const leadsToRequests = (said: string): boolean =>
  /\b(?:use[sd]?|calls?|called|asks?|asked|requests?|requested)\b[^.!?]*:\s*$/i.test(said) &&
  !/\b(?:offer|provid|answer|implement|handl|receiv|accept|listen|mimic|emulat|simulat|fak|route)\w*|\b(?:calls?|use[sd]?|asks?|requests?)\s+(?:it|us)\b|\bby\b/i.test(
    said,
  );

const saysNoMore = (rest: string): boolean => !isDoubtful(rest) && !isOfAnotherProgram(rest) && !saysMore.test(rest.replaceAll(code, ''));

/** `| Local | Parlo |`, `| Tool | Parlo endpoint |`: whatever others have, the last column is the service's. */
function isServices(head: string, withoutNames: (said: string) => string): boolean {
  const [, cell = ''] = /\|([^|]*)\|\s*$/.exec(head) ?? [];
  const rest = withoutNames(cell);
  return rest !== cell && /^[\s*]*(?:(?:api|rest|http|endpoints?|requests?|calls?|routes?|paths?)[\s*]*)*$/i.test(rest);
}

/** The last cells with routes, of which none says more: half of them on v2 would say that there are two versions. */
function cellsOfService(body: readonly Line[]): Row[] {
  const spoken = body.filter(({ kinds }) => kinds.size > 0);
  const cells = spoken.flatMap(({ start, end, line, rest, kinds }): Row[] => {
    const at = new RegExp(String.raw`(?<=^\s*\|.*\|)${routesAlone}`).exec(line)?.index;
    if (at === undefined || !kinds.has('route') || kinds.size > 1 || !saysNoMore(rest.replaceAll(/\/v\d+(?=\/)/g, ''))) return [];
    return [{ start: start + at, end, subjects: [], isOfService: true }];
  });
  return cells.length === spoken.length ? cells : [];
}

function settingsOf(line: string): Subject[] {
  const [, variables = ''] = variable.exec(line) ?? [];
  const [, words = ''] = flag.exec(line) ?? [];
  const [, name = words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())] = option.exec(line) ?? [];
  const names = variables.match(new RegExp(nameOfVariable, 'g')) ?? [];
  return [...names.map((each): Subject => ({ kind: 'variable', name: each })), ...(name === '' ? [] : [{ kind: 'option', name } as const])];
}

/** @returns the functions and files that a row names; none where it has code of another kind, which may be what is asked with, or answered */
function askingIn(rest: string): Subject[] {
  const found = Array.from(rest.matchAll(code), ([, said = '']): Subject | undefined => {
    if (script.test(said)) return { kind: 'file', name: said };
    const [, name] = called.exec(said) ?? [];
    return name === undefined ? undefined : { kind: 'function', name };
  });
  const known = found.filter((each) => each !== undefined);
  return known.length === found.length ? known : [];
}

/** `NAME` (default `…`), up to the address. */
const beforeDefault = /`([A-Za-z_]\w*)`\s*\((?:by\s)?default(?:s\sto|:)?\s*`?$/;

/**
 * @param said a paragraph
 * @returns the addresses in it that it calls the default of a variable or of an option, by places in it
 */
export function defaultsIn(said: string, mentions: readonly Mention[]): Row[] {
  if (isDoubtful(restOf(said, mentions))) return [];
  return mentions.flatMap(({ kind, start, end }): Row[] => {
    const [, name] = (kind === 'address' && beforeDefault.exec(said.slice(Math.max(0, start - longestName), start))) || [];
    if (name === undefined) return [];
    return [{ start, end, subjects: [{ kind: /[a-z]/.test(name) ? 'option' : 'variable', name }] }];
  });
}

/** `NAME=…`, or `NAME`, default `…`, up to the address. */
const beforeSetting =
  /(?<![\w$.-])([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)(?:\s?=\s?["']?|`(?:\sis|(?:,|:|\s*[–—-])?\s*\(?(?:optional,?\s)?(?:by\s)?default(?:s\sto|\sis|:)?)\s*`?)$/;

/**
 * @param said a paragraph
 * @returns the addresses in it that a variable is to be set to, or is by default, by places in it: data, whatever the words around it are
 */
export function settingsIn(said: string, mentions: readonly Mention[]): Row[] {
  const rest = restOf(said, mentions);
  if (isDoubtful(rest) || isOfAnotherProgram(rest)) return [];
  return mentions.flatMap(({ kind, start, end }): Row[] => {
    const [, name] = (kind === 'address' && beforeSetting.exec(said.slice(Math.max(0, start - longestName), start))) || [];
    return name === undefined ? [] : [{ start, end, subjects: [{ kind: 'variable', name }] }];
  });
}

/** In characters, with what stands behind it. */
const longestName = 100;

export function restOf(said: string, mentions: readonly Mention[]): string {
  const ends = [0, ...mentions.map((each) => each.end)];
  return ends.map((from, i) => said.slice(from, mentions[i]?.start)).join(' ');
}

/** What a row says of the service, and what beside. */
function saidIn(line: string, mentionsIn: (text: string) => readonly Mention[]): { kinds: ReadonlySet<Mention['kind']>; rest: string } {
  // Where the method has a cell of its own, the code begins behind that.
  const isOpen = ({ start, end }: Mention): boolean => line.slice(start, end).split('`').length % 2 === 0 && line[end] === '`';
  const mentions = mentionsIn(line).map((each) => (isOpen(each) ? { ...each, end: each.end + 1 } : each));
  return { kinds: new Set(mentions.map(({ kind }) => kind)), rest: restOf(line, mentions).replaceAll(/`\s*`/g, ' ') };
}
