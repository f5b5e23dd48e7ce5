import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openReader } from '../../../src/usage/store/open.ts';
import { needs } from '../../helpers/tools.ts';
import { hashOf } from '../../helpers/usage-store.ts';
import { keys, runInTerminal } from '../migrate/pty.ts';
import { newFolder, storeOfNow } from './stores.ts';

describe('in a terminal', needs('script'), () => {
  test('--watch shows the report until Ctrl-C, which is no failure', async () => {
    const store = await storeOfNow(newFolder(), [{ key: 'mk_acme_1', daysAgo: 1 }]);
    const { code, screen } = await runInTerminal(
      newFolder(),
      ['report', '--watch', '--store', store],
      [{ on: /NOT YET: v1 is still in use[^]*Ctrl-C ends it/, press: keys.interrupt }],
    );
    expect(code).toBe(0);
    expect(screen).toContain(`hash:${hashOf('mk_acme_1')}`);
  });

  test.each([
    ['as plain text', [], /\nUnknown keys\r?\n {2}- mk_acme_…/],
    ['as Markdown where somebody asks for it', ['--format', 'markdown'], /\n### Unknown keys\r?\n\r?\n- \*\*mk\\_acme\\_…/],
  ])('--digest tells what is new %s', async (_name, args, said) => {
    const store = await storeOfNow(newFolder(), [{ key: 'mk_acme_1', daysAgo: 1 }]);
    const { code, screen } = await runInTerminal(newFolder(), ['report', '--digest', '--store', store, ...args], []);
    expect(code).toBe(0);
    expect(stripVTControlCharacters(screen)).toMatch(said);
  });

  test.each([
    ['forgets nothing for Enter alone', keys.enter, 'Nothing was forgotten', 2, 1],
    ['forgets a key for a yes', 'y', 'Forgot 1 call of 1 client', 0, 0],
  ])('usage erase asks, and %s', async (_name, press, said, code, left) => {
    const store = await storeOfNow(newFolder(), [{ key: 'mk_acme_1', daysAgo: 1 }]);
    const ended = await runInTerminal(
      newFolder(),
      ['usage', 'erase', '--store', store, '--key', `hash:${hashOf('mk_acme_1')}`],
      [{ on: /Forget all that is recorded of the key mk_acme_…[^]*No/, press }],
    );
    expect(ended.screen).toContain(said);
    expect(ended.code).toBe(code);
    const reader = await openReader(store);
    expect(await reader.callers()).toHaveLength(left);
    await reader.close();
  });
});
