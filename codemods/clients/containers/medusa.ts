/** Medusa's modules: https://docs.medusajs.com/learn/fundamentals/modules/options. The configuration names a folder, and what the constructor of its service gets second. */
import { posix } from 'node:path';
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Ask, AskNode, Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { classAround } from '../../evaluate/calls/callees.ts';

const space = 'options of Medusa';

/** `{ resolve: './src/modules/texts', options: { … } }` */
function puts(node: PutNode, { file }: SourceModule): readonly Put[] {
  if (node.kind !== 'object') return [];
  const [folder, options] = ['resolve', 'options'].map(
    (name) => node.properties.flatMap((each) => (each.kind === 'property' && each.name === name ? each.value : []))[0],
  );
  if (folder?.kind !== 'string' || !folder.value.startsWith('.') || options === undefined) return [];
  return [{ space, key: posix.join(posix.dirname(file), folder.value), node: options }];
}

/** The second parameter of a constructor in the folder, of the class that its file exports. */
function asks(node: AskNode, _name: string | undefined, { file, text }: SourceModule): Ask | undefined {
  const fn = node.kind === 'param' && node.parent?.kind === 'function' && node.parent.params.indexOf(node) === 1 ? node.parent : undefined;
  if (fn?.parent?.kind !== 'classMember' || fn.parent.role !== 'constructor') return undefined;
  const service = classAround(fn)?.name?.name;
  const isExported = service !== undefined && new RegExp(`\\bexport\\s+default\\s+(?:class\\s+)?${service}\\b`).test(text);
  return isExported ? { space, key: posix.dirname(file) } : undefined;
}

const where = /['"]@medusajs\//;

export const medusaLibrary: ClientRule = {
  name: 'medusa',
  ambient: { mark: /['"]@medusajs\/[^]*\bresolve:\s*['"]\./, reached: where },
  carries: [{ where, puts, asks }],
};
