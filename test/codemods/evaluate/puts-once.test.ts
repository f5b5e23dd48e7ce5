/** What a file puts under names is looked for once, by however many that is asked. */
import { expect, test } from 'vitest';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import type { ClientRule } from '../../../codemods/evaluate/libraries/client-rule.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';
import { namesPutIn } from '../../../codemods/evaluate/libraries/provided.ts';
import type { Node } from '../../../codemods/syntax/tree.ts';

const engines = await loadEngines();

test('each call of a file is asked once, whoever wants to know under which names it puts something', () => {
  const text = "store.put('client', client);\nstore.put('other', other);\n";
  const module = sourceModule('main.js', text, engines.parse('main.js', text).tree);
  const asked: Node[] = [];
  const rule: ClientRule = {
    name: 'store',
    carries: [
      {
        where: /store/,
        puts(node) {
          asked.push(node);
          return node.kind === 'call' && node.args[0]?.kind === 'string' ? [{ space: 'store', key: node.args[0], node }] : [];
        },
      },
    ],
  };
  const first = text.indexOf('\n');
  const names = [() => true, (_: string, offset: number) => offset < first].map((has) =>
    namesPutIn([rule], [module], { isIn: () => true, has }),
  );
  expect(names).toEqual([new Set(['client', 'other']), new Set(['client'])]);
  expect(new Set(asked).size).toBe(asked.length);
});
