import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, test } from 'vitest';
import { json, jsonPieces, markdownCode, markdownText, plain } from '../../src/text/escape.ts';

/** Pieces that are markup somewhere, between pieces that are not. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '`',
        '``',
        '|',
        '\\',
        '*',
        '_',
        '<b>',
        '<!--',
        '&amp;',
        '[a](b)',
        '![',
        '~~',
        '#',
        '@team',
        '\n',
        '\r',
        '\t',
        '\u001b[2J',
        '\u009b',
        '\u202e',
        '\u2028',
        '\ud800',
        ' ',
      ),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const texts = (node: object): string =>
  'value' in node && typeof node.value === 'string'
    ? node.value
    : 'children' in node && Array.isArray(node.children)
      ? node.children.map(texts).join('')
      : '';
const kinds = (node: { type: string; children?: { type: string }[] }): string[] => [node.type, ...(node.children ?? []).flatMap(kinds)];

describe('text of others', () => {
  test('is on one line, with what a terminal obeys made visible', () => {
    expect(plain('a\u001b[31mb\nc\td\u202e\u009b')).toBe(String.raw`a\u{1b}[31mb\nc\td\u{202e}\u{9b}`);
    fc.assert(fc.property(hostile, (text) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(plain(text))));
  });

  test('in JSON that comes in pieces is what it is in JSON as a whole', () => {
    const value = fc.jsonValue().map((given) => (typeof given === 'string' ? `${given}\u202e` : given));
    const members = fc.dictionary(hostile, fc.oneof(value, fc.array(value)), { minKeys: 1, maxKeys: 5 });
    fc.assert(fc.property(members, (given) => [...jsonPieces(given)].join('') === json(given)));
    expect([...jsonPieces({ list: ['a', 'b'], end: {} })].filter((piece) => /[ab]/.test(piece))).toHaveLength(2);
  });

  test('is text in Markdown, and says the same', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const tree = fromMarkdown(`x ${markdownText(text)} x`);
        expect(new Set(kinds(tree))).toEqual(new Set(['root', 'paragraph', 'text']));
        expect(texts(tree)).toBe(`x ${plain(text)} x`);
      }),
    );
  });

  test('is code in Markdown, and says the same', () => {
    fc.assert(
      fc.property(
        hostile.filter((text) => /\S/.test(text)),
        (text) => {
          // A table's reader takes the backslash before a bar away before code is read.
          const tree = fromMarkdown(`x ${markdownCode(text).replaceAll('\\|', '|')} x`);
          expect(kinds(tree).filter((kind) => kind !== 'text')).toEqual(['root', 'paragraph', 'inlineCode']);
          expect(texts(tree)).toBe(`x ${plain(text)} x`);
        },
      ),
    );
  });

  test('has no bar in a cell of a table that is not escaped', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(markdownCode(text)).not.toMatch(/(?<!\\)\|/);
        expect(markdownText(text)).not.toMatch(/(?<!\\)(?:\\\\)*\|/);
      }),
    );
  });

  test('is the same in JSON, and nothing in it is obeyed by a terminal', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = json({ text });
        expect(JSON.parse(written)).toEqual({ text });
        expect(written).not.toMatch(/[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});
