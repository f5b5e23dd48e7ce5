import { expect, test } from 'vitest';
import { examplesIn } from '../../../codemods/find/packages/examples.ts';

test.each([
  ['a copy that is not there', ['app/config.example.json'], { 'app/config.json': 'app/config.example.json' }],
  ['a mark in front, and YAML', ['example.settings.yaml'], { 'settings.yaml': 'example.settings.yaml' }],
  ['a copy that is there', ['config.json', 'config.example.json'], {}],
  ['two examples of one copy, of which nobody knows which was taken', ['config.example.json', 'config.sample.json'], {}],
  ['three of them', ['config.dist.json', 'config.example.json', 'config.sample.json'], {}],
  ['code', ['config.example.js'], {}],
])('%s', (_, files, found) => {
  expect(Object.fromEntries(examplesIn(new Set(files)))).toEqual(found);
});
