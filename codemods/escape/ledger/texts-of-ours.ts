/** What a text of code says of our host, and of others. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { functionAround } from '../../evaluate/calls/callees.ts';
import { escaped } from '../../find/words/literals.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { unknownPart } from '../../evaluate/values/text.ts';
import { memoOf } from '../../once.ts';
import { optionsOf, type Part } from '../../evaluate/values/values.ts';
import { walk } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import { isLoopback, withPort } from '../../verdict/bases/hosts.ts';
import { type Bases, matchUrl } from '../../verdict/bases/routes.ts';
import { askedOfStatement, askedOnce } from '../statements.ts';
import { isOurPattern, isRoute, isSocketOfV1, plainTextIn, type Suspicious, suspicious, textIn } from './suspicious.ts';

/** A command or a message with an address of ours, that calls beside it are moved from. */
export const mentionsOurs = (node: Node, bases: Bases): boolean => {
  const text = plainTextIn(node) ?? '';
  return bases.v1.some((base) => [base, withPort(base)].some((each) => text.indexOf(`${each}/v1/`) > 0));
};

/** An example for people, or a message, with an address of ours in it: one that a template puts in, too. */
export function holdsOurs(ev: Evaluation, { node, module }: Suspicious, bases: Bases): boolean {
  const isIn = (text: string): boolean => bases.v1.some((base) => text.includes(`${base}/v1`));
  if (isIn(textIn(node))) return true;
  if (node.kind !== 'template' || !/\s/.test(textIn(node))) return false;
  const whole = ev.budget.question({ node, module }, () => ev.evaluate(node, { module, frame: undefined })).value;
  return optionsOf(whole).some((value) => value.type === 'text' && isIn(value.parts.map(partText).join('')));
}

const partText = (part: Part): string => ('unknownPart' in part ? '…' : part.text);

/** A whole address of ours, which nothing but our service has. */
export function isOurAddress(node: Node, bases: Bases): boolean {
  // One that is put together may be a message, unless it is a property of something, `{ url: `…` }`, or given to something beside the key.
  const isSocket = isSocketOfV1(textIn(node));
  const isAsked = isSocket || isBesideKey(node) || isGivenAsAddress(node);
  const isPut = node.kind === 'template' && (node.parent?.kind === 'property' || isAsked);
  // What stands right behind a segment is a query that may be empty: `…/v1/contacts${query}`.
  const text = isPut
    ? node.texts
        .map(({ value }) => value)
        .join(unknownPart)
        .replace(queryBehind, '')
    : plainTextIn(node);
  if (text === undefined) return false;
  // What ends in a slash has something put behind it: `'https://…/v1/contacts/' + id`.
  const whole = /\/v1\/.+\/$/.test(text) ? `${text}${unknownPart}` : text;
  const match = matchUrl(withScheme(whole, bases), bases, undefined, { placeholder: new RegExp(unknownPart) });
  return match.kind === 'ours' && (match.route !== undefined || /^\/v1\/?$/.test(match.path) || (isAsked && match.path.startsWith('/v1')));
}

const queryBehind = new RegExp(`(?<=/v1/[\\w/-]*\\w)${unknownPart}$`);

/** What a table of requests asks each address for: `{ url: ({ id }) => `https://…/v1/contacts/${id}` }`, or with a `return`. */
function isGivenAsAddress(node: Node): boolean {
  const fn = functionAround(node);
  const isGiven = fn !== undefined && (node.parent === fn || node.parent?.kind === 'return');
  return isGiven && fn.parent?.kind === 'property' && /^(?:url|uri|endpoint|address|href)$/i.test(fn.parent.name ?? '');
}

/** Whether a call is given both: `http(`https://…/v1${path}`, { headers: { 'x-api-key': key } })`. */
function isBesideKey(node: Node): boolean {
  const { parent } = node;
  if (parent?.kind !== 'call' || parent.callee === node) return false;
  let isSent = false;
  for (const arg of parent.args)
    if (arg.kind === 'object') walk(arg, (each) => void (isSent ||= each.kind === 'property' && isKeyHeader(each.name)));
  return isSent;
}

/** `api.example.com/v1/contacts`, as a program may keep it, or a test put it together of what it recorded; a socket is asked for by HTTP, too (RFC 6455, section 3). */
const withScheme = (text: string, { v1 }: Bases): string =>
  v1.flatMap((base) => (text.startsWith(`${new URL(base).host}/`) ? `${new URL(base).protocol}//${text}` : []))[0] ??
  text.replace(/^ws(?=s?:\/\/)/, 'http');

/**
 * An address of ours, or a path of which the same statement, or a guard before it, says that it is asked of ours: `url.host === 'api.example.com' &&
 * url.pathname === '/v1/contacts'`, `if (url.hostname !== 'api.example.com') return null; if (url.pathname === '/v1/contacts') …`.
 */
export function isAboutOurs({ node, module }: Suspicious, bases: Bases): boolean {
  if (isOurAddress(node, bases)) return true;
  if (!isRoute(node)) return false;
  const { isNamed, endOfGuard } = saidOfHosts(bases);
  const fn = functionAround(node);
  return isNamed(node, module) || (fn !== undefined && endOfGuard(fn, module) <= node.start);
}

const saidOfHosts = memoOf(({ v1 }: Bases) => {
  const hosts = v1.map((base) => URL.parse(base)?.host ?? base);
  const guards = hosts.map(leaving);
  return {
    isNamed: askedOfStatement((text) => hosts.some((host) => text.includes(host))),
    /** Where in a function the first of them ends. */
    endOfGuard: askedOnce((text, { start }) =>
      Math.min(...guards.map((guard) => guard.exec(text) ?? none).map(({ index, 0: { length } }) => start + index + length)),
    ),
  };
});
const none = { index: Infinity, 0: '' };

/** `if (url.hostname !== 'api.example.com') return null;` */
const leaving = (host: string): RegExp => new RegExp(String.raw`!==?\s*(['"\x60])${escaped(host)}\1\s*\)\s*\{?\s*(?:return|throw)\b`);

/** Whether a file that calls nothing holds an address of ours, or a pattern of it, as what watches requests has it. */
export const speaksOfOurs = (module: SourceModule, bases: Bases): boolean =>
  suspicious(module).some(({ node }) => isOurAddress(node, bases) || isOurPattern(node, bases));

export const isForeignAddress = (node: Node, bases: Bases): boolean => foreignAddress(node, bases) !== undefined;

function foreignAddress(node: Node, bases: Bases): string | undefined {
  const text = plainTextIn(node)?.replace(methodBefore, '');
  return text !== undefined && matchUrl(text, bases).kind === 'foreign' ? text : undefined;
}

/** `'POST https://api.example.com/v1/contacts'`, as tables of answers have it. */
const methodBefore = /^[A-Z]+:? (?=https?:)/;

/** What stands on the machine itself may well stand in for the service, where its version stands at the same place. */
export function isOfOtherService(node: Node, bases: Bases): boolean {
  const url = URL.parse(foreignAddress(node, bases) ?? '');
  // Without a base, nothing says whose it is.
  if (url === null || (bases.v1.length === 0 && bases.env.size === 0)) return false;
  return (
    !isLoopback(url.host) || !bases.v1.some((base) => `${url.pathname}/`.startsWith(`${new URL(base).pathname.replace(/\/$/, '')}/v1/`))
  );
}

/** A line of a request that is put together to be written on a connection, where its file names our host: `['GET /v1/contacts HTTP/1.1', …].join('\\r\\n')`. */
export function isWrittenRequest({ node, module }: Suspicious, bases: Bases): boolean {
  const isLine = node.parent?.kind === 'array' || node.parent?.kind === 'concat' || /\r?\n/.test(textIn(node));
  return isLine && requestLine.test(textIn(node)) && namesHost(bases)(module);
}

const namesHost = memoOf(({ v1 }: Bases) => memoOf(({ text }: SourceModule) => v1.some((base) => text.includes(new URL(base).host))));

/** RFC 9112, section 3. */
const requestLine = /^[A-Z]+ \/\S+ HTTP\/1\.[01]/;
