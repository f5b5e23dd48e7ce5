/**
 * Rows that say of what kind they are: `{ scheme: 'header', name: 'x-api-key', value: key }`. What is done with those of another kind, as `case 'bearer'` of
 * `switch (auth.scheme)` says, is not done with this one.
 */
import { isRunFor } from '../../../evaluate/language/chosen.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { World } from '../../../evaluate/program.ts';
import { writesOf } from '../../../evaluate/writes/property-writes.ts';
import { isSamePath } from '../../../evaluate/names/same-path.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import type { BinaryNode, Expression, Node, ObjectNode } from '../../../syntax/tree.ts';

/** Whether a place that reads a property of what may be this row is run for rows of another kind alone. */
export function isOfAnotherKind(world: World, row: Node, read: Node, module: SourceModule): boolean {
  if (row.kind !== 'object' || read.kind !== 'member') return false;
  const kindOf = (subject: Node | undefined): string | undefined => {
    const { property } = subject?.kind === 'member' ? subject : {};
    if (subject?.kind !== 'member' || property === undefined || !isSamePath(subject.object, read.object, module.scopes)) return undefined;
    return isKeptWith(world, module, property, read.property) ? textOf(row, property) : undefined;
  };
  for (
    let inside: Node = read, around = read.parent;
    around !== undefined && around.kind !== 'function';
    inside = around, around = around.parent
  )
    if (isRun(around, inside, kindOf) === false) return true;
  return false;
}

/**
 * Whether no row is made to be of another kind that is asked about here: whatever says its kind, `{ ...auth, scheme: 'bearer' }`, says anew what is read of it.
 */
const isKeptWith = (world: World, asking: SourceModule, kind: string, read = ''): boolean =>
  writesOf(world, kind).length === 0 &&
  [...world.modules.values()].every(({ tree }) =>
    nodesOfKind(tree.program, 'property').every(
      ({ name, parent, value }) =>
        name !== kind || parent?.kind !== 'object' || names(parent, read) || (value.kind === 'string' && !asks(asking, value.value)),
    ),
  );

const asks = ({ text }: SourceModule, kind: string): boolean => text.includes(`'${kind}'`) || text.includes(`"${kind}"`);

const names = ({ properties }: ObjectNode, name: string): boolean =>
  properties.some((each) => each.kind === 'property' && each.name === name);

/** What a row has under a name, where it is a text that is written there, and nothing is spread into the row. */
function textOf({ properties }: ObjectNode, name: string): string | undefined {
  if (!properties.every((each) => each.kind === 'property' && each.name !== undefined)) return undefined;
  const [found, again] = properties.flatMap((each) => (each.kind === 'property' && each.name === name ? each.value : []));
  return found?.kind === 'string' && again === undefined ? found.value : undefined;
}

/** Whether a place is run for a kind, where it is run for one that is named; undefined where the question around it says nothing of that. */
function isRun(around: Node, inside: Node, kindOf: (subject: Node | undefined) => string | undefined): boolean | undefined {
  if (around.kind === 'block' && inside.kind === 'other' && inside.what === 'CaseClause') {
    const [subject, ...clauses] = around.body;
    const kind = kindOf(subject);
    return kind === undefined ? undefined : isRunFor(kind, clauses, inside);
  }
  const [test, then, otherwise] =
    around.kind === 'conditional'
      ? [around.test, around.whenTrue, around.whenFalse]
      : around.kind === 'other' && around.what === 'IfStatement'
        ? around.children
        : [];
  const branch = inside === then ? '=' : inside === otherwise ? '!' : undefined;
  return test?.kind === 'binary' && branch !== undefined && test.operator.startsWith(branch) ? isKind(test, kindOf) : undefined;
}

/** `auth.scheme === 'bearer'` */
function isKind({ operator, left, right }: BinaryNode, kindOf: (subject: Expression) => string | undefined): boolean | undefined {
  if (!/^[!=]==?$/.test(operator)) return undefined;
  const [named, subject] = left.kind === 'string' ? [left, right] : [right, left];
  const kind = named.kind === 'string' ? kindOf(subject) : undefined;
  return kind === undefined || named.kind !== 'string' ? undefined : kind === named.value;
}
