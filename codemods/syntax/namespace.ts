/** Namespaces of TypeScript, read as what its compiler makes of them: `const A = (() => { …; return { b }; })()`. */
import { namesIn } from './scopes.ts';
import type { BlockNode, CallNode, Expression, Node, PatternName, PropertyNode, VariableNode } from './tree.ts';

/**
 * @param name undefined where it declares more of something that is declared elsewhere in the file, too: who has what it exports is not known
 * @param body its statements, what is exported marked as such
 */
export function namespaceOf(name: PatternName | undefined, body: readonly Node[], { start, end }: Place): BlockNode | VariableNode {
  const inside = body.flatMap((inner) => (inner.kind === 'exportDeclaration' ? inner.declarations : inner.kind === 'export' ? [] : inner));
  const exported = body.flatMap((inner) => (inner.kind === 'exportDeclaration' ? inner.declarations : []));
  // What is not written there is around all that is, and comes before it, as children stand in the order of the source.
  const around = { start: name?.end ?? start, end };
  const given: Expression = { kind: 'object', properties: exported.flatMap(declaredBy).map(propertyOf), ...around };
  const isOpen = name === undefined || exported.some((each) => each.kind === 'variable' && each.declares !== 'const');
  const made: Node = isOpen
    ? callOf({ kind: 'other', what: 'ModuleDeclaration', children: [], start: around.start, end: around.start }, [given])
    : { kind: 'return', argument: given, ...around };
  const all: BlockNode = { kind: 'block', body: [made, ...inside], params: [], ...around };
  if (isOpen) return { ...all, start };
  const init = callOf({ kind: 'function', params: [], body: all, isArrow: true, isDeclaration: false, ...around }, []);
  return { kind: 'variable', declares: 'const', target: name, init, start, end };
}

type Place = Pick<Node, 'start' | 'end'>;

const callOf = (callee: Expression, args: readonly Expression[]): CallNode => {
  const [{ start }, { end }] = [callee, args.at(-1) ?? callee];
  return { kind: 'call', callee, args, isNew: false, start, end };
};

const declaring = /\b(?:namespace|module|class|enum|function\*?)\s+([\w$.]+)/g;

/** Whether a name is declared once in a text: namespaces of one name, or that of a class, are one thing. */
export const isDeclaredOnce = (name: string, text: string): boolean =>
  Array.from(text.matchAll(declaring), ([, names = '']) => names.split('.'))
    .flat()
    .filter((each) => each === name).length === 1;

/** What stands in the place of an inner namespace, exported by the outer one: `namespace A.B {}`. */
export function exportedIn(inner: Node | readonly Node[], { end }: Place): Node {
  const declarations = [inner].flat();
  return { kind: 'exportDeclaration', isDefault: false, isAssignment: false, declarations, start: declarations[0]?.start ?? end, end };
}

function declaredBy(node: Node): readonly PatternName[] {
  if (node.kind === 'variable') return namesIn(node.target);
  return (node.kind === 'function' || node.kind === 'class' || node.kind === 'enum') && node.name !== undefined ? [node.name] : [];
}

const propertyOf = ({ name, start, end }: PatternName): PropertyNode => ({
  kind: 'property',
  name,
  keyStart: start,
  keyEnd: end,
  value: { kind: 'name', name, start, end },
  shorthand: true,
  start,
  end,
});
