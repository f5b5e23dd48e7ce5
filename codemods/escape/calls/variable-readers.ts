/**
 * Code that reads a variable of the environment whose value would change, and does something else with it than a request that moves:
 * it hands it to a package, compares it, keeps it. What the variable holds is followed as a copy of what is edited where it is set.
 */
import type { Place } from '../../evaluate/budget.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { urlOfPath } from '../../evaluate/language/url-taken-apart.ts';
import { type EnvValue, optionsOf, type Part, partsOf, type Value } from '../../evaluate/values/values.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { variableOfInput } from '../../find/words/action-inputs.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, Node, PatternName } from '../../syntax/tree.ts';
import type { VariableUse } from '../../uses-between-components.ts';
import { changesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { envOf } from '../../verdict/bases/environment.ts';
import { saidAt } from '../../verdict/directive-comments.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { dataflowQueryOf } from '../flow/dataflow-query.ts';
import { Flow } from '../flow/flow.ts';
import { isShown } from '../flow/harmless-calls.ts';
import { readersIn } from '../flow/readers.ts';
import { useOf } from '../flow/uses.ts';

/** A place that keeps a variable as it is. */
type Stay = Pick<EnvValue, 'node' | 'module' | 'name'>;

/** A place that may read one of the variables. */
interface Read extends Place {
  readonly name: string;
}

/**
 * @param sites all requests: those that begin with a variable say themselves what becomes of it
 * @returns the places at which the value leaves what is followed, and the variables that something is known to read, whatever it does with them
 */
export function variableReadersOf(
  ev: Evaluation,
  found: CallGraph,
  sites: readonly RequestSite[],
  names: ReadonlySet<string>,
  bases: Bases,
): { readonly readers: readonly VariableUse[]; readonly read: ReadonlySet<string> } {
  const reads = names.size === 0 ? [] : [...ev.world.modules.values()].flatMap((module) => readsIn(ev, module, names));
  const read = new Set(reads.flatMap((each) => (sourcesOf(each, valueAt(ev, each)).length > 0 ? each.name : [])));
  return { readers: reads.length === 0 ? [] : readersAmong(ev, found, sites, names, bases, reads), read };
}

function readersAmong(
  ev: Evaluation,
  found: CallGraph,
  sites: readonly RequestSite[],
  names: ReadonlySet<string>,
  bases: Bases,
  reads: readonly Read[],
): VariableUse[] {
  const copies = reads.flatMap((read) => {
    const sources = sourcesOf(read, valueAt(ev, read));
    // What hangs on who calls is read from the environment at this place, if it is.
    return sources.length === 0 ? [copyOf(read)] : sources.map(copyOf);
  });
  const asked = sites.filter(
    ({ request, variable, versions }) => variable !== undefined || versions.length > 0 || envOf(request.url?.[0]) !== undefined,
  );
  const query = dataflowQueryOf(ev, found, asked, changesByPlace(copies), bases);
  // What a function gives may hang on who calls it, which is no client: `({ env }) => ({ url: env('API_URL') })`.
  const hasClientsOnly = (place: Place): boolean => query.carried(place).length > 0 && query.hasClientsOnly(place);
  const flow = new Flow({ ...query, requests: sites.map(({ request }) => request), hasClientsOnly, isLoaded: true }, readersIn(ev));
  const [known, unknown]: [Read[], Read[]] = [[], []];
  for (const read of reads) (sourcesOf(read, query.values(read)).length > 0 ? known : unknown).push(read);
  for (const read of known) flow.follow(read);
  const escaped = flow.end().map(({ node, module, change }): Read => ({ node, module, name: change.text }));
  const open = unknown.filter(
    (read) => query.values(read).every(isUnknownAt(read)) && useOf(read.node).kind !== 'harmless' && !isShown(read.node),
  );
  return [...escaped, ...open, ...readsWithin(sites, names)].map(({ node, module, name }) => {
    const { start, end } = node;
    return {
      file: module.file,
      start,
      end,
      ...module.position(start),
      name,
      group: undefined,
      needsValue: true,
      ...saidAt(module, start, end),
    };
  });
}

/** Requests that have a variable in the midst of their address, as others have a version: they would ask for something else. */
export const readsWithin = (sites: readonly RequestSite[], names: ReadonlySet<string>): Stay[] =>
  sites.flatMap(({ request: { url = [] }, versions }) =>
    url.flatMap((part, index) => {
      const read = pathOfVariable(part) ?? (index === 0 ? undefined : envOf(part));
      const isVersion = versions.some(({ node }) => node === read?.node);
      return read !== undefined && names.has(read.name) && !isVersion ? read : [];
    }),
  );

/** The variable whose path it is: `new URL(process.env.API_URL).pathname` behind another host. */
function pathOfVariable(part: Part): EnvValue | undefined {
  const url = 'unknownPart' in part ? urlOfPath(part.unknownPart) : undefined;
  return url && envOf(partsOf(url)[0]);
}

const valueAt = (ev: Evaluation, { node, module }: Read): readonly Value[] =>
  ev.budget.question({ node, module }, () => optionsOf(ev.evaluate(node, { module, frame: undefined }))).value;

/** Where the value that is read comes out of the environment; none where nothing is known of it. */
function sourcesOf({ name }: Read, values: readonly Value[]): EnvValue[] {
  return values.flatMap((value) => {
    if (value.type === 'env') return value.name === name ? [value] : [];
    return value.type === 'text' ? partsOf(value).flatMap((part) => (envOf(part)?.name === name ? (envOf(part) ?? []) : [])) : [];
  });
}

/** Nobody knows what is read there, or it is taken of what a package has: `app.config.API_URL` of a server that a plugin gives its settings. What a call of a package makes is its own. */
const isUnknownAt =
  ({ node }: Read) =>
  ({ type }: Value): boolean =>
    type === 'unknown' || type === 'param' || (node.kind !== 'call' && (type === 'method' || type === 'external'));

const copyOf = ({ node: { start, end }, module, name }: EnvValue | Read): Change => ({ module, start, end, text: name, what: 'base' });

function readsIn(ev: Evaluation, module: SourceModule, names: ReadonlySet<string>): Read[] {
  const { program } = module.tree;
  const isNamed = (name: string | undefined): name is string => name !== undefined && names.has(name);
  const found: Read[] = [];
  const add = (name: string, node: Node): void => {
    if (isRead(node, name) && isOpen(ev, { node, module, name })) found.push({ node, module, name });
  };
  const addAll = (name: string, local: PatternName): void => {
    for (const node of module.scopes.declaredBy(local)?.references ?? []) add(name, node);
  };
  for (const node of nodesOfKind(program, 'member')) {
    const name = node.property ?? (node.computed?.kind === 'string' ? node.computed.value : undefined);
    if (isNamed(name)) add(name, node);
  }
  for (const { name, target } of nodesOfKind(program, 'patternProperty'))
    if (isNamed(name) && target.kind === 'patternName') addAll(name, target);
  for (const { specifiers } of nodesOfKind(program, 'import'))
    for (const { imported, local } of specifiers) if (isNamed(imported)) addAll(imported, local);
  for (const node of nodesOfKind(program, 'name'))
    if (isNamed(node.name) && module.scopes.bindingOf(node) === undefined) add(node.name, node);
  for (const call of module.calls) {
    const [first] = call.args;
    for (const name of first?.kind === 'string' ? [first.value, variableOfInput(first.value)] : [])
      if (isNamed(name) && (asks.test(calleeOf(call)) || givesVariable(ev, { node: call, module, name }))) add(name, call);
  }
  return found;
}

/** Whether a helper of the project reads it, whatever it is called: `need('API_URL')`. */
const givesVariable = (ev: Evaluation, read: Read): boolean => sourcesOf(read, valueAt(ev, read)).length > 0;

/** Calls of which nothing is known that may give what a name stands for: `env.get('API_URL')`, `requireEnv('API_URL')`. */
const asks = /^(?:get|env|require|read|must|config|string|url|str|optional|fetch)/i;
const calleeOf = ({ callee }: Pick<CallNode, 'callee'>): string =>
  callee.kind === 'name' ? callee.name : callee.kind === 'member' ? (callee.property ?? '') : '';

/** Not where it is set, or goes on under its own name: who reads it there is found by that. */
function isRead(node: Node, name: string): boolean {
  if (node.parent?.kind === 'assign') return node.parent.target !== node;
  if (node.parent?.kind === 'unary') return node.parent.operator !== 'delete';
  let at = node;
  while (at.parent !== undefined && (at.parent.kind === 'logical' || (at.parent.kind === 'call' && passing.test(textOf(at.parent)))))
    at = at.parent;
  const { parent } = at;
  // `define: { 'process.env.API_URL': JSON.stringify(process.env.API_URL) }`
  return !(parent?.kind === 'property' && !parent.shorthand && (parent.name === name || parent.name?.endsWith(`.${name}`) === true));
}

const passing = /^(?:String|JSON\.stringify)$/;
const textOf = ({ callee }: CallNode): string =>
  callee.kind === 'member' && callee.object.kind === 'name' ? `${callee.object.name}.${callee.property}` : calleeOf({ callee });

/** Something else may have the name of a variable: a constant, a property of an object. */
function isOpen(ev: Evaluation, read: Read): boolean {
  const values = valueAt(ev, read);
  return values.every(isUnknownAt(read)) || sourcesOf(read, values).length > 0;
}
