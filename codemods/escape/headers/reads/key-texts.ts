/**
 * Reads of the header that only make a key under which a library keeps answers: `` cacheKeyFor(url, request) { return `${url} ${request.headers['x-api-key']}`; } ``.
 * What stands in such a text nobody reads. They move with the header, where all whose requests may come there have it by the same name.
 */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { readsOf } from '../../../evaluate/calls/by-name.ts';
import { classAround } from '../../../evaluate/calls/callees.ts';
import { heirsOf, superclassOf } from '../../../evaluate/classes/subclasses.ts';
import { combined } from '../../../evaluate/libraries/combined.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { ClassNode, FunctionNode, Node, StringNode } from '../../../syntax/tree.ts';
import { v2Auth } from '../../../../src/contract/auth.ts';
import { type Change, isNameChange } from '../../../verdict/changes/spans.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import { functionsAround } from '../../../requests/left-to-default.ts';
import { asksKept } from './kept-answers.ts';
import { type HeaderRead, headerReads } from './reads.ts';

/** @returns the sites, with the reads that move among what they change */
export function withKeyTexts(ev: Evaluation, sites: readonly RequestSite[]): readonly RequestSite[] {
  if (!sites.some(({ changes }) => changes.some(isNameChange))) return sites;
  const added = new Map<RequestSite, Change[]>();
  for (const module of ev.world.modules.values())
    for (const { node, clients } of isTest(module) ? [] : headerReads(ev, module)) {
      if (clients.length === 0 || node.kind !== 'string') continue;
      const fn = keyHookAround(ev, node, module);
      const sent = fn === undefined ? [] : sentBy(ev, fn, module, clients, sites);
      if (fn === undefined || !sent.every((site) => hasByName(site, node, isOfClass(fn)))) continue;
      const change: Change = { module, start: node.start + 1, end: node.end - 1, text: v2Auth.fieldName, what: 'header name' };
      for (const site of sent) added.set(site, [...(added.get(site) ?? []), change]);
    }
  return added.size === 0 ? sites : sites.map((site) => ({ ...site, changes: [...site.changes, ...(added.get(site) ?? [])] }));
}

const isOfClass = (fn: FunctionNode): boolean => fn.parent?.kind === 'classMember';

/** The hook that makes a key of what a name stands for, and of nothing else that comes out of it; none where the program itself asks for that key, or for what is kept. */
function keyHookAround(ev: Evaluation, name: StringNode, module: SourceModule): FunctionNode | undefined {
  const [fn] = functionsAround(name);
  const hook = fn && hookOf(fn);
  const { keyHooks } = combined(ev.rules);
  if (fn === undefined || hook === undefined || !keyHooks.has(hook) || !isGivenBack(name, fn, module)) return undefined;
  const isAsked = readsOf(ev.world, hook)?.some(({ node }) =>
    [...functionsAround(node)].every((around) => !keyHooks.has(hookOf(around) ?? '')),
  );
  return isAsked !== false || [...ev.world.modules.values()].some((each) => asksKept(ev, each)) ? undefined : fn;
}

/** Whether a function gives back what is made of something, or of all that is called so: `const key = request.headers['x-api-key']`. */
function isGivenBack(part: Node, fn: FunctionNode, module: SourceModule): boolean {
  const end = endOf(part);
  const { parent } = end;
  if (parent?.kind === 'return' || fn.body === end) return [...functionsAround(end)][0] === fn;
  if (parent?.kind !== 'variable' || parent.declares !== 'const' || parent.target.kind !== 'patternName') return false;
  const { references = [] } = module.scopes.declaredBy(parent.target) ?? {};
  return references.every((name) => isGivenBack(name, fn, module));
}

/** The name by which a library calls a function: of a method or an option, or of what is given it alone. */
function hookOf({ parent, ...fn }: FunctionNode): string | undefined {
  if (parent?.kind === 'classMember' || parent?.kind === 'property') return parent.name;
  return parent?.kind === 'call' && parent.callee.kind === 'name' && parent.args[0]?.start === fn.start ? parent.callee.name : undefined;
}

/** The whole of what a text is put together to, with what is read of headers by a name in it; as a digest of that, or in an object. */
function endOf(part: Node): Node {
  let at = part;
  for (let around = at.parent; around !== undefined && goesOn(at, around); around = at.parent) at = around;
  return at;
}

function goesOn(part: Node, whole: Node): boolean {
  switch (whole.kind) {
    case 'template':
    case 'concat':
    case 'property':
    case 'object':
    case 'array':
      return true;
    // `request.headers['x-api-key'] ?? ''`
    case 'logical':
      return whole.left === part && whole.right.kind === 'string';
    case 'member':
      return (
        (whole.computed === part && part.kind === 'string') ||
        (whole.object === part && whole.parent?.kind === 'call' && joining.test(whole.property ?? ''))
      );
    case 'call':
      return (
        whole.callee === part ||
        (whole.args[0] === part && takenBy(part).test(whole.callee.kind === 'member' ? (whole.callee.property ?? '') : ''))
      );
    default:
      return false;
  }
}

/** `[url, key].join(' ')`, `createHash('sha256').update(key).digest('hex')` */
const joining = /^(?:join|update|digest)$/;
const takenBy = ({ kind }: Node): RegExp => (kind === 'string' ? /^get$/ : /^update$/);

/** All whose requests may come to a hook: of a class those that it, its heirs and what it inherits from ask for. */
function sentBy(ev: Evaluation, fn: FunctionNode, module: SourceModule, clients: HeaderRead['clients'], sites: Sites): Sites {
  const real = sites.filter(({ request }) => !request.isMock);
  const of = isOfClass(fn) ? classAround(fn) : undefined;
  if (of === undefined) return real.filter(({ request }) => clients.some(({ library = request.client }) => library === request.client));
  const line = new Set<Node | string | undefined>([...above(ev, of, module), of, ...heirsOf(ev, of).map(({ node }) => node)]);
  return real.filter(({ request: { origins, call } }) => origins.some((origin) => line.has(origin)) && line.has(classAround(call) ?? of));
}

function above(ev: Evaluation, of: ClassNode, module: SourceModule): readonly ClassNode[] {
  const found = new Set<ClassNode>();
  let at = superclassOf(ev, { type: 'class', node: of, module, frame: undefined });
  for (; at?.type === 'class' && !found.has(at.node); at = superclassOf(ev, at)) found.add(at.node);
  return [...found];
}

type Sites = readonly RequestSite[];

/** Whether what is read in a method of a class came with the requests of other services alone. */
export function isReadOfOthers(ev: Evaluation, node: Node, module: SourceModule, sites: Sites): boolean {
  const [fn] = functionsAround(node);
  const sent = fn !== undefined && isOfClass(fn) ? sentBy(ev, fn, module, [], sites) : [];
  return sent.length > 0 && sent.every(({ verdict }) => verdict.kind === 'foreign');
}

/**
 * Whether it is ours, and has the header by the name that is asked for, in these letters. What a class is given with a call, libraries may hand to its hooks
 * in small letters.
 */
function hasByName({ verdict, keys, changes }: RequestSite, name: StringNode, isWritten: boolean): boolean {
  if (verdict.kind !== 'ours' || keys.length === 0 || !changes.some(isNameChange)) return false;
  if (name.parent?.kind === 'call') return true;
  return keys.every((key) => key.name === name.value && !(isWritten && key.node.kind === 'property'));
}
