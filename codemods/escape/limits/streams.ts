/** Observables of RxJS that go on by the clock, and what they are piped through. */
import type { SourceModule } from '../../evaluate/module.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';

export interface Stream {
  /** What says how long it waits between two values. */
  readonly wait: Expression | undefined;
  readonly pipes: readonly Node[];
}

/** Which argument says how often they go on; `timer(5000)` does not. */
const observables: Readonly<Record<string, number>> = { interval: 0, timer: 1 };
/** What puts streams together. */
const joining = /^(?:merge|concat|race|combineLatest|zip|defer)$/;
/** What begins a stream anew. */
const repeating = /^(?:repeat|repeatWhen|expand)$/;

/** `interval(5000).pipe(…)`, `timer(0, 5000)` in a field, `pipe(repeat({ delay: 5000 }))`, `pipe(expand(() => timer(5000).pipe(…)))`. */
export function streamOf(node: CallNode, module: SourceModule): Stream | undefined {
  const name = nameOf(node);
  const [first, ...rest] = node.args.flatMap((arg) => (arg.kind === 'spread' ? [] : [arg]));
  if (name === 'repeat') {
    const delay = first?.kind === 'object' ? first.properties.find((each) => each.kind === 'property' && each.name === 'delay') : undefined;
    return delay?.kind === 'property' && delay.value.kind !== 'function' ? { wait: delay.value, pipes: pipeAround(node) } : undefined;
  }
  const at = observables[name ?? ''];
  if (at === undefined) return undefined;
  const repeated = at === 1 && rest.length === 0 ? repeatAround(node) : undefined;
  if (repeated !== undefined) return { wait: first, pipes: pipeAround(repeated) };
  return { wait: [first, ...rest][at], pipes: [chainOf(node), ...pipesOf(node, module)] };
}

/** `timer(…)`, `rxjs.timer(…)`. */
const nameOf = ({ callee }: CallNode): string | undefined =>
  callee.kind === 'name' ? callee.name : callee.kind === 'member' && callee.object.kind === 'name' ? callee.property : undefined;

/** The call that it is an argument of: `answers.pipe(repeat(…))`. */
const pipeAround = ({ parent }: Node): Node[] => (parent?.kind === 'call' ? [parent] : []);

function repeatAround(node: Node): CallNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.kind === 'call' && repeating.test(nameOf(at) ?? '')) return at;
  return undefined;
}

/** The call with all that is called of it, past what it is put together with: `merge(clicks, interval(5000)).pipe(…)`. */
export function chainOf(node: Node): Node {
  const { parent } = node;
  const isPart =
    (parent?.kind === 'member' && parent.object === node) ||
    (parent?.kind === 'call' && (parent.callee === node || joining.test(nameOf(parent) ?? '')));
  return isPart ? chainOf(parent) : node;
}

/** What is called of the name or field that keeps it. */
function pipesOf(node: Node, { calls }: SourceModule): Node[] {
  const { parent } = chainOf(node);
  const kept =
    parent?.kind === 'variable' && parent.target.kind === 'patternName'
      ? parent.target.name
      : parent?.kind === 'classMember'
        ? parent.name
        : undefined;
  const isKept = (of: Expression): boolean =>
    of.kind === 'name' ? of.name === kept : of.kind === 'member' && of.object.kind === 'this' && of.property === kept;
  return kept === undefined
    ? []
    : calls.filter(({ callee }) => callee.kind === 'member' && callee.property === 'pipe' && isKept(callee.object)).map(chainOf);
}
