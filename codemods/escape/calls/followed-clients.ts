/** Hosts of clients that are seen to be made and that nobody takes: `export const geo = createHttp({ baseURL: config.geo.baseURL })`. */
import { type Read, readsOf } from '../../evaluate/calls/by-name.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { flat } from '../../evaluate/values/text.ts';
import { optionsOf, partsOf, type Value } from '../../evaluate/values/values.ts';
import { readersIn } from '../flow/readers.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';

/**
 * Whether all that reads a host under these names makes a client of that host, which nobody has.
 * @param holds whether a text is an address of the host
 * @param names of the properties that hold it
 */
export function isOfFollowedClient(ev: Evaluation, holds: (text: string) => boolean, names: readonly string[]): boolean {
  const isIt = (value: Value): boolean => optionsOf(value).some((option) => holds(flat(partsOf(option))));
  // What a factory takes of its parameters, it is given by the calls that are looked at.
  const all = names.map((name) => readsOf(ev.world, name));
  const reads = all
    .flatMap((each) => each ?? [])
    .filter((read) => !isOfParam(read) && (read.node.kind !== 'member' || isIt(valueAt(ev, read))));
  if (all.includes(undefined) || reads.length === 0) return false;
  return reads.every(({ node, module }) => {
    const call = node.kind === 'member' ? callAround(node) : undefined;
    const made = call === undefined || !isNobodys(ev, call, module) ? [] : optionsOf(valueAt(ev, { node: call, module }));
    return made.some((value) => value.type === 'http' && value.base !== undefined && isIt(value.base));
  });
}

/** Whether a client is kept under a name that nobody reads: whoever has it may ask by it in a way that is not followed. */
function isNobodys(ev: Evaluation, { parent }: CallNode, module: SourceModule): boolean {
  if (parent?.kind !== 'variable' || parent.target.kind !== 'patternName' || ev.world.isEntry?.(module.file) === true) return false;
  const binding = module.scopes.declaredBy(parent.target);
  return binding !== undefined && readersIn(ev).of(binding, module).length === 0;
}

/** What is taken of a parameter of a function. */
function isOfParam({ node, module }: Read): boolean {
  let pattern: Node = node;
  while (pattern.parent !== undefined && /pattern/i.test(pattern.kind)) pattern = pattern.parent;
  if (pattern.kind === 'param') return true;
  let of = node.kind === 'member' ? node.object : pattern.kind === 'variable' ? pattern.init : undefined;
  while (of?.kind === 'member') of = of.object;
  return of?.kind === 'name' && module.scopes.bindingOf(of)?.owner.kind === 'param';
}

/** The call that an option is given to. */
function callAround(node: Node): CallNode | undefined {
  let at = node;
  while (at.parent !== undefined && between.has(at.parent.kind)) at = at.parent;
  return at.parent?.kind === 'call' && at.parent.callee !== at ? at.parent : undefined;
}

const between: ReadonlySet<Node['kind']> = new Set(['object', 'property', 'template', 'concat', 'logical']);

const valueAt = (ev: Evaluation, { node, module }: { readonly node: Node; readonly module: SourceModule }): Value =>
  ev.budget.question({ node, module }, () => ev.evaluate(node, { module, frame: undefined })).value;
