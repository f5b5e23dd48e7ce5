/** What a place is, or is not, that may be given something by a container: only where nothing else says what it is, is it asked for there. */
import { givenIn } from './given.ts';
import type { Node } from '../../syntax/tree.ts';
import { optionsOf, type Value } from '../values/values.ts';

export const isUnknown = (value: Value): boolean =>
  (value.type === 'method' ? value.receiver : value).type === 'unknown' && givenIn(value) === undefined;
/** A name that nothing declares, or a property of the global object. */
const isGlobal = (value: Value): boolean => value.type === 'external' && value.source === '' && value.path.length === 1;
/** `cy.name`: a property of a global, which a library has. */
export const isOfGlobal = (value: Value, name?: string): boolean =>
  value.type === 'external' && value.source === '' && value.path.length === 2 && (name === undefined || value.path[0] === name);
/** Something of a package. */
export const isPackages = (value: Value): boolean => optionsOf(value).every((each) => each.type === 'external' && each.source !== '');
/** `$http!: AxiosInstance`: a field that nothing is put into is known by its type alone. */
const isDeclared = (value: Value): boolean =>
  value.type === 'http' && value.stage === 'client' && value.base === undefined && value.node.kind === 'classMember';
/** Whether nothing else says what it is, whichever of its options it is. */
export function isOpen(value: Value): boolean {
  const options = optionsOf(value);
  return (
    options.length > 0 &&
    options.every(
      (each) =>
        each.type === 'param' || isGlobal(each) || isDeclared(each) || (isUnknown(each) && each.why !== 'too many' && each.why !== 'depth'),
    )
  );
}

/** `this.$api` of what is written as an object that has none: whoever calls its methods may call them on another. */
export function isLacking(value: Value, node: Node): boolean {
  const variable = node.kind === 'patternName' ? node.parent?.parent?.parent : undefined;
  let root = variable?.kind === 'variable' ? variable.init : node;
  while (root?.kind === 'member') root = root.object;
  return root?.kind === 'this' && optionsOf(value).every((each) => each.type === 'literal' && each.value === undefined);
}

/** Nothing at all, as where something is put later. */
export const isMissing = (value: Value): boolean => value.type === 'literal' && (value.value === undefined || value.value === null);
