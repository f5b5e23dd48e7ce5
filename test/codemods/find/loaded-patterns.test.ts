import { expect, test } from 'vitest';
import { loadedByPatterns, patternsIn } from '../../../codemods/find/modules/loaded-patterns.ts';

const files = [
  'package.json',
  'src/container.js',
  'src/other.js',
  'src/stores/a.js',
  'src/stores/b/c.js',
  'src/stores/d.ts',
  'routes/e.js',
];

const loaded = (text: string, script = 'src/container.js'): readonly string[] => {
  const specifiers = new Map([
    [script, ['awilix']],
    ['src/other.js', ['./awilix.js']],
  ]);
  return loadedByPatterns({ specifiers, modules: new Set(files) }, [/^awilix$/], () => text).get(script) ?? [];
};

test.each([
  ["loadModules(['src/stores/*.js'])", ['src/stores/a.js']],
  ["loadModules(['stores/*.js'], { cwd: __dirname })", ['src/stores/a.js']],
  [
    "loadModules(['stores/**/*.{js,ts}'], { formatName: 'camelCase', cwd: `${__dirname}/` })",
    ['src/stores/a.js', 'src/stores/b/c.js', 'src/stores/d.ts'],
  ],
  ["loadModules([['stores/*.js', Lifetime.SCOPED], '../routes/*.js'], { cwd: import.meta.dirname })", ['src/stores/a.js', 'routes/e.js']],
  ['loadModules([`${__dirname}/stores/*.js`])', ['src/stores/a.js']],
  ["loadModules([path.join(__dirname, '..', 'routes', '*.js')])", ['routes/e.js']],
  [
    "const list = [\n  // What don't we load?\n  'stores/*.js',\n];\nloadModules(list, { cwd: path.resolve(__dirname) })",
    ['src/stores/a.js'],
  ],
  ["loadControllers('routes/*.js', { cwd: path.join(__dirname, '..') })", ['routes/e.js']],
])('a script that says %s loads %j', (text, expected) => {
  expect(loaded(text)).toEqual(expected);
  expect(patternsIn(text).isWhole).toBe(true);
});

test.each([
  'loadModules(patterns)',
  "loadModules(['stores/*.js'], { cwd: root })",
  "loadModules(['stores/*.js'], { ...options })",
  "loadModules(['stores/*.js'], options)",
  "loadModules(['stores/*.js', `${folder}/*.js`], { cwd: __dirname })",
  "loadModules(['stores/!(a).js'])",
])('which files %s loads is not known', (text) => {
  expect(patternsIn(text).isWhole).toBe(false);
});

test('a script in TypeScript names what its files become', () => {
  expect(loaded("loadModules(['stores/*.js'], { cwd: __dirname })", 'src/container.ts')).toEqual(['src/stores/a.js', 'src/stores/d.ts']);
});
