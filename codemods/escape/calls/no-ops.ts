/** Wrappers without a caller: the `put(url)` of a client of which only `get` and `post` are used. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { World } from '../../evaluate/program.ts';
import { memoOf } from '../../once.ts';
import { namesOfFunction } from '../../evaluate/calls/function-names.ts';
import { flat, sliceParts } from '../../evaluate/values/text.ts';
import type { Part, Value } from '../../evaluate/values/values.ts';
import { escapingCallbacks } from '../../requests/escaping-callbacks.ts';
import type { Request } from '../../requests/requests.ts';
import { isWithin, walk } from '../../syntax/link.ts';
import type { FunctionNode, Node, ParamNode } from '../../syntax/tree.ts';
import { servedIn } from '../servers/own-routes.ts';
import { isRoute, suspicious } from '../ledger/suspicious.ts';
import { allowedSite, placesOf, type RequestSite, touchedBy } from '../../verdict/request-sites.ts';
import { type ChangesByPlace, changesByPlace } from '../../verdict/changes/changes-by-place.ts';
import type { Bases } from '../../verdict/bases/routes.ts';

/**
 * A wrapper without a caller has no path, and so forbids nothing to the wrappers beside it, unless a path of v1 is left that no request
 * was seen to use: it may be that wrapper's.
 * @returns the sites without those of such wrappers that share a change with others
 */
export function withoutNoOps(ev: Evaluation, sites: readonly RequestSite[], changes: ChangesByPlace): readonly RequestSite[] {
  const noOps = noOpsAmong(ev, sites, changes, (site) => hasKeysOfOthers(site, changes));
  return noOps.size === 0 ? sites : sites.filter((site) => !noOps.has(site));
}

/**
 * A key of its own moves with the base that such a wrapper shares with others: left behind, it would be sent to v2.
 * @returns the sites, of which those of such wrappers change what a comment that allows it would have them change
 */
export function withKeysOfNoOps(ev: Evaluation, sites: readonly RequestSite[], bases: Bases): readonly RequestSite[] {
  const changes = changesByPlace(sites.flatMap((site) => site.changes));
  const noOps = noOpsAmong(ev, sites, changes, (site) => !hasKeysOfOthers(site, changes));
  return noOps.size === 0 ? sites : sites.map((site) => (noOps.has(site) ? allowedSite(site, bases) : site));
}

/** @returns those that nothing in these files can be about: no test runs them */
export function nobodysAmong(ev: Evaluation, sites: readonly RequestSite[]): ReadonlySet<RequestSite> {
  return noOpsAmong(ev, sites, changesByPlace(sites.flatMap((site) => site.changes)), () => true);
}

/** `this[job.op](job.path)`, `new Proxy(this, …)`: a file whose methods are called by what they are called may call each. */
const callsByName = /\bthis\[[^\]\n]*\]!?(?:\?\.)?\(|\bnew Proxy\(/;

/** The wrappers without a caller that share a change with others, where no path of v1 is left that may be theirs. */
function noOpsAmong(
  ev: Evaluation,
  sites: readonly RequestSite[],
  changes: ChangesByPlace,
  isMeant: (site: RequestSite) => boolean,
): ReadonlySet<RequestSite> {
  const asked = new Set(sites.flatMap(({ request, verdict }) => (verdict.kind === 'ours' && !request.isMock ? request.call : [])));
  const open = sites.filter(
    (site) => isNoOp(ev, site, asked.has(site.request.call)) && touchedBy(site, changes).length > 0 && isMeant(site),
  );
  const handed = escapingCallbacks(ev, open.flatMap(wrappersOf));
  const isHanded = (fn: FunctionNode): boolean => handed.has(fn) || isArgument(fn);
  const noOps = open.filter((site) => !callsByName.test(site.request.module.text) && !wrappersOf(site).some(isHanded));
  return new Set(noOps.length === 0 || hasLoosePath(ev, sites) ? [] : noOps);
}

/** Whether its key changes with the calls beside it: one of its own would be left beside a base that moves. */
const hasKeysOfOthers = (site: RequestSite, changes: ChangesByPlace): boolean =>
  site.keys.every((key) => touchedBy({ ...site, request: { ...site.request, url: [] }, keys: [key], writtenOut: [] }, changes).length > 0);

/** @param isAsked whether the same call asks for what v1 has, as those say who call functions beside it */
const isNoOp = (ev: Evaluation, { request, verdict, byDefault }: RequestSite, isAsked: boolean): boolean => {
  if (verdict.kind !== 'dynamic-path' || !request.isOpen || request.isMock) return false;
  const unknownParts = unknownPartsOf(request);
  if (unknownParts.length === 0 || !unknownParts.every((part) => neverGiven(part) !== undefined)) return false;
  // What a platform calls, it gives one object; whatever that says, a client's own function asks for below our version.
  const taken = unknownParts.filter(({ type }) => type === 'method');
  if (taken.length > 0 && taken.every((part) => isOfClient(ev, part, request, isAsked))) return isAsked || byDefault.length === 0;
  const isOfPattern = taken.every((part) => neverGiven(part)?.target.kind === 'objectPattern');
  return isOfPattern && (taken.length === 0 || taken.length < unknownParts.length);
};

/**
 * `paginate(options)`, which nobody names, beside the `request` that it asks by: of one class, or of one function that gives back both; `put({ path })`
 * beside a `get({ path })` that somebody calls, too.
 */
function isOfClient(ev: Evaluation, part: Value, { call, url = [] }: Request, isAsked: boolean): boolean {
  const param = neverGiven(part);
  const fn = param?.parent;
  const before = url.slice(
    0,
    url.findIndex((each) => 'unknownPart' in each && each.unknownPart === part),
  );
  if (fn === undefined || isWithin(fn, call) || !/\/v1\/?$/.test(flat(before))) return false;
  const isGivenOne = param?.target.kind === 'patternName' ? !arriving.test(param.target.name) : isAsked;
  if (!isGivenOne || mayBeAsked(ev, fn)) return false;
  for (let at = fn.parent; at !== undefined; at = at.parent)
    if (at.kind === 'class' || at.kind === 'function') return isWithin(at, call) && !isDecorated(fn);
  return false;
}

/** What a platform gives, and what it calls: these pass on what others ask for. */
const arriving = /^(?:req|request|event|evt|e|ctx|context|c|msg|message|job|call)$/i;
const serving = /^(?:fetch|handle|handler|proxy|forward|execute|run|invoke|load|action|middleware)$|^(?:handle|on|proxy|forward)[A-Z]/;

/** Whether somebody, or a platform, may call a function by one of its names, whatever of. */
function mayBeAsked({ world }: Evaluation, fn: Node): boolean {
  const said = saidIn(world);
  return [...namesOfFunction(world, fn)].some((name) => serving.test(name) || said.has(name));
}

/** Whole lines of comments: an example in one, `* await client.request({ … })`, calls nothing. */
const comments = /^[ \t]*(?:\/\/|\*(?=[ \t/]|$)).*$/gm;

/** `target[name](…)`, `(target as Target)[name].call(…)`: where nothing is called by a name that the program has as a text, no text is one. */
const byName = /\w\)?!?(?:\?\.)?\[(?!\s*(?:["'`\]]|\d+\s*\]))[^\]\n]*\]\)?!?(?:\?\.)?(?:\(|\.(?:call|apply|bind)\b)|\bReflect\b/;

/** A text that may be a name: `client['request']` has one, and is called by it. */
const names = /(?<!\[\s*)(["'`])[\w$]+\1/g;

/** What is taken of anything in all files, and what may be a name of it: by their texts, as statements that ask for nothing are not read. */
const saidIn = memoOf(({ modules }: World): ReadonlySet<string> => {
  const read = Array.from(modules.values(), ({ text }) => text.replaceAll(comments, ''));
  const texts = read.some((text) => byName.test(text))
    ? read
    : read.map((text) => text.replaceAll(names, (found) => `${found[0]}${found[0]}`));
  return new Set(
    texts.flatMap((text) => [
      ...Array.from(text.matchAll(/[.'"`]\s*([\w$]+)/g), ([, name = '']) => name),
      ...Array.from(text.matchAll(/\(\s*\{([^{}]*)\}|\{([^{}]*)\}\s*=(?![=>])/g), ([, given = '', taken = '']) =>
        `${given} ${taken}`.split(/[^\w$]+/),
      ).flat(),
    ]),
  );
});

const isDecorated = ({ parent }: Node): boolean => parent?.kind === 'classMember' && parent.decorators.length > 0;

/** What is not known of a path: where that is something, what its query says makes no other path of it. */
function unknownPartsOf({ url = [] }: Request): readonly Value[] {
  const ofPath = unknownIn(sliceParts(url, 0, /^[^?#]*/.exec(flat(url))?.[0].length ?? 0));
  return ofPath.length > 0 ? ofPath : unknownIn(url);
}

const unknownIn = (parts: readonly Part[]): Value[] => parts.slice(1).flatMap((part) => ('unknownPart' in part ? part.unknownPart : []));

/** A parameter, or what a pattern takes of one: `(resource, { id }) => …`. */
function neverGiven(value: Value): ParamNode | undefined {
  if (value.type === 'method') {
    const param = value.path.length === 1 ? neverGiven(value.receiver) : undefined;
    return param;
  }
  return value.type === 'unknown' && value.node?.kind === 'param' ? value.node : undefined;
}

/** The functions whose parameters nobody was seen to give. */
const wrappersOf = ({ request }: RequestSite): FunctionNode[] =>
  unknownPartsOf(request).flatMap((value) => {
    const fn = neverGiven(value)?.parent;
    return fn?.kind === 'function' ? fn : [];
  });

/**
 * Whether something else is given the function where it is written, and calls it with what nobody knows: `rows.map((path) => client.get(path))`. What is
 * given an object with it does so where nobody takes the object back: `await db.each({ row: (path) => client.get(path) })`.
 */
function isArgument(fn: FunctionNode): boolean {
  let given: Node = fn;
  while (given.parent?.kind === 'property' && given.parent.value === given && given.parent.parent?.kind === 'object')
    given = given.parent.parent;
  const call = given.parent;
  return call?.kind === 'call' && call.callee !== given && (given === fn || isDone(call));
}

/** Whether what a call gives is waited for, or is nobody's. */
const isDone = ({ parent }: Node): boolean => {
  if (parent?.kind === 'member') return parent.parent?.kind === 'call' && isDone(parent.parent);
  return parent?.kind === 'await' || (parent?.kind === 'other' && parent.what === 'ExpressionStatement');
};

/** Whether a path of v1 goes somewhere that was not followed. */
function hasLoosePath(ev: Evaluation, sites: readonly RequestSite[]): boolean {
  const asked = new Set(sites.flatMap((site) => placesOf(site).map(({ node }) => node)));
  let elsewhere: ReadonlySet<string> | undefined;
  return [...ev.world.modules.values()].some((module) => {
    const loose = suspicious(module).filter(({ node }) => isRoute(node) && !asked.has(node) && !isCompared(node));
    const served = loose.length === 0 ? undefined : servedIn(ev, module);
    return loose.some(({ node }) => {
      if (served?.has(node) !== false) return false;
      const name = nameFor(node);
      return name === undefined || (elsewhere ??= namesElsewhere(ev, asked)).has(name);
    });
  });
}

/** `case 'POST /v1/contacts':`, `req.url === '/v1/contacts'`: nothing is asked for by that. */
const isCompared = ({ parent }: Node): boolean =>
  (parent?.kind === 'other' && parent.what === 'CaseClause') || (parent?.kind === 'binary' && /^[!=]==?$/.test(parent.operator));

/** What a text is called by; undefined where it is given to a call, or has no name. */
function nameFor(text: Node): string | undefined {
  for (let at = text.parent; at !== undefined; at = at.parent) {
    if (at.kind === 'call') return undefined;
    if ((at.kind === 'property' || at.kind === 'classMember') && at.name !== undefined) return at.name;
    if (at.kind === 'variable' && at.target.kind === 'patternName') return at.target.name;
  }
  return undefined;
}

/** Every name that stands somewhere else than on the way to a request. */
function namesElsewhere({ world }: Evaluation, asked: ReadonlySet<Node>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { tree } of world.modules.values()) {
    walk(tree.program, (node) => {
      const name = node.kind === 'member' ? node.property : node.kind === 'name' ? node.name : undefined;
      if (name !== undefined && !asked.has(node)) names.add(name);
    });
  }
  return names;
}
