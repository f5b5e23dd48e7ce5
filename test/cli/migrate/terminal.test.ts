import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../run.ts';
import { type Answer, hasPty, keys, runInTerminal } from './pty.ts';
import { base, careless, clean, cleanAfter, key, repository, workspace } from './workspace.ts';

const why = hasPty ? '' : ' (skipped: this system has no `script` of util-linux)';
const configFile = 'migrate-v2.config.json';

const which: Answer = { on: /Which of them are this service[^]*confirm/, press: keys.space };
const confirmWhich: Answer = { on: /◼ https:/, press: keys.enter };
const remember = (press: string): Answer => ({ on: /Remember 1 base[^]*No/, press });

describe.skipIf(!hasPty)(`without a base, a terminal is asked${why}`, () => {
  test('which of the candidates are ours, and they are moved; the answer is kept', async () => {
    const { cwd, read } = repository({ 'src/list.js': clean });
    const { code, screen } = await runInTerminal(cwd, ['.'], [which, confirmWhich, remember(keys.enter)]);
    expect(code).toBe(0);
    expect(screen).toContain('src/list.js:3  GET /v1/contacts');
    expect(screen).toContain('1 call moved to v2');
    expect(read('src/list.js')).toBe(cleanAfter);
    expect(JSON.parse(read(configFile))).toEqual({ migrate: { v1Base: [base] } });
  });

  test('an answer need not be kept', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean });
    await runInTerminal(cwd, ['src'], [which, confirmWhich, remember(`${keys.down}${keys.enter}`)]);
    expect(read('src/list.js')).toBe(cleanAfter);
    expect(existsSync(join(cwd, configFile))).toBe(false);
  });

  test('a configuration file that is there is left as it is', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean, 'migrate-v2.config.yaml': 'migrate: {}\n' });
    const { screen } = await runInTerminal(cwd, ['src'], [which, confirmWhich]);
    expect(screen).not.toContain('Remember');
    expect(read('src/list.js')).toBe(cleanAfter);
    expect(existsSync(join(cwd, configFile))).toBe(false);
  });

  test('--yes confirms, and chooses nothing', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean });
    const { screen } = await runInTerminal(cwd, ['src', '--yes'], [which, confirmWhich]);
    expect(screen).not.toContain('Remember');
    expect(JSON.parse(read(configFile))).toEqual({ migrate: { v1Base: [base] } });
  });

  test('whoever leaves the last question has changed nothing', async () => {
    const { cwd, read } = workspace({ 'src/list.js': clean });
    const { code } = await runInTerminal(cwd, ['src'], [which, confirmWhich, remember(keys.interrupt)]);
    expect(code).toBe(4);
    expect(read('src/list.js')).toBe(clean);
    expect(existsSync(join(cwd, configFile))).toBe(false);
  });

  test('nobody is asked where git would then stand against it', async () => {
    const { cwd, read, write } = repository({ 'src/list.js': clean });
    write('src/new.js', '');
    const { code, screen } = await runInTerminal(cwd, ['src'], []);
    expect(code).toBe(4);
    expect(screen).toMatch(/^migrate-v2: src\/new\.js has changes that are not committed: .*--force\n$/);
    expect(read('src/list.js')).toBe(clean);
  });

  test.each([
    ['chooses none', keys.enter],
    ['leaves', keys.interrupt],
  ])('whoever %s gets the command, and nothing is changed', async (_what, press) => {
    const { cwd, read } = workspace({ 'src/list.js': clean });
    const { code, screen } = await runInTerminal(cwd, ['src'], [{ ...which, press }]);
    expect(code).toBe(4);
    expect(screen).toContain(`npx migrate-v2 src --v1-base ${base}`);
    expect(read('src/list.js')).toBe(clean);
  });
});

describe.skipIf(!hasPty)(`--interactive${why}`, () => {
  const files = { 'src/a.js': clean, 'src/b.js': clean, 'src/c.js': careless };
  const args = ['src', '--v1-base', base, '--interactive'];
  const ask = (press: string): Answer => ({ on: /Move 1 call to v2\?[^]*Leave this and all/, press });
  const refuse = `${keys.down}${keys.enter}`;
  const all = `${keys.down}${keys.down}${keys.enter}`;

  test('makes what is accepted, leaves what is refused, and exits with 2', async () => {
    const { cwd, read } = workspace(files);
    const { code, screen } = await runInTerminal(cwd, args, [ask(keys.enter), ask(refuse), ask(keys.enter)]);
    expect(code).toBe(2);
    expect(screen).toContain('2 calls moved to v2, 2 files changed.');
    expect([read('src/a.js'), read('src/b.js')]).toEqual([cleanAfter, clean]);
  });

  test('shows calls and changed lines, without keys', async () => {
    const { cwd } = workspace({ 'src/c.js': careless });
    const { screen } = await runInTerminal(cwd, args, [ask(keys.enter)]);
    expect(screen).toContain('POST /v1/messages/send -> POST /v2/messages/send  1 call');
    expect(screen).toMatch(/^\+ .*'Authorization': 'Bearer \*\*\*'/m);
    expect(screen).not.toContain(key);
  });

  test('shows no key of a group beside it either', async () => {
    const secret = 'plainword';
    const other = `const who = '${secret}';\nfetch('${base}/v1/messages', { headers: { 'x-api-key': who } });\n`;
    const { cwd } = workspace({ 'src/two.js': clean + other });
    const { screen } = await runInTerminal(cwd, args, [ask(keys.enter), ask(keys.enter)]);
    expect(screen).toContain('2 calls moved to v2');
    expect(screen).not.toContain(secret);
  });

  test('accepts all that follow', async () => {
    const { cwd, read } = workspace(files);
    const { code } = await runInTerminal(cwd, args, [ask(refuse), ask(all)]);
    expect(code).toBe(2);
    expect([read('src/a.js'), read('src/b.js'), read('src/c.js')]).toEqual([clean, cleanAfter, expect.stringContaining('/v2/')]);
  });

  test.each([
    ['quits', `${keys.down}${keys.down}${keys.down}${keys.enter}`],
    ['presses Ctrl-C', keys.interrupt],
  ])('leaves everything that follows as it is where a person %s', async (_what, press) => {
    const { cwd, read } = workspace(files);
    const { code } = await runInTerminal(cwd, args, [ask(keys.enter), ask(press)]);
    expect(code).toBe(2);
    expect([read('src/a.js'), read('src/b.js'), read('src/c.js')]).toEqual([cleanAfter, clean, careless]);
  });

  test('is refused where nobody can be asked', async () => {
    const { cwd, read } = workspace(files);
    expect(await run(args, { cwd })).toEqual({
      code: 4,
      stdout: '',
      stderr: 'migrate-v2: --interactive: asks questions, and this is no terminal; leave it out, or see what would change with --dry-run\n',
    });
    expect(read('src/a.js')).toBe(clean);
  });
});
