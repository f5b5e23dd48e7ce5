import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, compile, fill, type Scope, type Words } from '../../../src/report/letters/template.ts';

const escape = (text: string): string => `<${text}>`;
const wordsOf = (given: Readonly<Record<string, string>>): Words =>
  new Map(Object.entries(given).map(([name, text]) => [name, compile(text, 'strings.json')]));
const filled = (text: string, scope: Scope, words: Readonly<Record<string, string>> = {}): string =>
  fill(compile(text, 'letter.md'), wordsOf(words), scope, escape);

describe('a template', () => {
  test.each<[string, string, Scope, string]>([
    ['has values, escaped', 'a {{b}} {{ c }}', { b: 'x', c: 7 }, 'a <x> <7>'],
    ['has nothing where nothing is', '{{a}}{{b}}', { a: null, b: true }, ''],
    [
      'repeats for each of a list, which sees what is around it',
      '{{#a}}{{b}}{{c}};{{/a}}',
      { a: [{ b: 1 }, { b: 2 }], c: 3 },
      '<1><3>;<2><3>;',
    ],
    ['shows a section where something is', '{{#a}}yes{{/a}}{{^a}}no{{/a}}', { a: 'x' }, 'yes'],
    ['and another one where nothing is', '{{#a}}yes{{/a}}{{^a}}no{{/a}}', { a: '' }, 'no'],
    ['takes an empty list for nothing', '{{#a}}yes{{/a}}{{^a}}no{{/a}}', { a: [] }, 'no'],
    ['takes false and 0 for nothing', '{{^a}}no{{/a}}{{^b}}no{{/b}}', { a: false, b: 0 }, 'nono'],
    ['loses lines with a section alone', 'a\n{{#b}}\n  x\n{{/b}}\nc\n', { b: true }, 'a\n  x\nc\n'],
    ['takes values for text, whatever they look like', '{{a}}', { a: '{{b}} {{> c}}', b: 'x' }, '<{{b}} {{> c}}>'],
  ])('%s', (_what, text, scope, expected) => {
    expect(filled(text, scope)).toBe(expected);
  });

  test('has sentences, which are text of no format and have values themselves', () => {
    expect(filled('*{{> hello}}*', { name: 'x' }, { hello: 'Hi & {{name}}{{#name}}!{{/name}}' })).toBe('*<Hi & ><x><!><>*');
  });

  test.each([
    ['a\n{{b', 'letter.md:2: has {{ that is no part of a name'],
    ['a\n{{a b}} {{c}}', 'letter.md:2: has {{ that is'],
    ['\n{{{c}}}', 'letter.md:2: has {{ that is'],
    ['{{c}}}', 'letter.md:1: has }} that is'],
    ['{{c}}\nx }}\n{{c}}', 'letter.md:2: has }} that is'],
    ['\n\n{{}}', 'letter.md:3: {{}} has no name; write {{name}}'],
    ['{{a b}}', 'letter.md:1: has {{ that is no part of a name'],
    ['{{#a}}\n{{/b}}', 'letter.md:2: {{/b}} ends {{#a}} of line 1'],
    ['x\n{{/b}}', 'letter.md:2: {{/b}} ends nothing'],
    ['x\n{{#a}}', 'letter.md:2: {{#a}} is never ended; write {{/a}}'],
  ])('%j is none', (text, message) => {
    expect(() => compile(text, 'letter.md')).toThrow(message);
  });

  const shape = { name: '', rows: [{ cell: '' }] };
  test.each([
    ['a\n{{nane}}', 'letter.md:2: {{nane}} is nothing that a letter has here; did you mean name?'],
    ['{{cell}}', 'letter.md:1: {{cell}} is nothing that a letter has here'],
    ['{{^rows}}{{cell}}{{/rows}}', '{{cell}} is nothing'],
    ['{{rows}}', 'letter.md:1: {{rows}} is a list; write {{#rows}} … {{/rows}}'],
    ['{{> helo}}', 'letter.md:1: {{> helo}} is no sentence of strings.json; did you mean hello?'],
    ['{{> broken}}', 'strings.json:1: {{cell}} is nothing'],
    ['{{> round}}', 'strings.json:1: {{> round}} is within itself'],
    ['{{constructor}}', '{{constructor}} is nothing'],
  ])('%j is refused before anything is written', (text, message) => {
    const words = wordsOf({ hello: 'Hi', broken: '{{cell}}', round: '{{> round}}' });
    expect(() => check(compile(text, 'letter.md'), words, [shape])).toThrow(message);
  });

  test('that is taken is filled', () => {
    const words = wordsOf({ broken: '{{cell}}' });
    expect(() => check(compile('{{name}}{{#rows}}{{name}}{{> broken}}{{/rows}}', 'letter.md'), words, [shape])).not.toThrow();
  });

  test('of any text is a template or an error with file and line, soon', () => {
    const piece = fc.constantFrom('{{', '}}', '#', '/', '^', '> ', 'a', 'b', '\n', ' ', 'x');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        let error: unknown;
        try {
          compile(pieces.join(''), 'letter.md');
        } catch (thrown) {
          error = thrown;
        }
        expect(String(error ?? 'letter.md:1:')).toMatch(/letter\.md:\d+:/);
      }),
    );
  });
});
