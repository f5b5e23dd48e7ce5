/** https://code.visualstudio.com/api/references/contribution-points#contributes.configuration: the settings that an extension of VS Code offers, with defaults. */
import { type Data, type Scalar, childrenOf, entryOf, mapOf, textOf } from './tree.ts';

/** @returns what settings are by default; none where people choose from a list, or where settings go to another program */
export function contributedIn(root: Data): Scalar[] {
  if (root.kind !== 'map' || hasServer(root)) return [];
  const contributes = mapOf(root, /^contributes$/);
  const configuration = contributes && entryOf(contributes, /^configuration$/)?.value;
  const parts = configuration?.kind === 'list' ? childrenOf(configuration) : configuration === undefined ? [] : [configuration];
  return parts.flatMap((part) => {
    const properties = part.kind === 'map' ? mapOf(part, /^properties$/) : undefined;
    return (properties?.entries ?? []).flatMap(({ value }) =>
      value.kind === 'map' && entryOf(value, /^(?:enum|pattern|oneOf|anyOf)$/) === undefined ? (textOf(value, /^default$/) ?? []) : [],
    );
  });
}

/** A language server is sent all settings of its section. */
const hasServer = (root: Data): boolean =>
  root.kind === 'map' &&
  root.entries.some(
    ({ value }) => value.kind === 'map' && value.entries.some(({ key }) => /^vscode-language(?:client|server)$/.test(key.value)),
  );
