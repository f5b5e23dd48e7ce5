/** Manifests of Kubernetes, held to its own OpenAPI document by the compiler. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { projectRoot } from '../helpers/build.ts';
import type { Kinds } from './kubernetes-kinds.ts';

const options = '--noEmit --strict --module nodenext --allowImportingTsExtensions --skipLibCheck --types  --ignoreConfig'.split(' ');

/** All of the YAML files of a folder. */
export const manifestsIn = (folder: string): readonly unknown[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map((document): unknown => document.toJS()));

/**
 * Has the compiler compare each with its kind: every field is one that the kind has, of its type.
 * @param broken what the compiler has to refuse
 * @throws what the compiler says
 */
export function compareWithKinds(
  manifests: readonly unknown[],
  broken: Readonly<Partial<Record<keyof Kinds, readonly object[]>>>,
  folder: string,
): void {
  const kinds = z.array(z.looseObject({ kind: z.string() })).parse(manifests);
  const constants = kinds.map((manifest, i) => `export const m${i}: Kinds['${manifest.kind}'] = ${JSON.stringify(manifest)};`);
  const decoys = Object.entries(broken).flatMap(([kind, each]) =>
    each.map((manifest, i) => `// @ts-expect-error\nexport const ${kind}${i}: Kinds['${kind}'] = ${JSON.stringify(manifest)};`),
  );
  const file = join(folder, 'manifests.ts');
  const types = `import type { Kinds } from '${join(import.meta.dirname, 'kubernetes-kinds.ts')}';`;
  writeFileSync(file, [types, ...constants, ...decoys].join('\n'));
  execFileSync(process.execPath, [join(projectRoot, 'node_modules/typescript/bin/tsc'), ...options, file], { encoding: 'utf8' });
}
