/** Lines of tables and lists that say which routes of the service are asked for. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { TextRange } from '../../formats/text.ts';
import { isDoubtful, isOfAnotherProgram, isOfAnotherTime } from './doubts.ts';
import { code, type Row } from './subjects.ts';

/** An address or a version that is none of ours. */
export const ofOthers = /https?:|\/v\d/i;
/** Beside a route, any host, number or limit: whose the route is depends on it, or it is of v1 alone. */
export const saysMore = /\w\.[a-z]{2}|\d|\b(?:an?|per) (?:second|minute|hour|day)\b|\bends?\b/i;

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
export const isOfRequests = (each: Line): boolean =>
  isOfRequest(each) || (each.kinds.size === 0 && !/[/\\]|\w\.[a-z]{2}/i.test(each.rest) && saysNoMore(each.rest.replaceAll(arriving, ' ')));
/** What comes in of the service's itself. */
const arriving = /\b(?:inbound|incoming)(?=\s+(?:messages?|texts?|sms|e?mails?|repl(?:y|ies))\b)/gi;

/** `- `GET /v1/messages/:id` for the status` */
export const beginsWithRoutes = ({ line, rest, kinds }: Line): boolean =>
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
export function isServices(head: string, withoutNames: (said: string) => string): boolean {
  const [, cell = ''] = /\|([^|]*)\|\s*$/.exec(head) ?? [];
  const rest = withoutNames(cell);
  return rest !== cell && /^[\s*]*(?:(?:api|rest|http|endpoints?|requests?|calls?|routes?|paths?)[\s*]*)*$/i.test(rest);
}

/** `| Browser | Server calls |`, `| Own route | Upstream |`: what is asked for here, and what that asks for. */
export const isOfUpstreams = (head: string): boolean => upstreams.test(head);
const upstreams = new RegExp(
  [
    String.raw`^\s*\|[\s*]*(?:our\s|own\s)?(?:browser|client|front-?end|app|page|ours|own|local|api|bff)?\s*(?:calls?|asks?|requests?|routes?|paths?|endpoints?)?[\s*]*`,
    String.raw`\|[\s*]*(?:(?:the\s)?(?:server|back-?end|bff)\s)?(?:calls?|asks?|requests?|upstream(?:\s(?:calls?|requests?|routes?|endpoints?|paths?))?`,
    String.raw`|(?:goes|is\s(?:sent|forwarded|proxied)|forwarded|proxied|forwards?|sent)\sto)[\s*]*\|\s*$`,
  ].join(''),
  'i',
);

/**
 * @returns the last cells of such a table with what is the service's, where each row has a path of the own in front, told apart by what stands before its
 *   version, and no version of somebody else is asked
 */
export function cellsOfUpstream(body: readonly Line[]): Row[] {
  const spoken = body.filter(({ kinds }) => kinds.size > 0);
  const isOther = ({ line }: Line): boolean => /(?:https?:|\/v\d)[^|]*\|\s*$/.test(line);
  if (body.some((each) => each.kinds.size === 0 && isOther(each))) return [];
  const cells = spoken.flatMap(({ start, end, line, rest }): Row[] => {
    const [found, own = ''] = behindOwn.exec(line) ?? [];
    const isMore = found === undefined || isOfAnotherTime(rest) || isOfAnotherProgram(rest);
    return isMore ? [] : [{ start: start + own.length, end, subjects: [], isOfService: true, isUpstream: true }];
  });
  return cells.length === spoken.length ? cells : [];
}

const upstreamCell = [
  String.raw`(?:[\s,;]|and\b|then\b|\x60(?:GET|POST|PUT) /v1/[^\s\x60|]+\x60)+`,
  String.raw`\s*\x60(?:(?:GET|POST|PUT) )?https?://[^\s\x60|]+\x60(?:,\s(?:the\s)?(?:server|back-?end|bff)\s(?:adds|sends|sets)\s(?:the\s)?\x60${v1Auth.field}\x60)?\s*`,
].join('|');
const behindOwn = new RegExp(
  String.raw`^(\s*\|\s*\x60(?:(?:GET|POST|PUT|PATCH|DELETE) )?/(?!v\d)[\w-]+(?:/[^\s|\x60]+)+\x60\s*\|)(?:${upstreamCell})\|\s*$`,
  'i',
);

/** The last cells with routes, of which none says more: half of them on v2 would say that there are two versions. */
export function cellsOfService(body: readonly Line[]): Row[] {
  const spoken = body.filter(({ kinds }) => kinds.size > 0);
  const cells = spoken.flatMap(({ start, end, line, rest, kinds }): Row[] => {
    const at = new RegExp(String.raw`(?<=^\s*\|.*\|)${routesAlone}`).exec(line)?.index;
    if (at === undefined || !kinds.has('route') || kinds.size > 1 || !saysNoMore(rest.replaceAll(/\/v\d+(?=\/)/g, ''))) return [];
    return [{ start: start + at, end, subjects: [], isOfService: true }];
  });
  return cells.length === spoken.length ? cells : [];
}
/** In a head: its rows may say by which header somebody asks these, and not what they ask. */
export const answering = /\b(?:routes?|paths?|handlers?|controllers?|resolvers?|callers?|consumers?|tools?)\b/i;

/** The head of a table whose last column says what is asked for; one of keys, answers or callers says more of v1 than that. */
export const requests =
  /^(?!.*\b(?:keys?|scopes?|permissions?|roles?|status|codes?|errors?|plans?|responses?|answers?|served|by)\b).*\|[\w ]*\b(?:endpoints?|requests?|calls?|rest)\s*\|\s*$/i;

/** Whether the cells of a head in front of the last one say by what its rows are told apart, and name nobody whose they are. */
export const isOfCalls = (head: string): boolean =>
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
