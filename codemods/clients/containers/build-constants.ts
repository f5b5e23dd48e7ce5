/** Names that a build puts values in the place of: `define` of Vite and esbuild, webpack's DefinePlugin. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Ask, AskNode, Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { unknown } from '../../evaluate/values/values.ts';
import type { Expression, ObjectNode } from '../../syntax/tree.ts';
import { lastName } from '../names.ts';

const space = 'constants of a build';

/** `define: { __API__: JSON.stringify('https://…') }`, `new DefinePlugin({ … })` */
function puts(node: PutNode): readonly Put[] {
  if (node.kind !== 'object' || !isOfBuild(node)) return [];
  // What is laid over others may have their names.
  const laidOver = node.properties.findLastIndex(({ kind }) => kind === 'spread');
  return node.properties.flatMap((each, index): Put[] => {
    if (each.kind !== 'property' || each.name === undefined) return [];
    const text = index > laidOver ? written(each.value) : undefined;
    return [
      {
        space,
        key: each.name,
        node: text ?? each.value,
        value: (ev, at) => (text === undefined ? unknown(each, at.module) : ev.evaluate(text, at)),
      },
    ];
  });
}

function isOfBuild({ parent }: ObjectNode): boolean {
  if (parent?.kind === 'property') return parent.name === 'define';
  return parent?.kind === 'call' && parent.isNew && lastName(parent.callee) === 'DefinePlugin';
}

/** What is put there is code: a text comes as JSON. */
function written(value: Expression): Expression | undefined {
  if (value.kind !== 'call' || value.callee.kind !== 'member' || value.callee.property !== 'stringify') return undefined;
  const [text] = value.args;
  return text === undefined || text.kind === 'spread' ? undefined : text;
}

const asks = (node: AskNode, _name: string | undefined, { scopes }: SourceModule): Ask | undefined =>
  node.kind === 'name' && scopes.bindingOf(node) === undefined ? { space, key: node.name } : undefined;

const mark = /\bdefine\s*:\s*\{|\bDefinePlugin\b/;

function reachedBy(text: string): RegExp | undefined {
  const names = Array.from(text.matchAll(/(?<![\w.$])([A-Za-z_$][\w$]*)['"]?\s*:\s*JSON\.stringify\(/g), ([, name = '']) =>
    name.replaceAll('$', String.raw`\$`),
  );
  return names.length === 0 ? undefined : new RegExp(`(?<![\\w.$])(?:${names.join('|')})(?![\\w$])`);
}

export const buildConstantsLibrary: ClientRule = {
  name: 'build constants',
  carries: [{ where: mark, puts, asks }],
  ambient: { mark, reached: reachedBy },
};
