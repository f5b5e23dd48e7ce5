/** What a pattern needs, read of its source: a text is left only where the pattern could not match it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clientRules } from '../../../codemods/clients/registry.ts';
import { screenOf } from '../../../codemods/find/words/screen.ts';

const rows: readonly [pattern: RegExp, text: string, may: boolean][] = [
  [/\baxios\b/, 'import axios', true],
  [/\baxios\b/, 'import ky', false],
  [/axios/i, 'AXIOS', true],
  [/\.(?:fetch|save)\([^;]{0,9}?\burl\b/, 'a.save(url', true],
  [/\.(?:fetch|save)\([^;]{0,9}?\burl\b/, 'a.save(path', false],
  [/\.(?:fetch|save)\([^;]{0,9}?\burl\b/, 'a.load(url', false],
  [/fastify(?:-plugin)?!/, 'fastify!', true],
  [/http-call|\w/, 'x', true],
  [/a{0,2}bcd*e/, 'bce', true],
  [/(?:abc)*xyz/, 'xyz', true],
  [/(?:abc)+xyz/, 'xyz', false],
  [/(?<!abc)xyz(?!abc)/, 'xyz', true],
  [/(?=(?<start>abc))\k<start>xyz/, 'xyz', false],
  [/ab[cd\]]ef\x60g\u0067h/, 'abcef`ggh', true],
  [/straße/i, 'STRAßE', true],
  [/xπy/i, 'XΠY', true],
  [/kind/iu, '\u212Aind', true],
];

it.each(rows)('%s and %j', (pattern, text, may) => {
  expect(screenOf(text)(pattern)).toBe(may);
  expect(may || !pattern.test(text)).toBe(true);
});

it('leaves nothing that a mark matches in the fixtures of clients', () => {
  const marks = clientRules.flatMap(({ ambient = [], carries = [] }) => [
    ...[ambient].flat().flatMap(({ mark, reached }) => (reached instanceof RegExp ? [mark, reached] : [mark])),
    ...carries.map(({ where }) => where),
  ]);
  const folder = join(import.meta.dirname, '../fixtures/clients');
  const texts = globSync('**/input/**/*.{ts,tsx,js,jsx,vue,json}', { cwd: folder }).map((file) =>
    readFileSync(join(folder, file), 'latin1'),
  );
  const left = texts.flatMap((text) => {
    const may = screenOf(text);
    return marks.filter((mark) => !may(mark) && mark.test(text)).map((mark) => `${mark.source}: ${text}`);
  });
  expect(texts.length).toBeGreaterThan(1_000);
  expect(left).toEqual([]);
});
