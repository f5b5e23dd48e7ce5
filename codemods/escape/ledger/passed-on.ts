/**
 * Where a document says that what the program itself is asked for goes on to the service: ``Everything below `/bff/messaging` is passed through to `https://…` with our key
 * (`x-api-key`). So `/bff/messaging/contacts` is `GET /v1/contacts` there.``
 */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { TextRange } from '../../formats/text.ts';
import { isOfAnotherProgram, isOfAnotherTime } from './doubts.ts';
import { type Mentioned, restOf, type Subject } from './subjects.ts';

interface PassedOn extends TextRange {
  readonly subjects: readonly Subject[];
  readonly isAlone: true;
  readonly hasOwnHeader?: true;
  readonly isNamed?: true;
}

/** A path of the program without a version: with one, it may be the very path that is passed on. */
const own = String.raw`\x60(?:[A-Z]+\s)?/(?![^\x60]*\bv\d)[^\x60\s]*\x60`;
const passed = String.raw`(?:(?:is|are|gets?)\s(?:all\s|then\s)?(?:proxied|forwarded|relayed|passed\s(?:through|on))|(?:proxies|forwards|relays)(?:\s(?:it|them|requests|calls|everything))?|passes(?:\s(?:it|them|requests|calls|everything))?\s(?:on|through))\s+to\s+`;
/** Up to the address, in one sentence. */
const before = new RegExp(String.raw`${own}(?:[^.!?]|[.!?](?!\s))*\b${passed}[\x60<]?$`);
/** With what it is passed on, up to the end of the header. */
const withKey = new RegExp(
  String.raw`^[\x60>]?\s+with\s(?:our|the|its|a)\s(?:API\s)?key\s(?:\(|in\s(?:the\s)?)\x60${v1Auth.field}\x60`,
  'i',
);
/** Up to a route, which is said to be what is asked there. */
const beforeRoute = new RegExp(String.raw`${own}\s+(?:is|becomes|asks|calls)\s+\x60?$`);
const there = /^[`\s]*\b(?:there|upstream)\b/;
/** In characters. */
const nearby = 400;
/** What passes on in front of a program, of which nobody sees here what it does. */
const inFront = /\b(?:nginx|apache|traefik|caddy|haproxy|kong|cloudflare|gateways?|cdn|ingress|load[ -]balancers?)\b/i;

/**
 * @param said a paragraph
 * @param mentions what it says of the service
 * @returns all of it that is passed on to, or none where anything else of the service is named
 */
export function passedOnIn(said: string, mentions: readonly Mentioned[]): PassedOn[] {
  const rest = restOf(said, mentions);
  if (isOfAnotherTime(rest) || isOfAnotherProgram(rest) || inFront.test(rest)) return [];
  const found = mentions.map(({ kind, start, end }): PassedOn | undefined => {
    const [leading, behind] = [said.slice(Math.max(0, start - nearby), start), said.slice(end, end + nearby)];
    if (kind === 'address' && before.test(leading)) {
      const [key = ''] = withKey.exec(behind) ?? [];
      return { start, end: end + key.length, subjects: [], isAlone: true, ...(key !== '' && { hasOwnHeader: true as const }) };
    }
    const isThere = kind === 'route' && beforeRoute.test(leading) && there.test(behind);
    return isThere ? { start, end, subjects: [], isAlone: true, isNamed: true } : undefined;
  });
  const isWhole = mentions.every(({ kind }, i) => kind === 'header' || found[i] !== undefined);
  const known = found.filter((each) => each !== undefined);
  return isWhole && known.some(({ isNamed }) => isNamed === undefined) ? known : [];
}
