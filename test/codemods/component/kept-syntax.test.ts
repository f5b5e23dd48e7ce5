/** Edits that nobody parses again have to leave every text with the syntax that it had. */
import { describe, expect, it } from 'vitest';
import { mayBreak } from '../../../codemods/component/texts/kept-syntax.ts';
import { type Replacement, splice } from '../../../codemods/edit/splice.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';

const engines = await loadEngines();

const moduleOf = (text: string) => sourceModule('a.tsx', text, engines.parse('a.tsx', text).tree);

/** `⟨old|new⟩` in a source is an edit. */
function given(marked: string): { readonly source: string; readonly edits: readonly Replacement[] } {
  const edits: Replacement[] = [];
  let source = '';
  for (const piece of marked.split(/(?=⟨)|(?<=⟩)/)) {
    const [, old, text] = /^⟨([^|]*)\|([^|]*)⟩$/s.exec(piece) ?? [];
    if (old !== undefined && text !== undefined) edits.push({ start: source.length, end: source.length + old.length, text });
    source += old ?? piece;
  }
  return { source, edits };
}

const parses = (text: string): boolean => {
  try {
    engines.check('a.tsx', text);
    return true;
  } catch {
    return false;
  }
};

const header = '⟨|`Bearer ${⟩key⟨|}`⟩';

describe('edits that leave the syntax as it is', () => {
  it.each([
    "fetch('https://⟨api|api2⟩.example.com/⟨v1|v2⟩/messages');",
    'fetch(`${base}/⟨v1|v2⟩/messages/${id}/⟨v1|v2⟩`);',
    'fetch(`/⟨v1|v2⟩/messages`);',
    "fetch(base, { headers: { '⟨x-api-key|Authorization⟩': 'plain' } });",
    "fetch(base, { headers: { '⟨x-api-key|Authorization⟩': '⟨|Bearer ⟩plain' } });",
    `fetch(base, { headers: { '⟨x-api-key|Authorization⟩': ${header} } });`,
    `fetch(base, { headers: { ⟨'x-api-key'|Authorization⟩: ${header}, ⟨"x-api-key"|'Authorization'⟩: key } });`,
    "fetch(base, { headers: { ⟨['x-api-key']|Authorization⟩: key, 'b': 1 } });",
    `fetch(base, { headers: { ['⟨x-api-key|Authorization⟩'] : ${header} } });`,
    `fetch(base, { headers: { a: ${header} as string, b: one ?? two } });`,
    'fetch(base, { headers: { a: ⟨|`Bearer ${⟩one ? two : () => three⟨|}`⟩ } });',
    'const link = <a href="/⟨v1|v2⟩/messages">v1</a>;',
  ])('%s', (marked) => {
    const { source, edits } = given(marked);
    expect(mayBreak(moduleOf(source), edits)).toEqual([]);
    expect(parses(splice(source, edits))).toBe(true);
  });
});

describe('edits that may not', () => {
  it.each([
    ['end a text', "fetch('/⟨v1|v2'⟩');"],
    ['begin what is filled in', "fetch(`/$⟨v1|⟩{'/messages'`);"],
    ['stand behind a backslash', String.raw`fetch('/\⟨v1|u2⟩');`],
    ['stand in code', 'fetch(⟨base|other name⟩);'],
    ['stand in a key that is a name', 'fetch({ a⟨b|-⟩c: 1 });'],
    ['stand in what is filled in', 'fetch(`${b⟨as| ⟩e}/v1`);'],
    ['put what is no key in the place of one', "fetch({ ⟨'x-api-key'|...rest⟩: 1, ⟨'x-api-key'|'a' + 'b'⟩: 2, ⟨a|b c⟩: 3 });"],
    ['take a part of a key along', "fetch({ ⟨'x-api-key':|Authorization⟩ key, ⟨b: 1, c|d⟩: 2, [⟨'e'|f⟩ ]: 3 });"],
    ['rename what is a key and a value at once', 'fetch({ ⟨key|Authorization⟩ });'],
    ['rename a method', 'fetch({ ⟨async|Authorization⟩() {}, get ⟨a|Authorization⟩() { return 1; } });'],
    ['hold quotes already', "fetch(⟨'/v1'|base⟩);"],
    ['wrap a key and its value at once', 'fetch({ headers: { ⟨|`Bearer ${⟩key⟨|}`⟩ } });'],
    ['wrap a method', 'fetch({ a⟨|`Bearer ${⟩() {}⟨|}`⟩ });'],
    ['wrap what is no whole value', 'fetch({ a: ⟨|`Bearer ${⟩one⟨|}`⟩ + two });'],
    ['begin a template that nothing ends', 'fetch({ a: ⟨|`Bearer ${⟩key });'],
    ['stand between words of JSX', 'const link = <a>⟨v1|v2⟩</a>;'],
  ])('%s', (_, marked) => {
    const { source, edits } = given(marked);
    expect(mayBreak(moduleOf(source), edits)).toEqual(edits);
  });
});
