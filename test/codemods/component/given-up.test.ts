/** Where a base leads through most of a large application nothing is edited: no more of it is read to tell of that than of what is far from a base. */
import { expect, it } from 'vitest';
import { sliceOf } from '../helpers/slices.ts';

it('of what a base leads through only the beginning is kept where all of it is too much', () => {
  const padding = ` // ${' '.repeat(700_000)}`;
  const handing = Array.from({ length: 12 }, (_, at) => [
    `${at + 1}.js`,
    `import { tools } from './${at}.js';\nexport { tools };\nexport const more = ask(tools);${padding}`,
  ]);
  const files = { '0.js': "export const tools = 'https://api.example.com/v1/messages';", ...Object.fromEntries(handing) };
  const { modules, isFollowed, looked } = sliceOf(files, ['0.js'], (text) => text.includes('api.example.com'));
  expect(modules.map(({ file }) => file)).toEqual(['0.js', '1.js', '2.js']);
  expect(isFollowed('0.js', 0)).toBe(false);
  expect(looked).toBe(Infinity);
});
