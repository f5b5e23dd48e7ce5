import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needs } from '../../helpers/tools.ts';
import { keys, runInTerminal } from './pty.ts';
import { base, careless, clean, cleanAfter, held, heldAfter, key, workspace } from './workspace.ts';

describe('migrate-v2 in a terminal', needs('script', 'git'), () => {
  test.each([
    ['changes nothing for Enter alone', keys.enter, 4, clean],
    ['goes on for a yes', 'y', 0, cleanAfter],
  ])('asks outside of git, and %s', async (_name, press, code, after) => {
    const { cwd, read } = workspace({ 'src/list.js': clean });
    const ended = await runInTerminal(cwd, ['src', '--v1-base', base], [{ on: /not under version control[^]*No/, press }]);
    expect([ended.code, read('src/list.js')]).toEqual([code, after]);
  });

  test('--dry-run writes nothing, and no configuration either', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean });
    const { code, screen } = await runInTerminal(
      cwd,
      ['src', '--dry-run'],
      [{ on: /Which of them are this service/, press: `${keys.space}${keys.enter}` }],
    );
    expect(screen).toContain('1 call would be moved to v2');
    expect([code, read('src/list.js'), existsSync(join(cwd, 'migrate-v2.config.json'))]).toEqual([0, clean, false]);
  });

  test('--interactive shows each group with the places of its calls, hides keys, and makes what is accepted', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean, 'src/send.js': careless });
    const { code, screen } = await runInTerminal(
      cwd,
      ['src', '--v1-base', base, '--interactive', '--force'],
      [
        { on: /GET \/v1\/contacts -> GET \/v2\/contacts {2}1 call\s+src\/list\.js:3\s[^]*Enter: confirm/, press: keys.enter },
        { on: /src\/send\.js:2\s[^]*Enter: confirm/, press: `${keys.down}${keys.enter}` },
      ],
    );
    expect([code, read('src/list.js'), read('src/send.js')]).toEqual([2, cleanAfter, careless]);
    expect(screen).not.toContain(key);
  });

  test('--interactive asks about each place that holds calls back, and moves what a person lets move', async () => {
    const { cwd, read } = workspace(held);
    const { code } = await runInTerminal(
      cwd,
      ['src', '--v1-base', base, '--interactive', '--force'],
      [
        {
          on: /src\/api\.js:5  v1 has no such endpoint[^]*May what src\/api\.js:5 holds[^]*Enter: confirm/,
          press: `${keys.down}${keys.enter}`,
        },
        { on: /May what src\/\.env\.staging:1 holds[^]*Enter: confirm/, press: `${keys.down}${keys.enter}` },
        { on: /GET \/v1\/contacts -> GET \/v2\/contacts[^]*Enter: confirm/, press: keys.enter },
      ],
    );
    expect([code, read('src/api.js')]).toEqual([0, heldAfter]);
  });

  test('--interactive asks nothing of a place where an answer lets nothing move', async () => {
    const headers = "{ headers: { 'x-api-key': process.env.API_KEY } }";
    const { cwd } = workspace({
      'src/any.js': `export const any = (path) => fetch(process.env.API_URL + path, ${headers});\n`,
      'src/list.js': `export const list = () => fetch(process.env.API_URL + '/messages', ${headers});\n`,
      'src/.env': `API_URL=${base}/v1\n`,
    });
    const { code, screen } = await runInTerminal(cwd, ['src', '--v1-base', base, '--interactive', '--force'], []);
    expect(code).toBe(2);
    expect(screen).toContain('any.js:1');
    expect(screen).not.toContain('holds move along');
  });
});
