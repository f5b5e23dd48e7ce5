/** What a statement hands something to by a method, or along with it, so that others may take it out there: `bus.emit('ready', client)`, `<Context.Provider value={client}>`. */
import { walk } from '../../syntax/link.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { Outline, Unit } from './outline.ts';
import type { Visited } from './visited.ts';

interface Keeping {
  /** The names of what may keep it. */
  readonly by: ReadonlySet<string>;
  /** The names in what is handed over. */
  readonly values: ReadonlySet<string>;
  readonly given: readonly Node[];
}

const known = new WeakMap<Unit, readonly Keeping[]>();

/**
 * @param isSuspicious whether a text that is handed over as it stands there is
 * @returns the names of what may keep what a statement that is followed hands over, and of functions that may put it there
 */
export function keepersIn({ outline, names }: Visited, unit: Unit, isSuspicious: (text: string) => boolean): ReadonlySet<string> {
  const keepings = known.get(unit) ?? keepingsIn(unit.node);
  known.set(unit, keepings);
  const textOf = ({ start, end }: Node): string => outline.module.text.slice(start, end);
  const isKept = ({ values, given }: Keeping): boolean =>
    [...values].some((name) => names.has(name)) || given.some((arg) => arg.kind === 'object' && isSuspicious(textOf(arg)));
  return new Set(keepings.flatMap((keeping) => (isKept(keeping) ? [...keeping.by] : [])));
}

/** What a statement that is handed something keeps it in: what it declares, or writes into. */
export const keptIn = ({ declaring }: Outline, unit: Unit): readonly Unit[] =>
  [...unit.written()].flatMap((name) => (declaring.get(name) ?? []).filter((each) => !each.isCode()));

function keepingsIn(node: Node): readonly Keeping[] {
  const found: Keeping[] = [];
  walk(node, (each) => {
    if (each.kind === 'call') found.push(keptByCall(each));
    if (each.kind !== 'other' || each.what !== 'JsxElement') return;
    const [tag, ...others] = each.children;
    if (tag !== undefined)
      found.push(
        keepingOf(
          [tag],
          others.filter((other) => other.kind === 'other' && other.what === 'JsxAttribute'),
        ),
      );
  });
  return found;
}

function keptByCall({ callee, args }: CallNode): Keeping {
  const along = args.length > 1 ? args.filter(({ kind }) => kind === 'name' || kind === 'member') : [];
  return keepingOf([callee, ...along], args);
}

function keepingOf(by: readonly Node[], given: readonly Node[]): Keeping {
  const values = new Set<string>();
  for (const arg of given)
    walk(arg, (each) => {
      if (each.kind === 'name') values.add(each.name);
    });
  return { by: new Set(by.flatMap((each) => rootOf(each) ?? [])), values, given };
}

function rootOf(node: Node): string | undefined {
  let root = node;
  while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
  return root.kind === 'name' ? root.name : undefined;
}
