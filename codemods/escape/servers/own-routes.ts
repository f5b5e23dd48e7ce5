/** Places that belong to a server of the user's own, each with its proof: what only looks like one is somebody's call until it is proven. */
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { meantByAlias } from '../../evaluate/names/aliases.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import { escaped } from '../../find/words/literals.ts';
import { frameworks, namesOfServers, servingBeside } from '../../clients/servers/frameworks.ts';
import { ownServerAskers } from '../../clients/testing/libraries.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { OwnRoute } from '../../verdict/bases/stand-ins.ts';
import { headerReads } from '../headers/reads/reads.ts';
import { isCallOfPackage } from '../paths/bases-of-packages.ts';

/** Packages whose calls say which paths the user's own server or page has. */
const serving = new Set(
  [
    frameworks,
    servingBeside,
    // Tests of such a server call it by way of these.
    ...ownServerAskers,
  ].flatMap((names) => names.split(' ')),
);
const servers = new RegExp(String.raw`^(?:${namesOfServers.join('|')}|\w*router)$`, 'i');

/** Methods by which servers take paths. */
const definers = new Set(['get', 'post', 'put', 'patch', 'delete', 'all', 'use', 'route', 'on']);

/** Paths that a server of the user's own defines, and headers that it reads. */
export function servedIn(ev: Evaluation, module: SourceModule): ReadonlySet<Node> {
  const served = new Set<Node>(headerReads(ev, module).flatMap(({ node, isServer }) => (isServer ? [node] : [])));
  for (const call of module.calls) {
    if (!isTest(module)) for (const route of routesOfBun(call)) served.add(route);
    for (const node of [...prefixesIn(ev, call, module), ...decoratedBy(call, module)]) served.add(node);
    const [path] = call.args;
    if (path === undefined || path.kind === 'spread' || !isDefinition(ev, call, module)) continue;
    if (path.kind === 'object') for (const property of path.properties) if (property.kind === 'property') served.add(property.value);
    served.add(path);
  }
  return served;
}

/** `Bun.serve({ routes: { '/v1/contacts': … } })`; in a test it may stand in for the service. */
function routesOfBun({ callee, args: [options] }: CallNode): readonly Node[] {
  const isBun = callee.kind === 'member' && callee.property === 'serve' && callee.object.kind === 'name' && callee.object.name === 'Bun';
  const routes =
    isBun && options?.kind === 'object' ? options.properties.find((each) => each.kind === 'property' && each.name === 'routes') : undefined;
  return routes?.kind === 'property' && routes.value.kind === 'object' ? routes.value.properties : [];
}

/** `app.inject({ url: '/v1/contacts' })`: Fastify and hapi are asked so without a network, however the server came to be. */
export const isInjected = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' && callee.property === 'inject' && callee.object.kind === 'name' && servers.test(callee.object.name);

/** `@Controller('v1/contacts')`, `@Headers('x-api-key')`, `@ApiHeader({ name: 'x-api-key' })`: a test may have what stands in for the service in such words. */
function decoratedBy(call: CallNode, module: SourceModule): readonly Node[] {
  const { callee, args, parent } = call;
  const isDecorator = parent !== undefined && 'decorators' in parent && parent.decorators.includes(call);
  const owner = isDecorator && callee.kind === 'name' && decorators.test(callee.name) ? module.scopes.top(callee.name)?.owner : undefined;
  if (owner?.kind !== 'import' || !serving.has(owner.source.value) || isTest(module)) return [];
  const said: Node[] = [];
  for (const arg of args) walk(arg, (each) => void (each.kind === 'string' && said.push(each)));
  return said;
}

/** Those of modules hold clients, too. */
const decorators = /^(?:(?:Json)?Controller|Route|Get|Post|Put|Patch|Delete|All|Head|Headers?|HeaderParam|Api\w+)$/;

/** What all routes of a server begin with: `new Router({ prefix: '/v1' })`, `app.register(routes, { prefix: '/v1' })`, `app.basePath('/v1')`. */
function prefixesIn(ev: Evaluation, { callee, args }: CallNode, module: SourceModule): readonly Node[] {
  const options = args.flatMap((arg) => (arg.kind === 'object' ? arg.properties : []));
  const prefixes: Node[] = options.flatMap((option) => (option.kind === 'property' && option.name === 'prefix' ? [option.value] : []));
  const [first] = args;
  if (callee.kind === 'member' && first !== undefined && /^(?:basePath|setGlobalPrefix|prefix)$/.test(callee.property ?? ''))
    prefixes.push(first);
  const isOwn =
    prefixes.length > 0 && [callee, ...(callee.kind === 'member' ? [callee.object] : [])].some((each) => isOfServer(ev, each, module));
  return isOwn ? prefixes : [];
}

const isOfTestsOwn = (value: Value, isOfTests: (of: SourceModule) => boolean): boolean =>
  value.type === 'function' && isOfTests(value.module);

/** Whether a text is the beginning of all that a server of a test has, which is given nothing that the program answers itself. */
export function isPrefixOfTests(ev: Evaluation, node: Node, module: SourceModule, isOfTests: (of: SourceModule) => boolean): boolean {
  const { parent } = node;
  const call = parent?.kind === 'property' ? parent.parent?.parent : parent;
  if (call?.kind !== 'call' || !prefixesIn(ev, call, module).includes(node)) return false;
  // What is registered there is known to be the test's: not what a call gives, nor what stands in a list.
  const plugIn = parent?.kind === 'property' ? call.args[0] : undefined;
  if (plugIn !== undefined && !optionsOf(ev.evaluate(plugIn, { module, frame: undefined })).every((each) => isOfTestsOwn(each, isOfTests)))
    return false;
  const isOfProgram = (arg: Node): boolean => {
    const named = arg.kind === 'name' ? module.scopes.bindingOf(arg) : undefined;
    const meant = named && meantByAlias(ev.world, named);
    return meant !== undefined && !isOfTests(meant.module);
  };
  return !module.calls.some((each) => {
    const { callee, args } = each;
    return (
      (callee.kind === 'member' && args.some(isOfProgram) && isOfServer(ev, callee.object, module)) ||
      // `routes.people(app)`: the program puts its own there, as a package does not.
      (!isCallOfPackage(each, module, ev.world) &&
        args.some((arg) => (arg.kind === 'name' || arg.kind === 'call') && isOfServer(ev, arg, module)))
    );
  });
}

/** The paths of v1's that a file of the program serves. */
export const ownRoutesIn = (ev: Evaluation, module: SourceModule): readonly OwnRoute[] =>
  [...servedIn(ev, module), ...comparedIn(module)].flatMap((node) =>
    node.kind === 'string' && /^\/v1(?:\/|$)/.test(node.value) ? { path: node.value.replace(/[:*{(].*$/, ''), node, module } : [],
  );

/** What a server without a framework compares with what it is asked for: `req.url === '/v1/contacts'`. */
const comparedIn = ({ text, texts }: SourceModule): readonly Node[] => (making.test(text) ? texts.filter(isCompared) : []);

// Also by a name of the file's own: `import { createServer as createHttpServer }`.
const making = /\bcreateServer(?:\(|\s*(?:as|:)\s)|\b(?:Bun|Deno)\.serve\(/;

const isCompared = ({ parent }: Node): boolean =>
  (parent?.kind === 'binary' && /^[=!]==?$/.test(parent.operator)) ||
  (parent?.kind === 'call' && parent.callee.kind === 'member' && parent.callee.property === 'startsWith');

/** `app.get('/path', (req, res) => …)`: with a handler, or of what a package for servers made. */
export function isDefinition(ev: Evaluation, call: CallNode, module: SourceModule): boolean {
  const {
    callee,
    args: [, ...handlers],
  } = call;
  if (callee.kind !== 'member' || !definers.has(callee.property ?? '')) return false;
  const isNamedServer = callee.object.kind === 'name' && servers.test(callee.object.name) && handlers.length > 0;
  // Whatever hears of events has `on`: `response.on('data', (piece) => …)`.
  const isHandled =
    callee.property !== 'on' && handlers.some((handler) => isFunction(ev, handler, module)) && !isCalledBack(handlers.at(-1));
  const isLike = isNamedServer || isHandled || isOfServer(ev, callee.object, module);
  if (!isLike) return false;
  const at: At = { module, frame: undefined };
  const method = ev.evaluate(callee, at);
  if (method.type === 'method' && method.receiver.type === 'http') return false;
  // `https.get(url, (response) => …)`, `needle.get(url, options, done)`: what a client calls back is no handler.
  return !(method.type === 'external' && optionsOf(ev.evaluate(call, at)).some(({ type }) => type === 'http'));
}

/** `client.post(path, body, function (err, sent) { … })`: who is told of an error first has asked; of servers that is what has a `next` to go on with. */
function isCalledBack(last: CallNode['args'][number] | undefined): boolean {
  if (last?.kind !== 'function') return false;
  const names = last.params.map(({ target }) => (target.kind === 'patternName' ? target.name : ''));
  return /^err(?:or)?$/.test(names[0] ?? '') && !names.includes('next');
}

const isFunction = (ev: Evaluation, node: CallNode['args'][number], module: SourceModule): boolean =>
  node.kind === 'function' ||
  (node.kind !== 'spread' && optionsOf(ev.evaluate(node, { module, frame: undefined })).some(({ type }) => type === 'function'));

/** Whether something was made by a package for servers, however many calls ago. */
export const isOfServer = (ev: Evaluation, node: Node, module: SourceModule): boolean => holdsServer(ev.world) && wasMade(ev, node, module);

const holding = new WeakMap<World, boolean>();

/** Whether any file speaks of such a package: where none does, nothing needs to be followed. */
function holdsServer(world: World): boolean {
  const known = holding.get(world) ?? [...world.modules.values()].some(({ text }) => naming.test(text));
  holding.set(world, known);
  return known;
}

const naming = new RegExp(`['"\`](?:node:)?(?:${[...serving].map(escaped).join('|')})['"\`]`);

function wasMade(ev: Evaluation, node: Node, module: SourceModule): boolean {
  const value = ev.evaluate(node, { module, frame: undefined });
  if (value.type === 'external') return serving.has(value.source);
  const made = value.type === 'unknown' && value.node !== undefined ? value : { node, module };
  const from = made.node?.kind === 'call' ? made.node.callee : made.node?.kind === 'member' ? made.node.object : undefined;
  return from !== undefined && made.module !== undefined && isScript(made.module) && wasMade(ev, from, made.module);
}
