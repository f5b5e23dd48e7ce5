import { expect, test } from 'vitest';
import { shareTexts } from '../../../codemods/run/share-texts.ts';

test('data in which equal texts are made one is the same data', () => {
  const make = () => ({
    file: 'a.ts',
    proof: [{ file: 'a.ts', start: 0, text: '' }, { file: 'b.ts' }, null, undefined],
    versions: new Map([['a.ts', '1']]),
    names: ['a.ts', 'b.ts'],
  });
  const data = make();
  shareTexts(data);
  expect(data).toEqual(make());
});
