/**
 * A key that code adds where a request goes to another host: `if (config.url.startsWith('https://shop.example.net')) config.headers['x-api-key'] = shopKey`.
 * Where v2 has another host than v1, that is also the host of v1: calls that have moved would get no key.
 */
import { wayTo } from '../../../clients/servers/guards.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import type { Caller } from '../../../evaluate/calls/callers.ts';
import { callsOf } from '../../../evaluate/calls/all-callers.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import type { SourceText } from '../../../evaluate/values/source-text.ts';
import { flat, isAbsolute } from '../../../evaluate/values/text.ts';
import { optionsOf, partsOf, type Value } from '../../../evaluate/values/values.ts';
import { headersOf } from '../../../evaluate/writes/writes.ts';
import { memo, once } from '../../../once.ts';
import { functionsAround } from '../../../requests/left-to-default.ts';
import { isWithin, nodesOfKind, walk } from '../../../syntax/link.ts';
import { regExpOf } from '../../../syntax/regular-expressions.ts';
import type { CallNode, Expression, FunctionNode, Node } from '../../../syntax/tree.ts';
import { keyOf } from '../../../verdict/changes/groups.ts';
import { isLocal } from '../../../verdict/bases/hosts.ts';
import type { ChangesByPlace } from '../../../verdict/changes/changes-by-place.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import { type Bases, matchUrl } from '../../../verdict/bases/routes.ts';
import type { Change } from '../../../verdict/changes/spans.ts';
import type { Escape } from '../../escapes.ts';
import { hookedIn } from '../../flow/functions/hooks.ts';
import { headerPlacesOf, isTested, sentIn, type Test, testsOf } from '../../paths/header-places.ts';
import { followerOf } from '../../paths/text-follower.ts';

export function hostDecisionsOf(ev: Evaluation, sites: readonly RequestSite[], changes: ChangesByPlace, bases: Bases): Escape[] {
  const real = sites.filter(({ verdict, request, changes: [first] }) => verdict.kind === 'ours' && !request.isMock && first !== undefined);
  const isOwn = memo(ownHeadersOf(ev, real));
  const places = headerPlacesOf(ev, real).filter((each) => !isTest(each.module) && isTested(each) && !isOwn(each.change));
  if (places.length === 0) return [];
  const tests = once(() =>
    Map.groupBy(
      places.flatMap((place) => testsOf(ev, place)),
      ({ test }) => test,
    ),
  );
  const asked = [...ev.world.modules.values()]
    .flatMap((module) => (isTest(module) ? [] : hostsAskedFor(ev, module, bases)))
    .filter(({ node, module, isOurs }) => !isOurs || !isMoved(evaluated(ev, node, module), changes));
  const follow = followerOf(ev, () => false);
  return asked.flatMap(({ node, module, host, isOurs }) =>
    follow({ node, module }).places.flatMap((place): Escape[] => {
      // Where it is read of what asks whether it is another, it is turned.
      const isTurned = place.node !== node && isNegative(questionAt(node), module);
      return around(place.node)
        .flatMap((test) => tests().get(test) ?? [])
        .filter((test) => isOfKey(test) || isReachedBy(place, test.node, isTurned))
        .map(({ change }) => ({ change, node, module, name: '', code: isOurs ? 'decides-by-path' : 'shared-with-other-host', host }));
    }),
  );
}

/** Whether all that an address may be is edited where it is written: what is held against it then is held against that of v2. */
const isMoved = (value: Value, changes: ChangesByPlace): boolean =>
  optionsOf(value).every((each) => {
    const [first] = each.type === 'text' ? each.parts : [];
    const source = first !== undefined && 'text' in first ? first.source : undefined;
    return source !== undefined && changes.at(source.module, source.node.start, source.node.end).length > 0;
  });

/**
 * Whether a header goes nowhere but where its request itself says, whatever hosts are asked about: those of callers, as by a list of allowed origins. The
 * call has to give it, as a hook sees the requests of others.
 */
function ownHeadersOf(ev: Evaluation, real: readonly RequestSite[]): (change: Change) => boolean {
  const senders = Map.groupBy(
    real.flatMap((site) => site.changes.map((change) => ({ site, key: keyOf(change) }))),
    ({ key }) => key,
  );
  const hooked = hookedIn(ev);
  const outside = new Map<Node, boolean>();
  const isOutsideOfHooks = (node: Node, module: SourceModule): boolean =>
    [...functionsAround(node)].every((fn) => isCalledOutside(fn, module));
  const isCalledOutside = (fn: FunctionNode, module: SourceModule): boolean => {
    const known = outside.get(fn);
    // Who calls each other in a circle is called by the others.
    if (known === undefined) outside.set(fn, true);
    const is = known ?? (hooked(fn, module).length === 0 && callsOf(ev, fn).every((call) => isOutsideOfHooks(call.node, call.module)));
    outside.set(fn, is);
    return is;
  };
  const isOwn = (entry: Node, module: SourceModule): boolean => !isPutIntoGiven(entry, module) && isOutsideOfHooks(entry, module);
  return (change) =>
    (senders.get(keyOf(change)) ?? []).every(({ site: { request, keys } }) => {
      if (!isScript(request.module)) return true;
      if (request.callers.some((caller) => keys.every(({ node, module }) => isGivenBy(ev, caller, node, module)))) return true;
      const asked = optionsOf(evaluated(ev, request.call, request.module));
      const given = new Set(asked.flatMap((each) => (each.type === 'http' ? each.headers.flatMap(entryNodesIn) : [])));
      return asked.every(isToKnownHost) && keys.every((key) => given.has(key.node) && isScript(key.module) && isOwn(key.node, key.module));
    });
}

/** `request.headers.set('x-api-key', key)`, where the request is what a function is given. */
function isPutIntoGiven(entry: Node, { scopes }: SourceModule): boolean {
  let at = entry.kind === 'assign' ? entry.target : entry;
  while (at.kind === 'call' || at.kind === 'member') at = at.kind === 'call' ? at.callee : at.object;
  return at.kind === 'name' && scopes.bindingOf(at)?.owner.kind === 'param';
}

/** `request('https://api.example.com/v1/messages', { headers: { 'x-api-key': key } })`: a wrapper is given both, in one call. */
const isGivenBy = (ev: Evaluation, { node: call, module }: Caller, entry: Node, of: SourceText): boolean =>
  of === module &&
  isWithin(call, entry) &&
  call.args.some((arg) => arg.kind !== 'spread' && optionsOf(evaluated(ev, arg, module)).every((each) => isAbsolute(flat(partsOf(each)))));

const entryNodesIn = (headers: Value): Node[] =>
  optionsOf(headers).flatMap((each) => headersOf(each)?.entries.map(({ node }) => node) ?? []);

/** Whether no caller chooses the host: it stands in the address, or in the base of a path. */
const isToKnownHost = (value: Value): boolean =>
  value.type === 'http' &&
  value.url !== undefined &&
  optionsOf(value.url).every((url) => {
    const text = flat(partsOf(url));
    return (
      isAbsolute(text) ||
      (text.startsWith('/') && !text.startsWith('//') && optionsOf(value.base ?? url).every((base) => isAbsolute(flat(partsOf(base)))))
    );
  });

/** Whether it chooses between keys, of which each goes out in the same header. */
const isOfKey = ({ test, node }: Test): boolean => {
  const value = sentIn(node);
  return value !== undefined && isWithin(value, test);
};

function around(node: Node): Node[] {
  const found: Node[] = [];
  for (let at: Node | undefined = node; at !== undefined; at = at.parent) found.push(at);
  return found;
}

/** A program that asks whether it is the one that was started does so by its file: `process.argv[1].endsWith('export-contacts.mjs')`. */
const bareHost = /^(?:[a-z\d-]+\.)+(?![cm]?[jt]sx?$)[a-z]{2,}$/i;

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const domains = new Set(
  'com net org edu gov mil info biz name pro dev app cloud tech online site store shop xyz test example invalid localhost local internal lan corp home'.split(
    ' ',
  ),
);

/** Whether a text with dots ends as the names of hosts end, and not as those of events, jobs and settings do: `message.received`, `sms.send`. */
function isNameOfHost(text: string): boolean {
  const end = text.slice(text.lastIndexOf('.') + 1).toLowerCase();
  return domains.has(end) || (end.length === 2 && countries.of(end.toUpperCase()) !== undefined);
}

/** Whether the question that a text is held in names what has a host. */
function speaksOfHosts(node: Node, { text, scopes }: SourceModule): boolean {
  // Of a choice by cases, what is chosen by.
  const choice = node.parent?.kind === 'other' ? node.parent.parent : undefined;
  const asked = choice?.kind === 'block' ? (choice.body[0] ?? node) : questionAt(node);
  const said = isWithin(asked, node)
    ? [text.slice(asked.start, node.start), text.slice(node.end, asked.end)]
    : [text.slice(asked.start, asked.end)];
  walk(asked, (each) => {
    const owner = each.kind === 'name' ? scopes.bindingOf(each)?.owner : undefined;
    if (owner?.kind === 'variable' && owner.init !== undefined) said.push(text.slice(owner.init.start, owner.init.end));
  });
  return /ur[li]|host|origin|domain|href|address|endpoint|authority|server/i.test(said.join(' '));
}

interface Asked {
  readonly node: Node;
  readonly module: SourceModule;
  readonly host: string;
  /** Whether it is the host of v1, and v2 has another. */
  readonly isOurs: boolean;
}

/** Hosts and addresses of somebody else that a value is held against, or what they are read by: whatever it is called, it may be a URL or a part of it. */
function hostsAskedFor(ev: Evaluation, module: SourceModule, bases: Bases): Asked[] {
  const { program } = module.tree;
  const strings = nodesOfKind(program, 'string').flatMap((node) => (isHeldAgainst(node) ? { node, texts: [node.value] } : []));
  const read = [...nodesOfKind(program, 'name'), ...nodesOfKind(program, 'member'), ...nodesOfKind(program, 'template')].flatMap((node) =>
    isHeldAgainst(node) ? { node, texts: textsOf(evaluated(ev, node, module)) } : [],
  );
  const lists = module.calls.flatMap((call) => {
    const list = listAskedBy(call);
    return list === undefined ? [] : { node: list, texts: textsIn(ev, list, module) };
  });
  const made = module.calls.flatMap((node) => {
    const [source] = node.callee.kind === 'name' && node.callee.name === 'RegExp' ? node.args : [];
    return source?.kind === 'string' ? { node, pattern: `/${source.value}/` } : [];
  });
  const literals = nodesOfKind(program, 'literal').map((node) => ({ node, pattern: module.text.slice(node.start, node.end) }));
  const patterns = [...literals, ...made].flatMap(({ node, pattern }) => {
    const host = hostOfPattern(pattern, bases);
    return host === undefined ? [] : { node, module, ...host };
  });
  const named = [...strings, ...read, ...lists].flatMap(({ node, texts }) => {
    const asked = texts.filter((text) => !bareHost.test(text) || isNameOfHost(text) || speaksOfHosts(node, module));
    const host = asked.flatMap((text) => (isHeldInPart(node) ? partLeft(text, bases) : hostLeft(text, bases)) ?? []).at(0);
    return host === undefined ? [] : { node, module, ...host };
  });
  return [...named, ...patterns];
}

/** `host.endsWith('.example.com')`, `url.includes('example.com')` */
const isHeldInPart = ({ parent }: Node): boolean =>
  parent?.kind === 'call' && parent.callee.kind === 'member' && /^(?:endsWith|includes|indexOf)$/.test(parent.callee.property ?? '');

/** The domain of our host lets it through, whoever else it does. */
function partLeft(text: string, bases: Bases): Pick<Asked, 'host' | 'isOurs'> | undefined {
  const domain = `.${text.toLowerCase().replace(/^\./, '')}`;
  const ours = bases.v1.map((base) => new URL(base).host).find((host) => `.${host}`.endsWith(domain));
  if (ours === undefined) return hostLeft(text, bases);
  return bases.v2 === undefined || `.${new URL(bases.v2).host}`.endsWith(domain) ? undefined : { host: ours, isOurs: true };
}

/** `/^https:\/\/(?:api|shop)\.example\.com/`: what takes our addresses of v1 and not those of v2, or has a host that is none of ours. */
function hostOfPattern(literal: string, bases: Bases): Pick<Asked, 'host' | 'isOurs'> | undefined {
  const [, source = '', flags] = /^\/(.+)\/([a-z]*)$/s.exec(literal) ?? [];
  const [written] = /(?:[a-z\d-]+\.)+[a-z]{2,}/i.exec(source.replaceAll('\\.', '.')) ?? [];
  const pattern = written === undefined ? undefined : regExpOf(source, flags);
  if (written === undefined || pattern === undefined) return undefined;
  const takes = (base: string): boolean => [`${base}/v1/contacts`, new URL(base).host].some((text) => pattern.test(text));
  const ours = bases.v1.find(takes);
  if (ours === undefined) return hostLeft(written, bases);
  return bases.v2 === undefined || takes(bases.v2) ? undefined : { host: new URL(ours).host, isOurs: true };
}

/** The host that a text is, or is an address of, where calls that have moved do not ask it. */
function hostLeft(text: string, bases: Bases): Pick<Asked, 'host' | 'isOurs'> | undefined {
  const isBare = bareHost.test(text);
  if (!isBare && !/^https?:\/\/[\w.:-]+(?:[/?#]|$)/.test(text)) return undefined;
  const address = isBare ? `https://${text}/` : text;
  const host = URL.parse(address)?.host;
  if (host === undefined) return undefined;
  if (bases.v2 !== undefined && new URL(bases.v2).host !== host && bases.v1.some((base) => new URL(base).host === host))
    return { host, isOurs: true };
  return matchUrl(address, bases).kind === 'foreign' && !isLocal(host) ? { host, isOurs: false } : undefined;
}

const evaluated = (ev: Evaluation, node: Node, module: SourceModule): Value =>
  ev.budget.question({ node, module }, () => ev.evaluate(node, { module, frame: undefined })).value;

const textsOf = (value: Value): string[] => optionsOf(value).flatMap((each) => (each.type === 'text' ? flat(each.parts) : []));

/** `hosts.has(new URL(url).hostname)`, `['shop.example.net'].includes(host)` */
const listAskedBy = ({ callee, args: [first] }: CallNode): Expression | undefined =>
  callee.kind === 'member' && /^(?:has|includes|indexOf)$/.test(callee.property ?? '') && first !== undefined ? callee.object : undefined;

function textsIn(ev: Evaluation, list: Expression, module: SourceModule): string[] {
  const owner = list.kind === 'name' ? module.scopes.bindingOf(list)?.owner : undefined;
  const made = owner?.kind === 'variable' && owner.init !== undefined ? owner.init : list;
  const [given] = made.kind === 'call' && made.isNew ? made.args : [];
  const value = evaluated(ev, given === undefined || given.kind === 'spread' ? list : given, module);
  return optionsOf(value).flatMap((each) => (each.type === 'list' ? each.items.flatMap(textsOf) : []));
}

/** Nothing that a request has: `SHOP_URL !== ''`, `url === undefined`. */
const isWrittenOut = (node: Node): boolean =>
  node.kind === 'string' || node.kind === 'literal' || (node.kind === 'name' && node.name === 'undefined');

/** `config.url.startsWith(…)`, `new URL(url).hostname === …`, `case …:`. */
function isHeldAgainst(node: Node): boolean {
  const { parent } = node;
  if (parent?.kind === 'binary')
    return /^[=!]==?$/.test(parent.operator) && !isWrittenOut(parent.left === node ? parent.right : parent.left);
  if (parent?.kind === 'other') return parent.what === 'CaseClause';
  return (
    parent?.kind === 'call' &&
    parent.callee !== node &&
    parent.callee.kind === 'member' &&
    /^(?:startsWith|includes|endsWith|indexOf)$/.test(parent.callee.property ?? '')
  );
}

/** The whole of what is asked about it. */
function questionAt(node: Node): Node {
  let at = node;
  while (at.parent !== undefined && (at.parent.kind === 'call' || at.parent.kind === 'member' || at.parent.kind === 'binary'))
    at = at.parent;
  return at;
}

/** `!==`, `!isShop(url)`, `url.indexOf(shop) === -1` */
function isNegative(question: Node, { text }: SourceModule): boolean {
  const isNot = question.parent?.kind === 'unary' && question.parent.operator === '!';
  if (question.kind !== 'binary') return isNot;
  const isMissing = text.slice(question.right.start, question.right.end) === '-1';
  return isNot !== (question.operator === '<' || question.operator.startsWith(isMissing ? '=' : '!'));
}

/** @param isTurned whether it holds where the host is not the other's */
function isReachedBy(
  { node: asked, module }: { readonly node: Node; readonly module: SourceModule },
  node: Node,
  isTurned: boolean,
): boolean {
  const { parent } = asked;
  if (parent?.kind === 'other' && parent.what === 'CaseClause') return isWithin(parent, node);
  const question = questionAt(asked);
  const way = wayTo(question, node);
  return way !== undefined && (way === 'where it holds') === (isNegative(question, module) === isTurned);
}
