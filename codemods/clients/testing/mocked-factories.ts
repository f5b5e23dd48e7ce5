/**
 * What a test has a library's factory give in the place of a client: `create.mockReturnValue({ request })`,
 * `jest.mock('axios', () => ({ create: () => instance }))`. Each mock in it stands for that method of a client.
 */
import type { SourceModule } from '../../evaluate/module.ts';
import { optionsOf, type ExternalValue, type MethodValue, type Value } from '../../evaluate/values/values.ts';
import type { RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import { mockingModules } from './libraries.ts';

const making = /^(?:create|extend|defaults)$/;
const answering = /^(?:mock(?:Return|Resolved)Value(?:Once)?|mockImplementation(?:Once)?|returns|resolves|callsFake)$/;
const stubs = /^(?:fn|stub|fake)$/;
/** Names lead to places that lead to names. */
const maxNames = 20;

/** @param node the mock, or a call of one of its settings */
export function methodOfMade({ node, module, frame, ev }: Pick<RuleCall, 'node' | 'module' | 'frame' | 'ev'>): MethodValue | undefined {
  const keys = placesOf(node, module).flatMap((each) =>
    each.parent?.kind === 'property' && each.parent.value === each ? [each.parent] : [],
  );
  for (const { name, parent: object } of keys) {
    const factory = name === undefined || object === undefined ? undefined : factoryOf({ node: object, module, ev, frame, depth: 0 });
    const client = factory && ev.ask(factory, [], node, { module, frame });
    if (name !== undefined && client?.type === 'http' && client.stage === 'client')
      return { type: 'method', receiver: client, path: [name] };
  }
  return undefined;
}

interface Place extends Pick<RuleCall, 'module' | 'frame' | 'ev'> {
  readonly node: Node;
  readonly depth: number;
}

/** The factory that gives an object, as far as the test says. */
function factoryOf(place: Place): ExternalValue | undefined {
  if (place.depth > maxNames) return undefined;
  let made: string | undefined;
  for (let at = place.node; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (parent.kind === 'property' && parent.name !== undefined && parent.name !== 'default') {
      if (made !== undefined || !making.test(parent.name)) return undefined;
      made = parent.name;
    }
    if (parent.kind === 'variable') return named(at, { ...place, node: at });
    if (parent.kind === 'assign') return parent.value === at ? external(place, parent.target) : undefined;
    if (parent.kind === 'call' && parent.callee !== at) {
      const found = givenTo(parent, place, made);
      if (found !== 'on') return found;
    } else if (!passing.has(parent.kind)) return undefined;
  }
  return undefined;
}

const passing: ReadonlySet<Node['kind']> = new Set([
  'object',
  'property',
  'function',
  'return',
  'block',
  'conditional',
  'await',
  'logical',
]);

function named(node: Node, place: Place): ExternalValue | undefined {
  for (const each of placesOf(node, place.module)) {
    const found = each === node ? undefined : factoryOf({ ...place, node: each, depth: place.depth + 1 });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `create.mockReturnValue(…)`, `jest.mock('axios', …)`; on with what is only made of it: `jest.fn(() => …)`. */
function givenTo({ callee, args: [first] }: CallNode, place: Place, made: string | undefined): ExternalValue | 'on' | undefined {
  const verb = callee.kind === 'member' ? (callee.property ?? '') : callee.kind === 'name' ? callee.name : '';
  if (mockingModules.test(verb))
    return first?.kind === 'string' && made !== undefined ? { type: 'external', source: first.value, path: [made] } : undefined;
  if (answering.test(verb) && callee.kind === 'member') return made === undefined ? (external(place, callee.object) ?? 'on') : 'on';
  return stubs.test(verb) ? 'on' : undefined;
}

const meant = (value: Value): readonly Value[] =>
  optionsOf(value).flatMap((each) => (each.type === 'http' && each.notes?.['of'] !== undefined ? optionsOf(each.notes['of']) : each));

/** The factory that an expression is, or that a mock stands for. */
function external({ ev, module, frame }: Place, node: Node): ExternalValue | undefined {
  return meant(ev.evaluate(node, { module, frame })).find(
    (each): each is ExternalValue => each.type === 'external' && making.test(each.path.at(-1) ?? ''),
  );
}

/** Where something stands: itself, and all places that name the variable it is kept in. */
function placesOf(node: Node, { scopes }: SourceModule): readonly Node[] {
  const target = node.parent?.kind === 'variable' && node.parent.init === node ? node.parent.target : undefined;
  const binding = target?.kind === 'patternName' ? scopes.declaredBy(target) : undefined;
  return [node, ...(binding?.references ?? [])];
}
