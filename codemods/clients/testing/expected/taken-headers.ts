/** The header that a mock takes out of those of a request by a pattern: `const { 'x-api-key': key } = init.headers`. */
import { isAuthorization } from '../../../../src/contract/auth.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import { namesTo } from '../../../evaluate/values/leaves.ts';
import { writtenKey } from '../../../evaluate/language/objects.ts';
import type { Node, PatternProperty } from '../../../syntax/tree.ts';
import type { Key } from './expected-headers.ts';
import { lettersOf } from './header-letters.ts';

/** @returns undefined where the test takes a token beside it */
export function keyTakenBy(taken: PatternProperty, at: At & { readonly ev: Evaluation }): readonly Key[] | undefined {
  const { parent: pattern } = taken;
  if (pattern?.kind !== 'objectPattern' || pattern.properties.some(({ name }) => isAuthorization(name))) return undefined;
  const key = { name: taken.name, key: writtenKey(taken, at) };
  const owner = ownerOf(pattern);
  const from = owner?.kind === 'variable' && owner.each === undefined ? owner.init : undefined;
  if (from === undefined) return owner?.kind === 'param' ? [key] : undefined;
  const names = namesTo(pattern, owner ?? pattern);
  return [{ ...key, ...lettersOf(from, at, names) }];
}

function ownerOf(pattern: Node): Node | undefined {
  let at: Node | undefined = pattern;
  while (at?.kind === 'objectPattern' || at?.kind === 'arrayPattern' || at?.kind === 'patternProperty') at = at.parent;
  return at;
}
