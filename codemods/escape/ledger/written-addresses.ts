/** How an address begins, by the syntax alone: what a call is given that was too much to follow is often a constant of another file, which says whose path it is. */
import { standsFor } from '../../evaluate/names/aliases.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import type { Node } from '../../syntax/tree.ts';
import { routeHeads } from '../../verdict/bases/routes.ts';
import { returnedBy } from '../flow/functions/returned.ts';

/** Names that stand for names that … further than this are not looked up. */
const maxDepth = 6;

/** An expression, with the file that it stands in. */
interface Written {
  readonly node: Node;
  readonly module: SourceModule;
}

/** A text as far as it is written out, and whether that is all of it. */
interface Beginning {
  readonly text: string;
  readonly isWhole: boolean;
}

const nothing: Beginning = { text: '', isWhole: false };

/** What an expression stands for, and how that begins. */
export function beginningOf(written: Written, world: World, depth = 0): Beginning {
  const { node, module } = written;
  if (depth > maxDepth) return nothing;
  const next = (each: Node): Beginning => beginningOf({ node: each, module }, world, depth + 1);
  switch (node.kind) {
    case 'string':
      return { text: node.value, isWhole: true };
    case 'template':
      return joined(
        node.texts.flatMap(({ value }, index) => [
          () => ({ text: value, isWhole: true }),
          ...node.expressions.slice(index, index + 1).map((each) => () => next(each)),
        ]),
      );
    case 'concat':
      return joined([() => next(node.left), () => next(node.right)]);
    case 'name': {
      const constant = standsFor(world, node, module);
      return constant === undefined ? nothing : beginningOf(constant, world, depth + 1);
    }
    // `teamsOf(id)` that gives a template
    case 'call': {
      const fn = node.callee.kind === 'name' ? standsFor(world, node.callee, module) : undefined;
      const [given, ...others] = fn?.node.kind === 'function' ? returnedBy(fn.node) : [];
      return fn === undefined || given === undefined || others.length > 0
        ? nothing
        : beginningOf({ node: given, module: fn.module }, world, depth + 1);
    }
    default:
      return nothing;
  }
}

/** Parts one behind the other, up to the first that is not whole. */
function joined(parts: readonly (() => Beginning)[]): Beginning {
  let text = '';
  for (const part of parts) {
    const each = part();
    text += each.text;
    if (!each.isWhole) return { text, isWhole: false };
  }
  return { text, isWhole: true };
}

const resources: ReadonlySet<string> = new Set(routeHeads.map((head) => head.split('/').at(-1) ?? ''));

/**
 * `/api/v1/management/surveys`, `/api/v2/management`: a path with a version and something behind it that v1 has not. What may go on with another name, or has none, may be anything;
 * a host may be ours.
 */
export function isPathOfOthers({ text, isWhole }: Beginning): boolean {
  const [path = '', query] = text.split(/[?#]/, 2);
  const [, resource, behind] = /^\/(?:[\w.-]+\/)*?v\d+\/([\w-]+)(\/?)/.exec(path) ?? [];
  return resource !== undefined && !resources.has(resource) && (behind === '/' || isWhole || query !== undefined);
}
