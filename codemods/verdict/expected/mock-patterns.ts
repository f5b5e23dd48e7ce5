/** What tests write in the place of a whole address: regular expressions, paths behind any host, and headers alone. */
import { publicVariables } from '../../clients/settings/page-variables.ts';
import { replacesSettings } from '../../clients/testing/replaced-settings.ts';
import { flat } from '../../evaluate/values/text.ts';
import { isScript } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { Request } from '../../requests/requests.ts';
import { memoOf } from '../../once.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { Reach } from './reached.ts';
import { answersRequests } from '../../clients/servers/frameworks.ts';
import { isOfBrowser, runsByItself } from '../../clients/testing/stand-in-servers.ts';
import { type RequestSite, siteOf } from '../request-sites.ts';
import type { Bases } from '../bases/routes.ts';
import type { Range } from '../verdict.ts';

/** Whether a text that is expected begins with the version, whatever host stands before it. */
export const isOfAnyHost = ({ url }: Request, { start }: Range): boolean => /^\*{0,2}\/?$/.test(flat(url ?? []).slice(0, start));

/** What a test of a browser answers at any host: nobody there imports what the page runs, so that calls which are seen are not all that it may be about. */
export function asOfPage(site: RequestSite): RequestSite {
  const { request, verdict, follows } = site;
  if (!request.isMock || verdict.kind !== 'ours' || follows === undefined || verdict.endpoint === undefined) return site;
  const isOpen = /^\*{0,2}\/v1(?=\/)/.test(flat(request.url ?? [])) && isOfBrowser(request.module.file, request.module.text);
  if (!isOpen) return site;
  const { follows: _seen, ...alone } = site;
  return { ...alone, isOfAnyHost: true };
}

const ofPages = /^(?:intercept|(?:un)?route|waitForRe(?:quest|sponse))$/;

/**
 * Whether what is expected stands in a call that watches what a page asks: `cy.intercept(…)`, `cy.wait('@messages').its(…)`, `page.route(url, (route) => …)`. What the test
 * asks itself is another matter, and may be expected in the same file.
 */
export function isOfPage({ isMock, call, module }: Request): boolean {
  if (!isMock || !isOfBrowser(module.file, module.text)) return false;
  for (let node: Node | undefined = call; node !== undefined; node = node.parent)
    if (node.kind === 'call' && watchesPage(node)) return true;
  return false;
}

const isAlias = (node: Node | undefined): boolean => node?.kind === 'string' && node.value.startsWith('@');

function watchesPage(outer: CallNode): boolean {
  let at: Node = outer;
  while (at.kind === 'call' || at.kind === 'member') {
    const call: CallNode | undefined = at.kind === 'call' ? at : undefined;
    const member: Node = at.kind === 'call' ? at.callee : at;
    if (member.kind !== 'member') return false;
    if (call !== undefined && (ofPages.test(member.property ?? '') || isAlias(call.args[0]))) return true;
    at = member.object;
  }
  return false;
}

/** Whether a page may make a request: what a test or a load test asks itself is sent past the page, and a key out of a server's variable comes to none. */
export function mayBeAskedByPage({ request: { module }, keys }: RequestSite): boolean {
  if (!isScript(module) || isTest(module) || isOfBrowser(module.file, module.text) || runsByItself(module.text)) return false;
  return !isPartOfServer(module) || !keys.some(({ value }) => optionsOf(value()).some(isOfServer));
}

const isOfServer = (value: Value): boolean =>
  value.type === 'env' && !publicVariables.test(value.name) && /\bprocess\.env\b/.test(value.module.text);

/** By its folder, or by what it imports. */
const isPartOfServer = memoOf(
  ({ file, text }: SourceText): boolean =>
    /(?:^|\/)(?:servers?|backend|functions|workers?|lambdas?|jobs|cron|scripts?|tools?|bin)[./]/i.test(file) ||
    /['"]node:/.test(text) ||
    answersRequests.test(text),
);

/** The regular expression that an address ends with, without what escapes in it. */
function patternIn({ url }: Request): string | undefined {
  const part = url?.at(-1);
  const node = part !== undefined && 'unknownPart' in part && part.unknownPart.type === 'unknown' ? part.unknownPart.node : undefined;
  return node?.kind === 'literal' && typeof node.value === 'object' ? node.value?.pattern.replaceAll('\\', '') : undefined;
}

/** `nock(host).get(/\/messages\/\d+$/)`: whatever the version is, which neither the pattern nor the base before it has. */
export function fitsBoth(request: Request): boolean {
  const pattern = patternIn(request);
  return pattern !== undefined && !/^\^|\bv(?:\d|d|[[(])/.test(pattern) && !/\/v\d/.test(flat(request.url ?? []));
}

/** A regular expression with our version in it, where our requests can be seen or it names our host: only a person can rewrite it. */
export function isPatternOfOurs(request: Request, isOursSeen: boolean, { v1 }: Bases): boolean {
  const pattern = request.url?.length === 1 ? patternIn(request) : undefined;
  if (pattern === undefined || !/\bv1\b/.test(pattern)) return false;
  return isOursSeen || v1.some((base) => pattern.includes(new URL(base).host));
}

/**
 * `/example\.com\/v1\/contacts/`, where ours is `api.example.com`: such a pattern says how a host ends, and fits others below it as well. It is about whoever is seen
 * to ask there.
 */
export function ofHostsBelow(site: RequestSite, bases: Bases): RequestSite {
  const { request, verdict } = site;
  const [scheme, ...rest] = request.url ?? [];
  if (verdict.kind !== 'foreign' || request.expects !== 'part' || scheme === undefined || !('text' in scheme)) return site;
  if (scheme.source !== undefined || scheme.text !== 'https://') return site;
  const [host] = flat(rest).split('/', 1);
  const isAbove = bases.v1.some((base) => host !== undefined && host.includes('.') && new URL(base).host.endsWith(`.${host}`));
  const unproven = { kind: 'unproven', route: undefined, env: undefined } as const;
  return isAbove ? siteOf({ ...request, url: [{ text: '*' }, ...rest] }, unproven, bases, undefined) : site;
}

/** Whether a header alone is expected by a test that runs code of the program, and none that sends it: it is of what that code asks. */
export function isOfOthers({ url, module }: Request, sending: readonly { readonly request: Request }[], reach: Reach): boolean {
  const run = url === undefined && isTest(module) ? reach.byFile(module) : undefined;
  return run !== undefined && run.size > 1 && !sending.some(({ request }) => run.has(request.module));
}

/** Whether the version stands in the base of a call that ends in it; of one of which nothing is known, only where a test mocks settings with that name. */
export function isVersionElsewhere(mocked: string | undefined, { verdict, request: { url = [] } }: RequestSite): boolean {
  if (verdict.kind === 'ours') return verdict.version === undefined;
  if (mocked === undefined || verdict.kind !== 'unproven' || verdict.route === undefined || /\/v1(?:[/?#]|$)/.test(flat(url))) return false;
  const [base] = url;
  const read = base !== undefined && 'unknownPart' in base ? base.unknownPart : undefined;
  return (read?.type === 'env' && read.name === mocked) || (read !== undefined && 'node' in read && nameAround(read.node) === mocked);
}

/** What an address is called among the settings that a test mocks. */
export function mockedAs({ call, url }: Request): string | undefined {
  const [text] = url ?? [];
  const isSetting = call.kind === 'call' && call.callee.kind === 'member' && replacesSettings(call.callee.property ?? '', call);
  return isSetting && text !== undefined && 'text' in text ? nameAround(text.source?.node) : undefined;
}

/** What something is called where it is made: `{ API_URL: '…' }`, `const API_URL = process.env.URL`. */
function nameAround(node: Node | undefined): string | undefined {
  const around = node?.parent;
  if (around?.kind === 'property') return around.name;
  return around?.kind === 'variable' && around.target.kind === 'patternName' ? around.target.name : undefined;
}

/** Calls of which nothing is known say nothing of a base alone, and no more than that of one that others of ours have, too. */
export const explaining = ({ request: { url } }: RequestSite, about: readonly RequestSite[]): readonly RequestSite[] =>
  /\/v1\/?$/.test(flat(url ?? [])) && about.every(({ verdict }) => verdict.kind === 'unproven') ? [] : about;
