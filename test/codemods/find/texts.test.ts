import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Texts } from '../../../codemods/find/files/texts.ts';
import { treeOf } from './tree.ts';

describe('the texts of a run', () => {
  test.each([
    ['ASCII', Buffer.from('const a = 1;'), 'const a = 1;'],
    ['UTF-8', Buffer.from("const größe = '→ 🙂';"), "const größe = '→ 🙂';"],
    ['UTF-8 with its mark, which is kept', Buffer.from('\uFEFFconst a = 1;'), '\uFEFFconst a = 1;'],
    ['no UTF-8, which has no text', Buffer.from('größe', 'latin1'), ''],
  ])('are read from %s', (_, bytes, text) => {
    using tree = treeOf({ 'a.js': bytes });
    const texts = new Texts(tree.root);
    expect(texts.utf8('a.js')).toBe(text);
    expect(texts.latin1('a.js')).toBe(bytes.toString('latin1'));
  });

  test('say nothing of a file that is not there', () => {
    using tree = treeOf({});
    const texts = new Texts(tree.root);
    expect([texts.latin1('a.js'), texts.utf8('a.js')]).toEqual(['', '']);
  });

  test('are read once', () => {
    using tree = treeOf({ 'a.js': 'größe' });
    const texts = new Texts(tree.root);
    texts.latin1('a.js');
    rmSync(join(tree.root, 'a.js'));
    expect(texts.utf8('a.js')).toBe('größe');
  });

  test('are read again where there is no room for them', () => {
    const large = 'x'.repeat(5 * 2 ** 20);
    const names = Array.from({ length: 7 }, (_, index) => `${index}.js`);
    using tree = treeOf(Object.fromEntries(names.map((name) => [name, large])));
    const texts = new Texts(tree.root);
    for (const name of names) texts.latin1(name);
    for (const name of names) rmSync(join(tree.root, name));
    expect(names.filter((name) => texts.latin1(name) === '')).toEqual(['6.js']);
  });
});
