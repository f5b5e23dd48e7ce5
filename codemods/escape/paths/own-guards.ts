/**
 * What the program's own server decides by a path of v1 about requests that one of its proxies passes on: a guard that is mounted there, an
 * allow list, a matcher. It stays when the path moves, so the request would go past the guard, or no longer be let through.
 */
import type { Place } from '../../evaluate/budget.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { unknownPart } from '../../evaluate/values/text.ts';
import { escaped } from '../../find/words/literals.ts';
import { walk } from '../../syntax/link.ts';
import type { NameNode, Node } from '../../syntax/tree.ts';
import { beforeVersion, beforeVersionOf } from '../../verdict/bases/mounts.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { mountsOf } from './mounted-routers.ts';
import { isDefinition } from '../servers/own-routes.ts';
import { isStatement } from '../statements.ts';
import { incomingRequests, isIncoming } from './repeats.ts';
import { patternOf } from '../ledger/suspicious.ts';

interface Passing {
  /** What it asks of the own server before its version, where that would change. */
  readonly before: string | undefined;
  readonly proxies: readonly Node[];
  readonly change: Change;
}

/** @returns what tells of a text with a path of v1, and of a place that it comes to, what would change of the requests that this decides about */
export function guardsOf(ev: Evaluation, real: readonly RequestSite[]): (text: Place, at: Place) => readonly Change[] {
  const passing = real.flatMap(passingOf);
  if (passing.length === 0) return () => [];
  return (text, at) => {
    if (isTest(at.module) || isBesideV2(text)) return [];
    const before = beforeVersion(textOf(text.node));
    const isOfServer = decidesByPath(ev, at);
    const isWhole = text.node === at.node && isOfRoot(at);
    const ends = before === undefined ? [undefined] : mountsOf(ev, at).map((mount) => mount + before);
    return passing.flatMap((each) => {
      const isInside = each.proxies.some((proxy) => isWithin(at.node, proxy));
      if (isInside && (each.before !== undefined || /\bproxyReq\b/.test(sourceOf(wholeOf(at.node), at.module)))) return each.change;
      const comesHere =
        each.before !== undefined && (isWhole ? each.before === before : ends.some((end) => mayEndWith(each.before ?? '', end)));
      return isOfServer && comesHere ? each.change : [];
    });
  };
}

function passingOf({ request, changes: [change] }: RequestSite): Passing[] {
  if (request.through === undefined || change === undefined) return [];
  return [{ before: beforeVersionOf(request), proxies: request.through.map(({ call }) => call), change }];
}

/** A text without what is only known at run time; a pattern without its escapes; `GET /v1/contacts` without the method. */
function textOf(node: Node): string {
  const text =
    node.kind === 'string'
      ? node.value
      : node.kind === 'template'
        ? node.texts.map(({ value }) => value).join(unknownPart)
        : node.kind === 'literal'
          ? patternOf(node)
          : node.kind === 'property'
            ? (node.name ?? '')
            : '';
  return text.replace(/^(?:\^|[A-Z]+[ :]\s*)/, '');
}

/** Whether an address may go on like this from some place on: a router may be mounted at any. */
const mayEndWith = (address: string, end: string | undefined): boolean =>
  end !== undefined && (address.endsWith(end) || /[^\w\-./]/.test(end));

/** `app.use('/api/v1/contacts', guard); app.use('/api/v2/contacts', guard);`: the same is said of v2. */
function isBesideV2({ node, module }: Place): boolean {
  const source = node.kind === 'property' ? module.text.slice(node.keyStart, node.keyEnd) : sourceOf(node, module);
  return module.text.includes(source.replace(/\bv1\b/, 'v2'));
}

const sourceOf = ({ start, end }: Node, { text }: Pick<SourceModule, 'text'>): string => text.slice(start, end);

const isWithin = (node: Node, around: Node): boolean => {
  for (let at: Node | undefined = node; at !== undefined; at = at.parent) if (at === around) return true;
  return false;
};

/** Whether it is the whole path of a definition on a server that listens itself. */
function isOfRoot({ node, module }: Place): boolean {
  const { parent } = node;
  const callee = parent?.kind === 'call' && parent.args[0] === node ? parent.callee : undefined;
  const server = callee?.kind === 'member' && callee.object.kind === 'name' ? callee.object.name : undefined;
  return server !== undefined && new RegExp(`(?<![\\w$.])${escaped(server)}\\.listen\\(`).test(module.text);
}

/** Whether a server goes by it: it is defined by it, set up with it, or compares it with the path that arrives. */
function decidesByPath(ev: Evaluation, { node, module }: Place): boolean {
  let at = node;
  for (; at.parent !== undefined && isPart(at.parent); at = at.parent) if (at.kind === 'property' && isSetting(at.name)) return true;
  const { parent } = at;
  if (parent?.kind === 'property' && isSetting(parent.name)) return true;
  if (parent?.kind === 'call' && parent.args.some((each) => each === at)) {
    const { callee } = parent;
    const name = callee.kind === 'member' ? callee.property : callee.kind === 'name' ? callee.name : undefined;
    if (/^(?:forRoutes|exclude|unless|mount)$/.test(name ?? '') || (parent.args[0] === at && isDefinition(ev, parent, module))) return true;
  }
  return comparesPath(ev, wholeOf(node), module);
}

const isPart = ({ kind }: Node): boolean =>
  ['array', 'object', 'property', 'concat', 'template', 'conditional', 'logical', 'spread'].includes(kind);

/** Next.js: `matcher` of its middleware and `source` of headers; Nitro: `routeRules`. */
const isSetting = (name = ''): boolean => /^(?:matcher|source|routeRules)$/.test(name);

/** The whole expression that a place is in; of a case, what it is compared with. */
function wholeOf(node: Node): Node {
  let at = node;
  while (at.parent !== undefined && !isStatement(at.parent)) at = at.parent;
  const { parent } = at;
  if (parent?.kind !== 'other' || parent.what !== 'CaseClause') return at;
  const [compared] = parent.parent?.kind === 'block' ? parent.parent.body : [];
  return compared ?? at;
}

const pathName = /^(?:path|url|originalUrl|baseUrl|pathname|nextUrl|href|routerPath)$/;

/** Whether something goes by the path of a request that arrives. */
function comparesPath(ev: Evaluation, whole: Node, module: SourceModule): boolean {
  let found = false;
  walk(whole, (each) => {
    const isPath =
      each.kind === 'member'
        ? pathName.test(each.property ?? '')
        : each.kind === 'name' && (pathName.test(each.name) || isMadeOfPath(each, module));
    found ||= isPath && (isIncoming(each, module, incomingRequests) || isTakenByHandler(ev, each, module));
    return !found;
  });
  return found;
}

/** `const asked = req.path`. */
function isMadeOfPath(name: NameNode, { scopes, text }: SourceModule): boolean {
  const owner = scopes.bindingOf(name)?.owner;
  return owner?.kind === 'variable' && owner.init !== undefined && /\b(?:path|url|originalUrl)\b/.test(sourceOf(owner.init, { text }));
}

/** `app.use(({ path }, response, next) => …)`. */
function isTakenByHandler(ev: Evaluation, node: Node, module: SourceModule): boolean {
  const owner = node.kind === 'name' ? module.scopes.bindingOf(node)?.owner : undefined;
  const call = owner?.kind === 'param' && owner.target.kind === 'objectPattern' ? owner.parent?.parent : undefined;
  return call?.kind === 'call' && isDefinition(ev, call, module);
}
