/** Objects whose properties are variables of the environment: `process.env`, and what libraries and pages have in its place. */
import { ofPageNamed } from '../../find/words/code-settings.ts';
import type { Node } from '../../syntax/tree.ts';
import { combined } from '../libraries/combined.ts';
import type { Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import type { ExternalValue } from '../values/values.ts';

/** What a file that is written where a page is deployed has for it, and the program puts nothing else in the place of. */
const ofPage = new RegExp(`^${ofPageNamed}$`);
const environments = new Set(['process.env', 'import.meta.env', 'Bun.env', 'Deno.env']);

/** What is not the project's own by its whole name: `process.env`. */
export const wholeOf = ({ source, path }: ExternalValue): string => [source, ...path].filter((each) => each !== '').join('.');

export function isEnvironment(ev: Evaluation, value: ExternalValue): boolean {
  const whole = wholeOf(value);
  return environments.has(whole) || (value.isOfGlobal === true && ofPage.test(whole)) || combined(ev.rules).environments.has(whole);
}

/** Whether nothing is done with what an expression gives but to take properties of it by name: nobody adds one. */
export function isReadAlone(node: Node, { scopes }: SourceModule): boolean {
  const { parent } = node;
  if (parent?.kind !== 'variable') return isTakenFrom(node);
  if (parent.init !== node || parent.declares !== 'const' || parent.parent?.kind === 'exportDeclaration') return false;
  const { target } = parent;
  return target.kind === 'patternName'
    ? scopes.declaredBy(target)?.references.every(isTakenFrom) === true
    : target.kind === 'objectPattern';
}

/** `env.NAME`, where that is not written. */
function isTakenFrom(node: Node): boolean {
  const taken = node.parent;
  if (taken?.kind !== 'member' || taken.object !== node || taken.property === undefined) return false;
  const { parent } = taken;
  return !(parent?.kind === 'assign' && parent.target === taken) && !(parent?.kind === 'unary' && parent.operator === 'delete');
}
