/** What a variable of the environment is where nobody sets it: `env.URL ?? 'https://…'`, the default of a schema, what is given behind its name. */
import { escaped } from '../find/literals.ts';
import { flat } from '../evaluate/text.ts';
import { nodesOf } from '../evaluate/values.ts';
import type { CallNode, Node } from '../syntax/tree.ts';
import type { Request } from '../requests/requests.ts';
import { envOf } from './environment.ts';

/** @returns the variable that the address of a request is the default of, where another of the same call has the variable's own in its place */
export function defaultOf({ url }: Request, others: readonly Request[]): string | undefined {
  const [leading] = url ?? [];
  if (url === undefined || leading === undefined || 'unknownPart' in leading || leading.source === undefined) return undefined;
  const places = [leading.source, ...nodesOf(leading.provenance)];
  const names = others.flatMap((other) => {
    const name = envOf(other.url?.[0])?.name;
    return name !== undefined && flat(url).endsWith(flat(other.url ?? []).slice(1)) ? name : [];
  });
  return names.find((name) => places.some((place) => isDefaultOf(name, place.node, place.module.text)));
}

function isDefaultOf(name: string, node: Node, text: string): boolean {
  const word = new RegExp(String.raw`(?<![\w$])${escaped(name)}(?![\w$])`);
  const isNamed = ({ start, end }: Node): boolean => word.test(text.slice(start, end));
  let isSchema = false;
  for (let at = node; at.parent !== undefined && within.has(at.parent.kind); at = at.parent) {
    const { parent } = at;
    if (parent.kind === 'logical' && parent.right === at && parent.operator !== '&&' && isNamed(parent.left)) return true;
    if (parent.kind === 'patternProperty' && parent.default === at) return parent.name === name;
    if (parent.kind === 'call' && parent.callee !== at) {
      const [key] = parent.args;
      if (key !== at && key?.kind === 'string' && key.value === name) return true;
      isSchema ||= schemaDefault.test(calledIn(parent));
      if (isSchema && isNamed(parent.callee)) return true;
    }
    if (parent.kind === 'property') {
      isSchema ||= schemaDefault.test(parent.name ?? '');
      if (isSchema && parent.name === name) return true;
    }
    if (
      parent.kind === 'object' &&
      isSchema &&
      parent.properties.some((each) => each.kind === 'property' && each.name === 'env' && isNamed(each.value))
    )
      return true;
  }
  return false;
}

const schemaDefault = /^(?:default|devDefault)$/;
/** What a default may stand in up to what it is the default of. */
const within: ReadonlySet<Node['kind']> = new Set(['call', 'logical', 'member', 'object', 'patternProperty', 'property', 'template']);

const calledIn = ({ callee }: CallNode): string =>
  callee.kind === 'member' ? (callee.property ?? '') : callee.kind === 'name' ? callee.name : '';
