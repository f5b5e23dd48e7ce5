import fc from 'fast-check';
import { expect, test } from 'vitest';
import { importsOf, componentsOf } from '../../../codemods/find/components.ts';

/** Edges as `importer: imported ones`. */
const components = (candidates: readonly string[], edges: Readonly<Record<string, readonly string[]>>, parts: readonly string[] = []) =>
  componentsOf(
    candidates,
    importsOf(new Map(Object.entries(edges)), (_, specifier) => specifier),
    new Set(parts),
  );

test('a candidate is with what it imports and with what imports it, however far', () => {
  const edges = { main: ['service', 'other'], service: ['client'], client: ['config'], config: ['names'], other: ['far'] };
  expect(components(['client'], edges)).toEqual([['client', 'config', 'main', 'names', 'service']]);
});

test('candidates that share nothing are components of their own, in the order of their files', () => {
  expect(components(['z', 'b'], { a: ['b'], c: ['d'] })).toEqual([['a', 'b'], ['z']]);
});

test('candidates with a common constant or a common importer are one component', () => {
  expect(components(['a', 'b'], { a: ['c'], b: ['c'] })).toEqual([['a', 'b', 'c']]);
  expect(components(['a', 'b'], { c: ['a', 'b'] })).toEqual([['a', 'b', 'c']]);
});

test('parts of a path that an importer may hand to a wrapper are with it, by way of an index file too', () => {
  const edges = { caller: ['wrapper', 'paths', 'constants', 'logger'], constants: ['version'], logger: ['format'], format: ['words'] };
  expect(components(['wrapper'], edges, ['paths', 'version', 'words'])).toEqual([['caller', 'constants', 'paths', 'version', 'wrapper']]);
});

test('helpers that name the machine itself are with who imports them, and nobody else is for them', () => {
  const edges = { test: ['client', 'helper', 'port'], other: ['helper'], helper: ['port'] };
  const imports = importsOf(new Map(Object.entries(edges)), (_, specifier) => specifier);
  expect(componentsOf(['client'], imports, new Set(), new Set(['helper']))).toEqual([['client', 'helper', 'test']]);
});

test('who asks by a client that a file makes is with it, whoever hands it on', () => {
  const edges = { client: ['http'], 'index.js': ['http', 'words'], shop: ['index.js'], page: ['shop'] };
  const imports = importsOf(new Map(Object.entries(edges)), (_, specifier) => specifier);
  expect(componentsOf(['client'], imports, new Set(), new Set(), new Set(['http']))).toEqual([
    ['client', 'http', 'index.js', 'page', 'shop'],
  ]);
});

test('files that import each other are one component', () => {
  expect(components(['a'], { a: ['b'], b: ['c'], c: ['a', 'c'] })).toEqual([['a', 'b', 'c']]);
});

test('without candidates there are none', () => {
  expect(components([], { a: ['b'] }, ['b'])).toEqual([]);
});

test('no file is in two components, every candidate is in one, and the order of the input does not matter', () => {
  const file = fc.constantFrom(...'abcdefghij');
  const graph = fc.uniqueArray(fc.tuple(file, fc.uniqueArray(file, { maxLength: 3 })), { selector: ([from]) => from });
  fc.assert(
    fc.property(graph, fc.uniqueArray(file), fc.uniqueArray(file), (edges, candidates, parts) => {
      const found = components(candidates, Object.fromEntries(edges), parts);
      const files = found.flat();
      expect(new Set(files).size).toBe(files.length);
      expect(candidates.filter((candidate) => !files.includes(candidate))).toEqual([]);
      expect(components(candidates.toReversed(), Object.fromEntries(edges.toReversed()), parts.toReversed())).toEqual(found);
    }),
  );
});
