/** Clients that a test makes and only looks at: nobody asks with them, and where they would ask says nothing of who does. */
import { allOf, type Caller } from '../evaluate/callers.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { isTest } from '../evaluate/test-files.ts';
import { walk } from '../syntax/link.ts';
import type { CallNode, Node } from '../syntax/tree.ts';
import type { Step } from './call-paths.ts';
import { functionsAround } from './left-to-default.ts';
import { isConstructor } from './makers.ts';

/**
 * @param callers who call a function on the way to a request
 * @returns without those who only look at what they make; all, where a constructor asks itself or hands itself on, or nobody else is left
 */
export function whoAsk(
  callers: ReadonlySet<Caller | undefined>,
  owner: Step['owner'],
  sink: Node,
  steps: readonly Step[],
): ReadonlySet<Caller | undefined> {
  if (!isConstructor(owner) || handsItselfOn(owner)) return callers;
  const way = [sink, ...steps.flatMap(({ caller }) => (caller === undefined ? [] : allOf(caller).map(({ node }) => node)))];
  if (way.some((node) => [...functionsAround(node)].includes(owner))) return callers;
  const asking = new Set([...callers].filter((caller) => caller === undefined || !isMadeToBeSeen(caller)));
  return asking.size > 0 ? asking : callers;
}

const isMadeToBeSeen = ({ node, module, isPassed }: Caller): boolean =>
  node.isNew && isPassed !== true && isTest(module) && isOnlySeen(node, module);

/** `this.connect()`, `registry.add(this)`, also where a field is set: then others ask with what is made. */
function handsItselfOn(owner: Node): boolean {
  const made = owner.parent?.parent;
  const fields =
    made?.kind === 'class' ? made.members.flatMap(({ role, value }) => (role === 'field' && value !== undefined ? value : [])) : [];
  let isFound = false;
  for (const part of [owner, ...fields])
    walk(part, ({ kind, parent }) => {
      if (kind === 'function' && part !== owner) return false;
      isFound ||= kind === 'this' && (parent?.kind !== 'member' || (parent.parent?.kind === 'call' && parent.parent.callee === parent));
      return !isFound;
    });
  return isFound;
}

/** `expect(client)`, `expect(client.base)`, and `const client = new Client(…)` with nothing but these. */
function isOnlySeen(node: Node, module: SourceModule): boolean {
  const { parent } = node;
  if (parent?.kind === 'variable') {
    const isOwn = parent.init === node && functionsAround(parent).next().done !== true;
    const binding = isOwn && parent.target.kind === 'patternName' ? module.scopes.declaredBy(parent.target) : undefined;
    return binding !== undefined && binding.again.length === 0 && binding.references.every((each) => isOnlySeen(each, module));
  }
  if (parent?.kind === 'member') return parent.object === node && isOnlySeen(parent, module);
  if (parent?.kind === 'function') return parent.body === node && isOnlySeen(parent, module);
  return parent?.kind === 'call' && parent.args[0] === node && isExpect(parent);
}

const comparing = /^to(?:Be\w*|Equal|StrictEqual|MatchObject|HaveProperty|Throw\w*)$/;

/** `expect(…).toBe(…)`, `expect(…).not.toThrow()`: what it is given is compared, and not asked with. */
function isExpect(call: CallNode): boolean {
  if (call.callee.kind !== 'name' || call.callee.name !== 'expect') return false;
  const inner = call.parent?.kind === 'member' && call.parent.property === 'not' ? call.parent : call;
  return inner.parent?.kind === 'member' && comparing.test(inner.parent.property ?? '') && inner.parent.parent?.kind === 'call';
}
