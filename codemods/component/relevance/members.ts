/** What a statement takes of a namespace, `import * as sdk from './sdk'`: only who hands that on as a whole may have all of it. */
import { escaped } from '../../find/words/literals.ts';
import { walk } from '../../syntax/link.ts';
import { isPlain, type Unit } from './outline.ts';

/**
 * @param file what the statement stands in: a template beside the code may say more than the tree
 * @returns the names that it takes, as a value or for a type, and undefined where it may take any
 */
export function membersTaken({ node, text }: Unit, namespace: string, file: string): readonly string[] | undefined {
  if (!isPlain.test(file)) return undefined;
  let [mentioned, taken] = [0, 0];
  const names = new Set<string>();
  walk(node, (each) => {
    if (each.kind === 'name' && each.name === namespace) mentioned++;
    if (each.kind !== 'member' || each.property === undefined || each.object.kind !== 'name' || each.object.name !== namespace) return;
    taken++;
    names.add(each.property);
  });
  if (taken === 0 || taken < mentioned) return undefined;
  const named = new RegExp(String.raw`(?<![\w$])${escaped(namespace)}\s*[?!]?\.\s*([\w$]+)`, 'g');
  for (const [, name = ''] of text.matchAll(named)) names.add(name);
  return [...names];
}
