/** Fields that a class of the project has for the one of a package that it inherits from: `class Contacts extends RESTAdapter { namespace = 'v1'; }`. */
import type { Place } from '../../../evaluate/budget.ts';
import { classAround } from '../../../evaluate/calls/callees.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { combined } from '../../../evaluate/libraries/combined.ts';
import type { ClassValue, Value } from '../../../evaluate/values/values.ts';
import { useOf } from '../uses.ts';
import type { ClassNode } from '../../../syntax/tree.ts';
import { lastName } from '../../../clients/names.ts';

/** Classes that ask for what their heirs say … */
const asking = /adapter|client|model|collection|resource|data-?source|transport|sdk|fetcher|http/i;
/** … by fields such as these. */
const addressing = /^(?:host(?:name)?|namespace|base\w*|url\w*|root\w*|prefix|path\w*|endpoint|origin|version|headers|api\w*)$/i;

/** Whether the class of a package which is not known asks by a field that an heir of it has. */
export function isAskedByPackage(ev: Evaluation, { node, module }: Place): boolean {
  const use = useOf(node);
  const around = use.kind === 'field' && addressing.test(use.name ?? '') ? classAround(node) : undefined;
  const seen = new Set<ClassNode>();
  let of: Pick<ClassValue, 'node' | 'module'> | undefined = around && { node: around, module };
  while (of !== undefined && !seen.has(of.node)) {
    seen.add(of.node);
    const { superclass }: ClassNode = of.node;
    const above: Value | undefined = superclass && ev.evaluate(superclass, { module: of.module, frame: undefined });
    if (superclass !== undefined && above?.type === 'external')
      return !combined(ev.rules).modules.has(above.source) && asking.test(`${above.source} ${lastName(superclass)}`);
    of = above?.type === 'class' ? above : undefined;
  }
  return false;
}
