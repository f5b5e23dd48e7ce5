/**
 * Calls with a path of v1 of what no file of the project says anything of: functions of a package that is not read, as a company has for its HTTP clients, and
 * clients that a framework has by a name. Where something in the project is of this service, they may be calls of it.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/test-files.ts';
import { optionsOf } from '../../evaluate/values.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';
import { ignoredAt } from '../../verdict/directives.ts';
import { type Bases, matchUrl } from '../../verdict/routes.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { textIn } from '../ledger/suspicious.ts';
import { isOfServer, servedIn } from '../servers/own-routes.ts';
import type { LooseCall } from './loose-calls.ts';
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
          const path = pathIn(call);
          if (
            path === undefined ||
            call.isNew ||
            seen.has(call) ||
            isDecorator(call) ||
            isToOthers(call, module, bases) ||
            ignoredAt(module, path.start, path.end) !== undefined
          )
            return [];
          const isStray = (): boolean =>
            isOfPackage(ev, call, module, isKnownPackage) || isOfFramework(ev, call, module) || isOfUnknown(ev, call, path, module);
          if (!ev.budget.question({ node: call, module }, isStray).value) return [];
          const { start, end } = path;
          return [{ file: module.file, start, end, ...module.position(start), route: textIn(path) }];
        }),
  );
}

/** The path of v1 that a call is given as the first, or in options by the name of an address: `request({ url: '/v1/contacts' })`. */
function pathIn({ args: [first] }: CallNode): Expression | undefined {
  if (first === undefined || first.kind === 'spread') return undefined;
  const given =
    first.kind === 'object'
      ? first.properties.flatMap((each) => (each.kind === 'property' && each.name === 'url' ? each.value : []))
      : [first];
  return given.find((each) => isRouteOfV1(textIn(each)));
}

/** What says of a class or a method which path a server has it answer. */
const isDecorator = (call: CallNode): boolean =>
  call.parent !== undefined && 'decorators' in call.parent && call.parent.decorators.includes(call);

/** `apiGet('/v1/contacts', { baseURL: 'https://crm.example.com' })` */
const isToOthers = ({ start, end }: CallNode, { text }: SourceModule, bases: Bases): boolean =>
  Array.from(text.slice(start, end).matchAll(/https?:\/\/[^\s'"`$]+/g)).some(([url]) => matchUrl(url, bases).kind === 'foreign');

/** `apiGet('/v1/contacts')` of `@acme/http`, and methods of what such a package exports or makes. */
function isOfPackage(ev: Evaluation, { callee }: CallNode, module: SourceModule, isKnown: (specifier: string) => boolean): boolean {
  let root: Node = callee;
  while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
  if (root.kind !== 'name') return false;
  return optionsOf(ev.evaluate(root, { module, frame: undefined })).some(
    ({ type, ...value }) =>
      type === 'external' &&
      'source' in value &&
      value.source !== '' &&
      !/^[./]/.test(value.source) &&
      !isKnown(value.source) &&
      !routing.test(value.source),
  );
}

/** What leads pages to each other, or says what a server answers. */
const routing =
  /^(?:next|nuxt|vue-router|expo-router|wouter|page|@angular|@nestjs|@sveltejs|@hono|tsoa|path-to-regexp|routing-controllers|(?:@\w+\/)?(?:react-)?router)(?:[/-]|$)/;

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

/** `extra.api.get('/v1/contacts')` of what something handed over that is not read; a server takes a path, too, for what it answers. */
const isOfUnknown = (ev: Evaluation, call: CallNode, path: Node, module: SourceModule): boolean =>
  call.callee.kind === 'member' &&
  asking.test(call.callee.property ?? '') &&
  isUnresolved(ev, call, module) &&
  !servedIn(ev, module).has(path) &&
  !isOfServer(ev, call.callee.object, module);

const asking = /^\$?(?:get|post|put|patch|delete|head|request)$/;
