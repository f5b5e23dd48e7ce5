/** What is parsed once more of an edited file has to say as much as the whole text would. */
import { describe, expect, it } from 'vitest';
import { splice } from '../../../codemods/edit/splice.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { editedStatements } from '../../../codemods/component/texts/edited-statements.ts';

const engines = await loadEngines();

const source = [
  '/* First. */',
  "import { key } from './key';",
  "const base = 'https://api.example.com';",
  "const send = () => fetch(base + '/v1/messages')",
  'type Answer = { id: string };',
  'function list(): Promise<Answer> {',
  "  return fetch(base + '/v1/contacts');",
  '}',
  "const one = { path: '/v1/campaigns' }, two = { path: '/v1/other' };",
  'list(); // Last.',
].join('\n');

const edited = (...changes: readonly (readonly [before: string, after: string])[]) => {
  const edits = changes.map(([before, text]) => ({ start: source.indexOf(before), end: source.indexOf(before) + before.length, text }));
  const parts = editedStatements({ text: source, tree: engines.parse('a.ts', source).tree }, edits);
  return { parts, whole: splice(source, edits) };
};

const parses = (text: string): boolean => {
  try {
    engines.check('a.ts', text);
    return true;
  } catch {
    return false;
  }
};

describe('of an edited text', () => {
  it('the edited statements are parsed, and no other', () => {
    const { parts } = edited(['/v1/contacts', '/v2/contacts'], ['api.example.com', 'api2.example.com']);

    expect(parts?.map((part) => part.trim())).toEqual([
      "const base = 'https://api2.example.com';",
      "type Answer = { id: string };\nfunction list(): Promise<Answer> {\n  return fetch(base + '/v2/contacts');\n}",
    ]);
  });

  it.each([
    ['a statement that may go on with the next', '/v1/messages'],
    ['the end of a statement', "com';"],
    ['the end of a block', "contacts');\n}"],
    ['two statements at once', "example.com';\nconst send"],
    ['what follows the last', '// Last.'],
  ])('%s is parsed with all of it', (_, before) => {
    expect(edited([before, 'other']).parts).toBeUndefined();
  });

  it.each([
    ['a text that is not closed', "/v1/contacts'", '/v2/contacts'],
    ['a brace too many', "'/v1/contacts'", "'/v2/contacts' }"],
    ['a comment that is not closed', "'/v1/contacts'", "'/v2/contacts' /*"],
    ['a comment up to the end of the line', "'/v1/campaigns'", '//'],
  ])('%s shows in its statement as in the whole', (_, before, after) => {
    const { parts, whole } = edited([before, after]);

    expect(parses(whole)).toBe(false);
    expect(parts?.every(parses)).toBe(false);
  });

  it('the second of two variables does not parse by itself, so that the whole text is asked', () => {
    const { parts = [], whole } = edited(['/v1/other', '/v2/other']);

    expect(parses(whole)).toBe(true);
    expect(parts.map(parses)).toEqual([false]);
  });
});
