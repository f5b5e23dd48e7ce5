/** What a statement hands over to others, `start(config)`: these need not say a word of v1, and have what it hands over all the same. */
import { namesIn } from '../../syntax/scopes.ts';
import { walk } from '../../syntax/link.ts';
import type { Expression, Node } from '../../syntax/tree.ts';
import type { Unit } from './outline.ts';
import { isPointing } from './written.ts';

interface HandOver {
  /** What the callee of a call begins with. */
  readonly to: readonly string[];
  /** The names in its arguments. */
  readonly names: ReadonlySet<string>;
  /** Whether an address stands behind the first: see `isPointing`. */
  readonly isPointing?: boolean;
}

interface Handing {
  readonly calls: readonly HandOver[];
  /** The parameters of its functions: what they are given is what others hand over. */
  readonly params: ReadonlySet<string>;
}

const known = new WeakMap<Unit, Handing>();

/** @returns what a statement hands one of the names to, or what a function in it is given: what a call begins with, and whether it may lead that elsewhere */
export function handedTo(unit: Unit, names: ReadonlySet<string>): { readonly to: readonly string[]; readonly isPointing: boolean }[] {
  const handing = handingIn(unit);
  const isHanded = (name: string): boolean => names.has(name) || handing.params.has(name);
  return handing.calls.flatMap(({ to, names: given, isPointing = false }) => ([...given].some(isHanded) ? { to, isPointing } : []));
}

/** @returns what a statement gives those to that have one of the names, `new Client(config.ours)`: what it is called where it stands in an argument */
export function givenTo(unit: Unit, names: ReadonlySet<string>): string[] {
  const { calls } = handingIn(unit);
  return calls.flatMap((call) => (call.to.some((to) => names.has(to)) ? [...call.names] : []));
}

function handingIn(unit: Unit): Handing {
  const handing = known.get(unit) ?? handingOf(unit.node);
  known.set(unit, handing);
  return handing;
}

function handingOf(node: Node): Handing {
  const calls: HandOver[] = [];
  const params = new Set<string>();
  walk(node, (each) => {
    if (each.kind === 'function') for (const { target } of each.params) for (const { name } of namesIn(target)) params.add(name);
    if (each.kind === 'class') for (const decorator of each.decorators) calls.push(handedByDecorator(decorator));
    if (each.kind !== 'call' || each.args.length === 0) return;
    const to = rootOf(each.callee);
    if (to !== undefined) calls.push({ to: [to], names: new Set(each.args.flatMap(namesWithin)), isPointing: isPointing(each) });
  });
  return { calls, params };
}

/** `@Module({ imports: [ApiModule], providers: [Service] })`: what one of them has, a container gives to the others. */
function handedByDecorator(decorator: Expression): HandOver {
  const to = decorator.kind === 'call' ? decorator.args.flatMap(namesWithin) : [];
  return { to, names: new Set(to) };
}

function rootOf(callee: Node): string | undefined {
  let root = callee;
  while (root.kind === 'member') root = root.object;
  return root.kind === 'name' ? root.name : undefined;
}

function namesWithin(arg: Node): string[] {
  const names: string[] = [];
  walk(arg, (each) => {
    if (each.kind === 'name') names.push(each.name);
  });
  return names;
}
