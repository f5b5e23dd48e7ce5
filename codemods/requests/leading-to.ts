/** Whether a function may come to others of its file, as far as names go: what builds an address for a test to look at asks nobody. */
import { nameOf } from '../evaluate/calls/all-callers.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { memoOf } from '../once.ts';
import { nodesOfKind, walk } from '../syntax/link.ts';
import type { FunctionNode, Node } from '../syntax/tree.ts';

/** What stands under the names of a file: functions, and whatever is put there. */
const namedIn = memoOf(({ tree: { program } }: SourceModule): ReadonlyMap<string, readonly Node[]> => {
  const variables = nodesOfKind(program, 'variable').flatMap(({ target, init }) =>
    target.kind === 'patternName' && init !== undefined ? [{ name: target.name, node: init }] : [],
  );
  const members = [...nodesOfKind(program, 'property'), ...nodesOfKind(program, 'classMember')].flatMap(({ name, value }) =>
    name !== undefined && value !== undefined ? [{ name, node: value }] : [],
  );
  const functions = nodesOfKind(program, 'function').map((node) => ({ name: nameOf(node), node }));
  const all = Map.groupBy<string, { readonly name: string; readonly node: Node }>(
    [...variables, ...members, ...functions],
    ({ name }) => name,
  );
  return new Map([...all].map(([name, places]) => [name, places.map(({ node }) => node)]));
});

/** What a function mentions, and what that mentions; undefined where it hands itself on, or calls by a name that it makes. */
const mentionedBy = new WeakMap<FunctionNode, ReadonlySet<string> | undefined>();

function mentioned(fn: FunctionNode, module: SourceModule): ReadonlySet<string> | undefined {
  if (mentionedBy.has(fn)) return mentionedBy.get(fn);
  const names = new Set<string>();
  const seen = new Set<Node>([fn]);
  let isOpen = false;
  // A set that grows while it is walked.
  for (const place of seen)
    walk(place, (node) => {
      const name = node.kind === 'name' ? node.name : node.kind === 'member' ? node.property : undefined;
      isOpen ||= node.kind === 'this' && node.parent?.kind !== 'member';
      isOpen ||= node.kind === 'member' && name === undefined && node.parent?.kind === 'call' && node.parent.callee === node;
      if (name !== undefined && !names.has(name)) {
        names.add(name);
        for (const each of namedIn(module).get(name) ?? []) seen.add(each);
      }
      return !isOpen;
    });
  const found = isOpen ? undefined : names;
  mentionedBy.set(fn, found);
  return found;
}

/** @param way functions on the way to a request */
export function mayLeadTo(fn: FunctionNode, way: ReadonlySet<FunctionNode>, module: SourceModule): boolean {
  const names = mentioned(fn, module);
  return way.has(fn) || names === undefined || [...way].some((each) => names.has(nameOf(each)));
}
