/** Which functions make all who use what stands beside them matter: those that put there what they are given. */
import { expect, it } from 'vitest';
import { outlineOf } from '../../../codemods/component/relevance/outline.ts';
import { isSet } from '../../../codemods/component/relevance/setters.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { parsedFile } from '../../../codemods/evaluate/module.ts';

const engines = await loadEngines();

/** Whether a function of a file puts what it is given into what its first statement declares. */
function isFirstSet(text: string): boolean {
  const outline = outlineOf(parsedFile('a.ts', text, engines.parse('a.ts', text).tree));
  const [first] = outline.units;
  return first !== undefined && isSet(outline, first);
}

it.each([
  ['assigned', 'let base = "";\nexport function init(url) {\n  base = url;\n}'],
  ['put into a list', 'const tools = [];\nexport function register(tool) {\n  tools.push(tool);\n}'],
  ['put into a row', 'const tools = [];\nexport function register(name, run) {\n  tools.push({ name, run });\n}'],
  ['put into a Map', 'const tools = new Map();\nexport function register(tool) {\n  tools.set(tool.name, tool);\n}'],
  ['put into a list one by one', 'const all = [];\nexport function register(tools) {\n  tools.forEach((tool) => all.push(tool));\n}'],
])('what a function is given is %s', (_, text) => {
  expect(isFirstSet(text)).toBe(true);
});

it.each([
  ['what it makes itself', 'const kept = new Map();\nexport function fill(key) {\n  kept.set(key, { made: make(key), at: now() });\n}'],
  ['texts alone', 'const kept = new Map();\nexport function fill(key: string, why: string) {\n  kept.set(key, { why });\n}'],
  ['what nobody goes through', 'const kept = new WeakMap();\nexport function fill(key, value) {\n  kept.set(key, value);\n}'],
  ['answers', 'const kept = new Map();\nexport const fill = (key) => load(key).then((answer) => kept.set(key, answer));'],
])('a cache with %s is no registry', (_, text) => {
  expect(isFirstSet(text)).toBe(false);
});
