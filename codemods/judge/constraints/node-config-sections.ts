/**
 * Variables of the environment by the settings that they fill, as node-config's `custom-environment-variables.json` has them, and where a program takes more than
 * one of these at once: `config.get('texts')` for `texts.url`.
 */
import { nodeConfig } from '../../clients/settings/node-config.ts';
import type { Walk } from '../../find/walk.ts';
import { childrenOf, type Data } from '../../formats/data/tree.ts';
import { parseYaml } from '../../formats/data/yaml.ts';
import type { Node } from '../../syntax/tree.ts';
import type { ParsedFile } from './environment-holders.ts';

/** The settings by the variables that fill them: `texts.url` by `TEXTS_URL`. */
export type Sections = ReadonlyMap<string, string>;

const ofVariables = /(?:^|\/)custom-environment-variables\.(?:json5?|ya?ml)$/;

export const sectionsOf = (files: Walk['files'], names: ReadonlySet<string>, textIn: (file: string) => string): Sections =>
  new Map(
    files
      .filter(({ path }) => ofVariables.test(path))
      .flatMap(({ path }) => parseYaml(textIn(path)).roots.flatMap((root) => filledIn(root, '')))
      .filter(([name]) => names.has(name)),
  );

function filledIn(data: Data, path: string): (readonly [name: string, path: string])[] {
  if (data.kind === 'scalar') return [[data.value, path]];
  if (data.kind !== 'map') return childrenOf(data).flatMap((child) => filledIn(child, path));
  // `{ "__name": "TEXTS_URL", "__format": "json" }`
  return data.entries.flatMap(({ key, value }) =>
    filledIn(value, key.value === '__name' ? path : [path, key.value].filter((part) => part !== '').join('.')),
  );
}

/** Whether a call takes settings that a path is among, and not that one alone. */
export function takesSection(node: Node, path: string, of: ParsedFile): boolean {
  if (node.kind !== 'call' || node.callee.kind !== 'member' || node.callee.property !== 'get') return false;
  const [asked] = node.args;
  if (asked?.kind !== 'string' || !path.startsWith(`${asked.value}.`) || node.callee.object.kind !== 'name') return false;
  const owner = of.scopes.bindingOf(node.callee.object)?.owner;
  if (owner?.kind === 'import') return owner.source.value === nodeConfig;
  const [required] = owner?.kind === 'variable' && owner.init?.kind === 'call' ? owner.init.args : [];
  return required?.kind === 'string' && required.value === nodeConfig;
}
