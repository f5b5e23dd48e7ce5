/**
 * Proxies of development servers, which pass on what a page asks of its own server: Vite's `server.proxy`, webpack's
 * `devServer.proxy`, Angular's `proxy.conf`, http-proxy-middleware, `rewrites()` of Next.js, route rules of Nuxt.
 */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { headersSetBy } from '../callbacks.ts';
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { flat, isRest, replaced, sliceParts, concatenated } from '../../evaluate/values/text.ts';
import {
  choiceOf,
  type FunctionValue,
  type HttpValue,
  optionsOf,
  partsOf,
  plainText,
  unknown,
  type Value,
} from '../../evaluate/values/values.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { walk } from '../../syntax/link.ts';
import type { Node, PropertyNode } from '../../syntax/tree.ts';
import { authorizedBy } from '../shapes.ts';
import { isSet } from '../signing.ts';
import { passingOn } from './passed-paths.ts';

const name = 'proxy';
/** As Angular's documentation calls it. */
const proxyFile = /(?:^|\/)proxy(?:[.-]\w+)*\.(?:json|[cm]?[jt]s)$/;

interface Place extends At {
  readonly node: Node;
  readonly ev: Evaluation;
  /** Whether the server around takes off the path that leads to the proxy, before the proxy looks at it. */
  readonly isMounted?: boolean;
}

const textOf = (value: Value | undefined): string | undefined => (value === undefined ? undefined : flat(partsOf(value)));
const isText = (value: Value): boolean => value.type === 'text';
const get = ({ ev, node, ...at }: Place, value: Value, key: string): Value => ev.member(value, key, node, at);

/** @param path on the own server, if it is known; what it is passed on to is `to`, in whose place it stands if it is cut off */
export function mounted(
  { node, module }: Pick<Place, 'node' | 'module'>,
  to: Value,
  path: Value | undefined,
  isCut: boolean,
  headers: readonly Value[],
): HttpValue {
  return {
    type: 'http',
    client: name,
    stage: 'request',
    node,
    module,
    origins: [],
    url: to,
    headers,
    proxy: { isCut, ...(path === undefined ? {} : { mount: path }) },
  };
}

const isAddress: ReadonlySet<Value['type']> = new Set(['text', 'env', 'param']);
const isUnknown: ReadonlySet<Value['type']> = new Set(['method', 'external', 'unknown']);
const holdsKey = (headers: Value): boolean => headers.type === 'object' && headers.entries.some(({ name }) => isKeyHeader(name));

/** One proxy: an address, or an object with `target`. */
function proxied(place: Place, path: Value | undefined, settings: Value): HttpValue[] {
  if (isText(settings)) return [mounted(place, joined(settings, path), path, false, [])];
  if (settings.type !== 'object') return [];
  const given = optionsOf(get(place, settings, 'target'));
  const headers = headersOf(place, settings);
  // What is a parameter here, its callers say.
  const targets = given.filter(({ type }) => isAddress.has(type));
  const passedTo = (target: Value, mount: Value | undefined): HttpValue => {
    const rewritten = rewrittenPath(place, settings, path);
    const to = rewritten === undefined ? joined(target, path) : joined(target, rewritten);
    return mounted(place, to, mount, rewritten !== undefined, headers);
  };
  const others = targets.length === 0 ? [] : besideTarget(place, settings);
  // A key that is sent to whom nobody knows is told; what a page asks through there is somebody's own.
  const open = headers.some(holdsKey) ? given.filter(({ type }) => isUnknown.has(type)) : [];
  return [...targets.map((target) => passedTo(target, path)), ...[...open, ...others].map((target) => passedTo(target, undefined))];
}

/** Who gets the same as the target or in its place, as http-proxy-middleware has it: `router: { 'eu.example.com': 'https://…' }`, `forward: 'https://…'`. */
function besideTarget(place: Place, settings: Value): Value[] {
  const { ev, node, ...at } = place;
  const given = ['router', 'forward'].flatMap((key) => optionsOf(get(place, settings, key)));
  const hosts = given.flatMap((each) => {
    if (each.type === 'object') return [...each.entries.flatMap(({ value }) => optionsOf(value())), ...each.unknown];
    return each.type === 'function' ? optionsOf(ev.apply(each, [unknown(node, at.module)], callOf(node), at)) : [each];
  });
  return hosts.filter(isSet).map((host) => (hasOpenVariable(host) ? unknown(node, at.module) : host));
}

/** A variable there has no default in the target's host, whatever that is. */
const hasOpenVariable = (value: Value): boolean =>
  partsOf(value).some((part) => 'unknownPart' in part && part.unknownPart.type === 'env' && part.unknownPart.otherwise === undefined);

/** The target's own path stays before what is asked. */
function joined(target: Value, path: Value | undefined): Value {
  if (path === undefined) return target;
  const slashes = /\/+$/.exec(textOf(target) ?? '')?.[0].length ?? 0;
  const parts = partsOf(target);
  const head: Value = { type: 'text', parts: sliceParts(parts, 0, flat(parts).length - slashes) };
  return concatenated([head, path]);
}

/** What `rewrite: (path) => …` or `pathRewrite: { '^/api': '' }` makes of the path; undefined where it stays. */
function rewrittenPath(place: Place, settings: Value, path: Value | undefined): Value | undefined {
  const { ev, node, ...at } = place;
  for (const key of ['rewrite', 'pathRewrite']) {
    const how = get(place, settings, key);
    if (how.type === 'function')
      return beforeRest(place, how) ?? (path && ev.apply(how, [path, unknown(node, at.module)], callOf(node), at));
    if (how.type === 'object') return rewrittenBy(how, path, place);
  }
  return undefined;
}

/** What `(path) => `/v1${path}`` puts before the rest of the path, which is all that it gets below a server's own path; undefined where it makes anything else of it. */
function beforeRest({ ev, node, isMounted, ...at }: Place, how: FunctionValue): Value | undefined {
  if (isMounted !== true) return undefined;
  const parts = partsOf(ev.apply(how, [unknown(node, at.module, 'rest'), unknown(node, at.module)], callOf(node), at));
  const before = parts.slice(0, -1);
  const isPrefix = parts.slice(-1).some(isRest) && before.length > 0 && before.every((part) => 'text' in part);
  return isPrefix ? { type: 'text', parts: before } : undefined;
}

const callOf = (node: Node) =>
  ({
    kind: 'call',
    callee: { kind: 'name', name: '', start: node.start, end: node.start },
    args: [],
    isNew: false,
    start: node.start,
    end: node.end,
  }) as const;

function rewrittenBy(table: Extract<Value, { type: 'object' }>, path: Value | undefined, { isMounted }: Place): Value | undefined {
  for (const { name: pattern, value } of table.entries) {
    if (pattern === '^/' && isMounted === true) return withoutSlash(value());
    const begins = /^\^?((?:\/[\w.-]+)+)\/?$/.exec(pattern ?? '')?.[1];
    if (begins === undefined) return undefined;
    if (path === undefined) return table.entries.length === 1 ? value() : undefined;
    if (textOf(path)?.startsWith(begins) === true) return replaced(path, begins, value());
  }
  return undefined;
}

const withoutSlash = (value: Value): Value => {
  const parts = partsOf(value);
  return { type: 'text', parts: sliceParts(parts, 0, flat(parts).replace(/\/$/, '').length) };
};

/** Headers in the settings and those that are set on each request. */
function headersOf(place: Place, settings: Value): Value[] {
  const signed = authorizedBy(place, settings, 'auth');
  const found: Value[] = [get(place, settings, 'headers')].filter(({ type }) => type === 'object');
  if (signed !== undefined) found.push(signed);
  const hooks = [
    get(place, settings, 'onProxyReq'),
    get(place, get(place, settings, 'on'), 'proxyReq'),
    hookIn(place, get(place, settings, 'configure')),
  ];
  for (const hook of hooks) {
    const set = headersSetBy(place.ev, hook, 0, [], ['setHeader']);
    if (set !== undefined) found.push(set);
  }
  return found;
}

/** `configure: (proxy) => { proxy.on('proxyReq', (request) => …) }` */
function hookIn({ ev }: Place, configure: Value): Value | undefined {
  if (configure.type !== 'function') return undefined;
  const at: At = { module: configure.module, frame: configure.frame };
  let found: Value | undefined;
  walk(configure.node, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member' || node.callee.property !== 'on') return;
    const [event, hook] = node.args;
    if (event?.kind === 'string' && event.value === 'proxyReq' && hook !== undefined) found = ev.evaluate(hook, at);
  });
  return found;
}

/** `proxy: { '/api': … }`, `proxy: [{ context: ['/api'], target }]`, `rewrites: () => [{ source, destination }]`. */
function declared(property: PropertyNode, { module, frame }: At, ev: Evaluation): Value | undefined {
  const place: Place = { module, frame, ev, node: property };
  const value = ev.evaluate(property.value, place);
  const found = optionsOf(value).flatMap((option) => describing(property.name)(place, option));
  return found.length === 0 ? undefined : choiceOf(found);
}

function describing(property: string | undefined): (place: Place, value: Value) => HttpValue[] {
  switch (property) {
    case 'rewrites':
      return rewritesOf;
    case 'redirects':
      return redirectsOf;
    case 'routeRules':
      return rulesOf;
    case 'devProxy':
      return (place, value) => proxiesOf(place, value).map(withoutOwnPath);
    default:
      return proxiesOf;
  }
}

/** What Angular's `serve` reads: the map itself, or a list, is all there is in the file. */
function describedBy(module: SourceModule, ev: Evaluation): Value | undefined {
  if (!proxyFile.test(module.file)) return undefined;
  const at: At = { module, frame: undefined };
  const whole = ev.exported(module, 'default');
  const found = whole === undefined ? [] : optionsOf(whole).flatMap((each) => proxiesOf({ ...at, ev, node: module.tree.program }, each));
  return found.length === 0 ? undefined : choiceOf(found);
}

function proxiesOf(place: Place, value: Value): HttpValue[] {
  if (value.type === 'list') {
    return value.items.flatMap((item) => {
      const context = item.type === 'object' ? get(place, item, 'context') : undefined;
      const paths = context?.type === 'list' ? context.items : context === undefined ? [] : [context];
      return paths.filter(isText).flatMap((path) => proxied({ ...place, node: nodeOf(item, place.node) }, wholeBeginning(path), item));
    });
  }
  if (value.type !== 'object') return [];
  return value.entries.flatMap((entry) => {
    if (entry.key === undefined || !/^\^?\//.test(entry.name ?? '')) return [];
    const path = wholeBeginning({ type: 'text', parts: [entry.key] });
    return proxied({ ...place, node: entry.node }, path, entry.value());
  });
}

const nodeOf = (value: Value, otherwise: Node): Node => (value.type === 'object' ? value.node : otherwise);

/** The path at the beginning of a pattern: `^/v1/.*`, `/api/**`, `/api/:path*`. */
function wholeBeginning(pattern: Value): Value {
  const parts = partsOf(pattern);
  const [found = ''] = /^\^?(?:\/[\w.-]+)*/.exec(flat(parts)) ?? [];
  return { type: 'text', parts: sliceParts(parts, found.startsWith('^') ? 1 : 0, found.length) };
}

/** Next.js: a request keeps its path on the own server, and the destination is where it is passed on to. */
function rewritesOf(place: Place, value: Value): HttpValue[] {
  const { ev, node, ...at } = place;
  const made = value.type === 'function' ? optionsOf(ev.apply(value, [], callOf(node), at)) : [value];
  const lists = made.flatMap((each) =>
    each.type === 'object' ? ['beforeFiles', 'afterFiles', 'fallback'].map((key) => get(place, each, key)) : [each],
  );
  return lists
    .flatMap((list) => (list.type === 'list' ? list.items : []))
    .flatMap((item) => {
      if (item.type !== 'object') return [];
      const [source, destination] = [get(place, item, 'source'), get(place, item, 'destination')];
      const whole = textOf(destination);
      if (!isText(source) || whole === undefined || plainText(source) === undefined) return [];
      const end = /\/:\w+\*?$/.exec(whole)?.index ?? whole.length;
      const to: Value = { type: 'text', parts: sliceParts(partsOf(destination), 0, end) };
      return [mounted({ ...place, node: item.node }, to, wholeBeginning(source), true, [])];
    });
}

/** Who is redirected asks there itself, and nothing goes through here. */
const redirectsOf = (place: Place, value: Value): HttpValue[] =>
  rewritesOf(place, value).map((each) => ({ ...each, proxy: { isCut: true } }));

/** Nuxt and Nitro: `'/api/**': { proxy: 'https://…/**' }`, or `{ proxy: { to } }`; what the stars stand for goes on. */
function rulesOf(place: Place, value: Value): HttpValue[] {
  if (value.type !== 'object') return [];
  return value.entries.flatMap((entry) => {
    const rule = entry.value();
    if (entry.key === undefined || rule.type !== 'object') return [];
    const given = get(place, rule, 'proxy');
    const to = given.type === 'object' ? get(place, given, 'to') : given;
    if (!isText(to)) return [];
    const parts = partsOf(to);
    const length = flat(parts).replace(/\/\*\*$/, '').length;
    const path = length === flat(parts).length ? undefined : wholeBeginning({ type: 'text', parts: [entry.key] });
    const headers = given.type === 'object' ? [get(place, given, 'headers')].filter(({ type }) => type === 'object') : [];
    return [mounted({ ...place, node: entry.node }, { type: 'text', parts: sliceParts(parts, 0, length) }, path, true, headers)];
  });
}

/** `createProxyMiddleware({ target, … })`, mounted by the call around it or its own path. */
function call({ path, args, node, ev, ...at }: RuleCall): Value | undefined {
  if (path[0] !== 'createProxyMiddleware' && path.length > 0) return undefined;
  const settings = args.findLast(({ type }) => type === 'object');
  if (settings === undefined) return undefined;
  const place: Place = { ...at, ev, node };
  const own = [args[0], get(place, settings, 'pathFilter'), get(place, settings, 'context')].find(
    (each) => each !== undefined && isText(each),
  );
  const around = node.parent?.kind === 'call' ? node.parent.args[0] : undefined;
  const outer = around === undefined || around === node ? undefined : ev.evaluate(around, at);
  const mount = own ?? (outer !== undefined && isText(outer) ? outer : undefined);
  const found = proxied({ ...place, isMounted: own === undefined }, mount === undefined ? undefined : wholeBeginning(mount), settings);
  return found.length === 0 ? undefined : choiceOf(found.map((each) => (own === undefined ? stripped(each) : each)));
}

/** A path that the server around takes off does not come to the target, if the target would do without. */
function stripped(http: HttpValue): HttpValue {
  const [whole, path] = [textOf(http.url) ?? '', textOf(http.proxy?.mount) ?? ''];
  if (http.proxy?.mount === undefined || http.proxy.isCut || http.url === undefined) return http;
  const isNeeded = /^\/v\d/.test(path) && !/\/v\d+$/.test(whole.slice(0, whole.length - path.length));
  return isNeeded ? http : withoutOwnPath(http);
}

/** The server around takes off the path that leads to the proxy. */
function withoutOwnPath(http: HttpValue): HttpValue {
  if (http.proxy?.mount === undefined || http.proxy.isCut || http.url === undefined) return http;
  const parts = partsOf(http.url);
  const to: Value = { type: 'text', parts: sliceParts(parts, 0, flat(parts).length - flat(partsOf(http.proxy.mount)).length) };
  return { ...http, proxy: { ...http.proxy, isCut: true }, url: to };
}

export const devProxyRule: ClientRule = {
  name,
  title: 'proxies of development servers',
  modules: ['http-proxy-middleware'],
  // The word first and what is before it then: every file is searched for it, and for a word V8 skips ahead.
  declares: {
    names: ['proxy', 'rewrites', 'redirects', 'routeRules', 'devProxy'],
    where: /proxy(?<=\bproxy)['"]?\s*[:,}]|(?:rewrites|redirects)\b|routeRules|devProxy/,
  },
  declared,
  describedBy,
  call,
  ambient: passingOn,
};
