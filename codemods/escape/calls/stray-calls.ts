/**
 * Calls with a path of v1 of what no file of the project says anything of: functions of a package that is not read, as a company has for its HTTP clients, and
 * clients that a framework has by a name. Where something in the project is of this service, they may be calls of it.
 */
import { takingPaths } from '../../clients/quiet-packages.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { optionsOf } from '../../evaluate/values/values.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';
import { ignoredAt } from '../../verdict/directive-comments.ts';
import { type Bases, matchUrl } from '../../verdict/bases/routes.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { textIn } from '../ledger/suspicious.ts';
import { isInjected, isOfServer, servedIn } from '../servers/own-routes.ts';
import { type LooseCall, mayAsk } from './loose-calls.ts';
import { isRouteOfV1, isUnresolved } from './unresolved-calls.ts';

export type StrayCall = Omit<LooseCall, 'method'>;

/**
 * @param isKnownPackage whether it is known of a package what it asks by, or that it asks nobody
 */
export function strayCallsOf(
  ev: Evaluation,
  sites: readonly RequestSite[],
  isKnownPackage: (specifier: string) => boolean,
  bases: Bases,
): StrayCall[] {
  const seen = new Set<Node>(sites.flatMap(({ request }) => [request.call, ...request.callers.map(({ node }) => node)]));
  return [...ev.world.modules.values()].flatMap((module) =>
    isTest(module)
      ? []
      : module.calls.flatMap((call): StrayCall[] => {
          const paths = pathsIn(call, module, bases).filter(({ node }) => ignoredAt(module, node.start, node.end) === undefined);
          if (
            paths.length === 0 ||
            call.isNew ||
            seen.has(call) ||
            isDecorator(call) ||
            isInjected(call) ||
            isToOthers(call, module, bases) ||
            !mayAsk(call)
          )
            return [];
          const isStray = (): boolean =>
            !isAnsweredBy(ev, call, module) &&
            (isOfPackage(ev, call.callee, module, isKnownPackage) ||
              isOfFramework(ev, call, module) ||
              isOfUnknown(ev, call, paths, module));
          if (!ev.budget.question({ node: call, module }, isStray).value) return [];
          return paths.map(({ node: { start, end }, route }) => ({ file: module.file, start, end, ...module.position(start), route }));
        }),
  );
}

interface Path {
  readonly node: Expression;
  readonly route: string;
}

/** The paths of v1 that a call may be given as the first, behind a method, or in options by the name of an address: `request({ url: '/v1/contacts' })`. */
function pathsIn({ args: [first, second] }: CallNode, module: SourceModule, bases: Bases): Path[] {
  const given = first?.kind === 'string' && /^[a-z]+$/i.test(first.value) ? second : first;
  if (given === undefined || given.kind === 'spread') return [];
  const named =
    given.kind === 'object'
      ? given.properties.flatMap((each) =>
          each.kind === 'property' && /^(?:url|path|uri|endpoint)$/.test(each.name ?? '') ? each.value : [],
        )
      : [given];
  return named.flatMap((each) => routesIn(each, module, bases));
}

function routesIn(node: Expression, module: SourceModule, bases: Bases): Path[] {
  if (node.kind === 'conditional') return [...routesIn(node.whenTrue, module, bases), ...routesIn(node.whenFalse, module, bases)];
  if (node.kind === 'concat') {
    let front: Expression = node;
    while (front.kind === 'concat') front = front.left;
    return front.kind === 'string' ? routed(front, `${front.value}…`, bases) : [];
  }
  const owner = node.kind === 'name' ? module.scopes.bindingOf(node)?.owner : undefined;
  const text = owner?.kind === 'variable' && owner.target.kind === 'patternName' && owner.init !== undefined ? owner.init : node;
  return routed(text, textIn(text), bases);
}

/** A client that has the host alone is given the base's path with each call: `client.post('/mail/v1/contacts')`. */
function routed(node: Expression, text: string, { v1 }: Bases): Path[] {
  const paths = v1.map((base) => new URL(base).pathname).filter((path) => path !== '/' && text.startsWith(`${path}/`));
  return [text, ...paths.map((path) => text.slice(path.length))].filter(isRouteOfV1).map((route) => ({ node, route }));
}

/** What says of a class or a method which path a server has it answer. */
const isDecorator = (call: CallNode): boolean =>
  call.parent !== undefined && 'decorators' in call.parent && call.parent.decorators.includes(call);

/** `apiGet('/v1/contacts', { baseURL: 'https://crm.example.com' })` */
const isToOthers = ({ start, end }: CallNode, { text }: SourceModule, bases: Bases): boolean =>
  Array.from(text.slice(start, end).matchAll(/https?:\/\/[^\s'"`$]+/g)).some(([url]) => matchUrl(url, bases).kind === 'foreign');

/** A server of the user's own takes a path and a handler. */
const isAnsweredBy = (ev: Evaluation, { args: [, ...others] }: CallNode, module: SourceModule): boolean =>
  others.some((arg) => arg.kind === 'function' || ev.evaluate(arg, { module, frame: undefined }).type === 'function');

/** How far back it is looked for what made something: `(await makeClient(createContext())).http` */
const maxMakers = 4;

/** `apiGet('/v1/contacts')` of `@acme/http`, and methods of what such a package exports or makes. */
function isOfPackage(ev: Evaluation, node: Node, module: SourceModule, isKnown: (specifier: string) => boolean, depth = 0): boolean {
  let root = node;
  while (root.kind === 'member' || root.kind === 'call' || root.kind === 'await')
    root = root.kind === 'member' ? root.object : root.kind === 'call' ? root.callee : root.argument;
  const held = root.kind === 'this' ? fieldIn(node) : undefined;
  const asked = held ?? (root.kind === 'name' ? root : undefined);
  if (asked === undefined || depth === maxMakers) return false;
  return optionsOf(ev.evaluate(asked, { module, frame: undefined })).some((value) => {
    if (value.type === 'external')
      return value.source !== '' && !/^[./]/.test(value.source) && !isKnown(value.source) && !takingPaths.test(value.source);
    const made = value.type === 'unknown' && value.node?.kind === 'call' ? value : undefined;
    if (made?.node === undefined || made.module === undefined || !isScript(made.module)) return false;
    return isOfPackage(ev, made.node, made.module, isKnown, depth + 1);
  });
}

/** `this.http` of `this.http.get(path)` */
function fieldIn(node: Node): Node | undefined {
  let at = node;
  while (at.kind === 'member' && at.object.kind !== 'this') at = at.object;
  return at.kind === 'member' ? at : undefined;
}

/** `extra.api.get('/v1/contacts')` of what something handed over that is not read; a server takes a path, too, for what it answers. */
const isOfUnknown = (ev: Evaluation, call: CallNode, paths: readonly Path[], module: SourceModule): boolean =>
  call.callee.kind === 'member' &&
  asking.test(call.callee.property ?? '') &&
  isUnresolved(ev, call, module) &&
  !isMadeHere(call.callee.object, module) &&
  !paths.some(({ node }) => servedIn(ev, module).has(node)) &&
  !isOfServer(ev, call.callee.object, module);

/** `const cache = new Cache()`: what it is of says what it asks. */
function isMadeHere(receiver: Node, { scopes }: SourceModule): boolean {
  const owner = receiver.kind === 'name' ? scopes.bindingOf(receiver)?.owner : undefined;
  return owner?.kind === 'variable' && owner.init?.kind === 'call' && owner.init.isNew;
}

/** `this.$axios.$get('/v1/contacts')`, `this.$http.get('/v1/contacts')` */
function isOfFramework(ev: Evaluation, call: CallNode, module: SourceModule): boolean {
  const { callee } = call;
  if (callee.kind !== 'member' || !asking.test(callee.property ?? '')) return false;
  const of = callee.object.kind === 'member' ? callee.object.property : callee.object.kind === 'name' ? callee.object.name : undefined;
  if (of === undefined || !/^\$\w/.test(of)) return false;
  // Of an object that a framework calls with more than it holds itself, as its actions are, nothing says what that is.
  const receiver = ev.evaluate(callee.object, { module, frame: undefined });
  return isUnresolved(ev, call, module) || optionsOf(receiver).every(({ type }) => type === 'literal');
}

const asking = /^\$?(?:get|post|put|patch|delete|head|request)$/;
