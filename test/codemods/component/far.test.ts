/** How much is read of a component where nothing would be edited. */
import { describe, expect, it } from 'vitest';
import { sliced } from '../helpers/slices.ts';

describe('far from a base, an analysis', () => {
  it('reads a megabyte beside what is told of, or as much as that is, and who asks first', () => {
    const padding = ` // ${' '.repeat(600_000)}`;
    const users = ['one.js', 'two.js', 'three.js'];
    const files = {
      'a.js': "import { host } from './host.js';\nexport const list = () => fetch(host + '/v1/messages');",
      'host.js': `export const host = 'https://other.example.org';${padding}`,
      ...Object.fromEntries(users.map((file) => [file, `import { list } from './a.js';\nlist(fetch);${padding}`])),
    };
    expect(sliced(files, ['a.js'], () => false)).toEqual(['a.js', 'one.js', 'two.js']);
    const long = { ...files, 'a.js': `${files['a.js']} // ${' '.repeat(2_000_000)}` };
    expect(sliced(long, ['a.js'], () => false)).toEqual(Object.keys(files));
    // What is only advised on makes no room for more.
    const advised = { ...files, 'wait.js': `const perMinute = 1; // ${' '.repeat(2_000_000)}` };
    expect(sliced(advised, ['a.js'], (text) => text.includes('nowhere'))).toEqual(['a.js', 'one.js', 'two.js']);
    // Who may use what is edited is looked for, however long that is.
    expect(sliced(files, ['a.js'])).toEqual(Object.keys(files));
  });

  it('reads who decides, or writes into what is read, as far as there is room', () => {
    const padding = ` // ${' '.repeat(600_000)}`;
    const deciding = ['one.js', 'two.js', 'three.js'];
    const decides = Object.fromEntries(deciding.map((file) => [file, `globalThis.fetch = other;${padding}`]));
    const decided = { 'a.js': "export const list = () => fetch('/v1/messages');", ...decides };
    const group = { deciding, decided: ['a.js'] };
    expect(sliced(decided, ['a.js'], () => false, group)).toEqual(['a.js', 'one.js', 'two.js']);
    expect(sliced(decided, ['a.js'], undefined, group)).toEqual(Object.keys(decided));
    const writes = Object.fromEntries(
      deciding.map((file) => [file, `import { kept } from './kept.js';\nkept.host = other(process.env.HOST);${padding}`]),
    );
    const written = {
      'a.js': "import { kept } from './kept.js';\nexport const list = () => fetch(kept.host + '/v1/messages');",
      'kept.js': "export const kept = { host: 'https://other.example.org' };",
      ...writes,
    };
    expect(sliced(written, ['a.js'], () => false)).toEqual(['a.js', 'kept.js', 'one.js', 'two.js']);
    expect(sliced(written, ['a.js'])).toEqual(Object.keys(written));
  });
});
