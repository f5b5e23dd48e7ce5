/** What functions and methods that are not the project's own do with an object that they are given or called on. */
import type { Expression, Node } from '../syntax/tree.ts';
import { combined } from './combined.ts';
import type { Evaluation } from './evaluation.ts';
import { isForeign } from './loose-writes.ts';
import type { SourceModule } from './module.ts';

export const addingMethods = new Set(['push', 'unshift']);
/** Methods that give a list of the same items. */
export const copyingMethods = new Set([
  'slice',
  'filter',
  'concat',
  'reverse',
  'toReversed',
  'flat',
  'splice',
  'toSpliced',
  'with',
  'fill',
  'values',
]);
/** Methods that give items to functions in other ways. */
export const foldingMethods = new Set(['reduce', 'reduceRight', 'sort', 'toSorted', 'entries']);
/** Functions that give back what they are given first, … */
export const keepingFunctions = new Set(['Object.freeze', 'Object.seal', 'Object.preventExtensions', 'Object.assign', 'Promise.resolve']);
/** … those that give another with what that holds, … */
export const copyingFunctions = new Set(['Object.values', 'Array.from', 'Promise.all']);
/** … and those that only look at it, or write into it. */
export const lookingFunctions =
  /^(?:Object\.(?:keys|is|hasOwn|getOwnPropertyNames|getPrototypeOf|is(?:Frozen|Sealed|Extensible)|define\w+)|Array\.isArray|Reflect\.(?:has|ownKeys|set|defineProperty|deleteProperty))$/;
/** `Object.freeze`, where nothing in the file is called `Object`. */
export function globalName(callee: Expression, { scopes }: SourceModule): string {
  if (callee.kind !== 'member' || callee.object.kind !== 'name' || scopes.bindingOf(callee.object) !== undefined) return '';
  return `${callee.object.name}.${callee.property ?? ''}`;
}

/** Packages, the platform and clients only read what they are given. */
export function isTrusted(ev: Evaluation, callee: Node, module: SourceModule): boolean {
  if (isForeign(callee, module, ev.world)) return true;
  return callee.kind === 'member' && combined(ev.rules).mayAsk(callee.property ?? '');
}
