/** What files share without an import: the names under which they put things for each other. */
import { clientRules } from '../clients/registry.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { namesPutIn } from '../evaluate/provided.ts';
import { escaped } from '../find/literals.ts';

/** @returns whether a text has a name under which one of the modules puts something; undefined where they put nothing there */
export function sharedBy(modules: readonly SourceModule[]): ((text: string) => boolean) | undefined {
  const names = [...namesPutIn(clientRules, modules)].filter((name) => name !== '');
  if (names.length === 0) return undefined;
  const word = new RegExp(`(?<![\\w$])(?:${names.map(escaped).join('|')})(?![\\w$])`);
  return (text) => word.test(text);
}
