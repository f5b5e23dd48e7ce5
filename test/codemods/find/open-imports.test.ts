/** Modules of which a program writes only a part of the name. */
import { expect, it } from 'vitest';
import { namesOf, openImportsIn } from '../../../codemods/find/modules/open-imports.ts';

const files = (count: number): string[] => Array.from({ length: count }, (_, index) => `config/env/${index}.json`);

it('are all files that the name may mean', () => {
  expect(openImportsIn("module.exports = require('./env/' + name + '.json');")).toEqual(['./env/*.json']);
  expect(openImportsIn('await import(`./jobs/${name}.js`)')).toEqual(['./jobs/*.js']);
  expect(namesOf('config/index.js', './env/*.json', [...files(2), 'config/env/deeper/0.json', 'config/other.json'])).toEqual([
    './env/0.json',
    './env/1.json',
  ]);
});

it('are none where there are more than a dozen, of which nobody says that they are one thing for several environments', () => {
  expect(namesOf('config/index.js', './env/*.json', files(12))).toHaveLength(12);
  expect(namesOf('config/index.js', './env/*.json', files(13))).toEqual([]);
});
