/** Functions that a package calls with what the program sends: `buildKeyGenerator((request) => …)`, a method of `class Log extends Dispatcher`. No `request` there came to a server. */
import { handsOutSent } from '../../../clients/sending.ts';
import { passedOn } from '../../../evaluate/calls/all-callers.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { FunctionNode, NameNode, Node } from '../../../syntax/tree.ts';

/** Whether a function, or one that gives it back, is given so where it stands, or by its name. */
export function isGivenSent(ev: Evaluation, fn: FunctionNode, module: SourceModule): boolean {
  const whole = outermost(fn);
  const named = [fn, ...(whole.kind === 'function' && whole !== fn ? [whole] : [])].flatMap((each) => passedOn(ev, each));
  return isGivenSentAt(fn, module) || named.some((place) => isGivenSentAt(place.node, place.module));
}

/** Whether a name is of what a function is given so where it stands. */
export function isOfSent(name: NameNode, module: SourceModule): boolean {
  const owner = module.scopes.bindingOf(name)?.owner;
  return owner?.kind === 'param' && owner.parent !== undefined && isGivenSentAt(owner.parent, module);
}

function outermost(node: Node): Node {
  let at = node;
  for (let outer = holderOf(at); outer !== undefined; outer = holderOf(at)) at = outer;
  return at;
}

function isGivenSentAt(node: Node, module: SourceModule): boolean {
  const at = outermost(node);
  const { parent } = at;
  const owner = parent?.kind === 'classMember' ? parent.parent : undefined;
  const taker = owner?.kind === 'class' ? owner.superclass : parent?.kind === 'call' && parent.callee !== at ? parent.callee : undefined;
  return taker !== undefined && handsOutSent(packageOf(taker, module) ?? '');
}

/** What something stands in, or is given back by, that goes where it goes. */
function holderOf({ parent, ...node }: Node): Node | undefined {
  if (parent === undefined || /^(?:property|object|array|return)$/.test(parent.kind)) return parent;
  if (parent.kind === 'block') return parent.parent?.kind === 'function' && node.kind === 'return' ? parent.parent : undefined;
  return parent.kind === 'function' && parent.body?.start === node.start && parent.body.kind === node.kind ? parent : undefined;
}

/** How many names and calls lead from what is made to its package. */
const maxSteps = 20;

function packageOf(made: Node, { scopes }: SourceModule): string | undefined {
  let root: Node | undefined = made;
  for (let steps = 0; root !== undefined && steps < maxSteps; steps++) {
    if (root.kind === 'member') root = root.object;
    else if (root.kind === 'call') root = root.callee;
    else if (root.kind === 'name') {
      const owner: Node | undefined = scopes.bindingOf(root)?.owner;
      if (owner?.kind === 'import') return owner.source.value;
      root = owner?.kind === 'variable' ? owner.init : undefined;
    } else return undefined;
  }
  return undefined;
}
