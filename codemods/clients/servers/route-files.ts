/**
 * Handlers that frameworks find by the names of their files, and that answer all paths below one: what these get as the rest of the path.
 * https://nextjs.org/docs/app/api-reference/file-conventions/dynamic-routes, https://svelte.dev/docs/kit/advanced-routing#Rest-parameters,
 * https://docs.astro.build/en/guides/routing/#rest-parameters, https://reactrouter.com/how-to/file-route-conventions#splat-routes,
 * https://nitro.build/guide/routing#catch-all-route
 */
import { globalValue } from '../../evaluate/names/bindings.ts';
import { combined } from '../../evaluate/libraries/combined.ts';
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { plainText, unknown, type Value } from '../../evaluate/values/values.ts';
import type { FunctionNode, Node } from '../../syntax/tree.ts';
import { objectOf } from './incoming.ts';

interface Convention {
  /** With the name that the rest of the path has. */
  readonly file: RegExp;
  /** How the handlers are exported, or which function of the framework is given them. */
  readonly handlers: RegExp;
  readonly isGiven?: true;
  /** Which of their parameters has it, and below which names. */
  readonly index: number;
  readonly within: readonly string[];
  /** Whether it comes segment by segment. */
  readonly isList?: true;
  /** Whether that parameter has a `fetch`, too. */
  readonly hasFetch?: true;
}

/** Not `[[...name]]`: where there is no rest, programs may ask something else. */
const rest = String.raw`\[\.\.\.(?<name>\w+)\]`;
const inFile = (path: string): RegExp => new RegExp(String.raw`(?:^|/)${path}\.[cm]?[jt]sx?$`);
const methods = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|ALL|fallback)$/;
const conventions: readonly Convention[] = [
  { file: inFile(String.raw`app/(?:.*/)?${rest}/route`), handlers: methods, index: 1, within: ['params'], isList: true },
  { file: inFile(String.raw`pages/api/(?:.*/)?${rest}`), handlers: /^default$/, index: 0, within: ['query'], isList: true },
  { file: inFile(String.raw`pages/(?:.*/)?${rest}`), handlers: methods, index: 0, within: ['params'] },
  { file: inFile(String.raw`routes/(?:.*/)?${rest}/\+server`), handlers: methods, index: 0, within: ['params'], hasFetch: true },
  { file: inFile(String.raw`routes/(?:.*[/.])?\$`), handlers: /^(?:loader|action)$/, index: 0, within: ['params'] },
  {
    file: inFile(String.raw`server/(?:api|routes)/(?:.*/)?${rest}(?:\.\w+)?`),
    handlers: /^(?:define(?:Cached)?E|cachedE|e)ventHandler$/,
    isGiven: true,
    index: 0,
    within: ['context', 'params'],
  },
];

/** `getRouterParam(event, 'path')`: https://h3.dev/utils/request */
const routerParam: LibraryFunction = (ev, [event, name], node, at) => {
  const key = name && plainText(name);
  if (event === undefined || key === undefined) return undefined;
  return ['context', 'params', key].reduce((value, each) => ev.member(value, each, node, at), event);
};

export const routeFilesLibrary: ClientRule = {
  name: 'route files',
  functions: { getRouterParam: routerParam, 'h3:getRouterParam': routerParam },
  givenByPlatform: (param, index, module, ev) => {
    const { parent: fn } = param;
    if (fn?.kind !== 'function') return undefined;
    const mounted = index === 0 ? mountedIn(fn, module) : undefined;
    if (mounted !== undefined) return mounted;
    const convention = conventions.find(
      (each) =>
        each.index === index &&
        each.file.test(module.file) &&
        (each.isGiven === true ? isGivenTo(fn, each.handlers) : isExported(fn, each.handlers, module)),
    );
    if (convention === undefined) return undefined;
    const { file, within, isList, hasFetch } = convention;
    const at = { node: param, module };
    const path = restOfPath(param, module);
    const given: Value = isList === true ? { type: 'list', items: [path], nodes: [], isOpen: false, module } : path;
    const names = [...within, file.exec(module.file)?.groups?.['name'] ?? '*'];
    const [first = '', ...others] = names;
    const value = others.reduceRight<Value>((inner, name) => objectOf({ [name]: inner }, at), given);
    return objectOf(
      { [first]: value, ...(hasFetch === true && { fetch: combined(ev.rules).eventFetch(ev, module) ?? globalValue('fetch') }) },
      at,
    );
  },
};

const restOfPath = (node: Node, module: SourceModule): Value => ({ type: 'text', parts: [{ unknownPart: unknown(node, module, 'rest') }] });

/** `app.use('/api', (req, res) => …)`, `app.all('/api/*', (req, res) => …)`, in files that import such a server. */
function mountedIn(fn: FunctionNode, module: SourceModule): Value | undefined {
  const { parent: call } = fn;
  if (call?.kind !== 'call' || call.callee.kind !== 'member' || fn.params.length > 3 || !servers.test(module.text)) return undefined;
  const [path] = call.args;
  const at = { node: fn, module };
  const given = restOfPath(fn, module);
  if (call.callee.property === 'use') return objectOf({ url: given, path: given }, at);
  if (path?.kind !== 'string' || !path.value.endsWith('/*') || !verbs.test(call.callee.property ?? '')) return undefined;
  return objectOf({ params: objectOf({ '0': given, '*': given }, at) }, at);
}

const servers = /['"](?:express|fastify)['"]/;
const verbs = /^(?:all|get|post|put|patch|delete)$/;

/** `export default defineEventHandler(async (event) => { … })` */
const isGivenTo = ({ parent }: FunctionNode, names: RegExp): boolean =>
  parent?.kind === 'call' && parent.callee.kind === 'name' && names.test(parent.callee.name);

const isExported = (fn: FunctionNode, names: RegExp, module: SourceModule): boolean => exportedAs(names, module).includes(fn);

/** `export const GET = forward`, `export { forward as GET }`, `export default async function handler() {}` */
export const exportedAs = (names: RegExp, module: SourceModule): readonly Node[] =>
  [...module.exports].flatMap(([name, exported]) => {
    if (!names.test(name) || 'specifier' in exported) return [];
    return meantBy('node' in exported ? exported.node : 'declared' in exported ? exported.declared : exported.reference, module) ?? [];
  });

/** What a name stands for that is declared at the top of the file, and may stand for another itself. */
function meantBy(node: Node, module: SourceModule, depth = 0): Node | undefined {
  if ((node.kind !== 'name' && node.kind !== 'patternName') || depth > 2) return node;
  const owner = module.scopes.top(node.name)?.owner;
  return owner?.kind === 'variable' && owner.init !== undefined ? meantBy(owner.init, module, depth + 1) : owner;
}
