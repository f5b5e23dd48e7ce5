/** What becomes of the schemas of services beside being mixed in and started: a copy of one may be another service, with other settings. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Expression, Node, ObjectNode } from '../../syntax/tree.ts';

/** Whether a schema, or what names one, is mixed in, started, exported, or given a name. */
export function isPlain(node: Node): boolean {
  const { parent } = node;
  switch (parent?.kind) {
    case 'array':
      return parent.parent?.kind === 'property' && parent.parent.name === 'mixins';
    case 'property':
      return parent.name === 'mixins';
    case 'call':
      return parent.args[0] === node && parent.callee.kind === 'member' && parent.callee.property === 'createService';
    case 'variable':
      return parent.init === node && parent.target.kind === 'patternName';
    case 'assign':
      return parent.value === node && isOfExports(parent.target);
    case 'member':
      return parent.object === node && (/^(?:name|settings|version)$/.test(parent.property ?? '') || isPlain(parent));
    default:
      return parent === undefined || parent.kind.startsWith('export');
  }
}

/** `module.exports`, `exports.Mixin` */
function isOfExports(target: Node): boolean {
  const root = target.kind === 'member' ? target.object : target;
  return root.kind === 'name' ? /^(?:module|exports)$/.test(root.name) : root.kind === 'member' && isOfExports(root);
}

/** What runs as part of a service and stands elsewhere: `actions: { list, get: { handler: require('./get') } }`. */
export function handlersNamedIn({ properties }: ObjectNode): readonly Expression[] {
  const named: Expression[] = [];
  const collect = (value: Expression, depth: number): void => {
    if (value.kind === 'name' || value.kind === 'member' || value.kind === 'call') named.push(value);
    else if (value.kind === 'array' && depth > 0)
      for (const each of value.elements) if (each !== undefined && each.kind !== 'spread') collect(each, depth);
    if (value.kind !== 'object' || depth === 0) return;
    for (const each of value.properties)
      if (each.kind === 'property' && (depth > 1 || each.name === 'handler')) collect(each.value, depth - 1);
  };
  for (const each of properties) if (each.kind === 'property' && running.test(each.name ?? '')) collect(each.value, 2);
  return named;
}

const running = /^(?:actions|methods|events|created|started|stopped)$/;

/** What only a schema has, and what a mixin is seldom without. */
const sections = /^(?:actions|methods|mixins|settings|events|created|started)$/;

const mayBeSchema = (node: Expression | undefined): boolean =>
  node?.kind === 'object' && node.properties.some((each) => each.kind === 'property' && sections.test(each.name ?? ''));

/**
 * The places of a file that do something else with what may be a schema: of its own, or of another file. What tests do, they do alone.
 * @param holdsSchemas whether a file has such
 */
export function usedOtherwise(
  { world }: Evaluation,
  module: SourceModule,
  holdsSchemas: (module: SourceModule) => boolean,
): readonly Node[] {
  if (isTest(module)) return [];
  const { tree, calls, scopes } = module;
  const isSchemas = (specifier: Node | undefined): boolean => {
    const from = specifier?.kind === 'string' ? world.resolve(module, specifier.value) : undefined;
    return from !== undefined && holdsSchemas(from);
  };
  const required = new Set<Node>(
    calls.filter(({ callee, args: [from] }) => callee.kind === 'name' && callee.name === 'require' && isSchemas(from)),
  );
  const imported = nodesOfKind(tree.program, 'import').flatMap(({ source, specifiers }) =>
    isSchemas(source) ? specifiers.map(({ local }) => local) : [],
  );
  const named = nodesOfKind(tree.program, 'variable').flatMap(({ target, init }) =>
    target.kind === 'patternName' && init !== undefined && (required.has(init) || mayBeSchema(init)) ? [target] : [],
  );
  const references = [...imported, ...named].flatMap((name): readonly Node[] => scopes.declaredBy(name)?.references ?? []);
  return [...required, ...references].filter((node) => !isPlain(node));
}
