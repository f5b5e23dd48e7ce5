import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run as start, useCommandLine } from './run.ts';

const run = useCommandLine();

describe('help', () => {
  test('--help lists the commands, examples and exit codes and exits with 0', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    for (const text of [
      'migrate-v2 [paths..] ',
      '--v1-base ',
      'migrate-v2 proxy ',
      'migrate-v2 sandbox ',
      'migrate-v2 proxy --sandbox',
      'Exit codes:',
      '  4  wrong usage',
    ]) {
      expect(stdout).toContain(text);
    }
  });

  test.each(['proxy', 'sandbox'])('%s --help shows its flags with their defaults, and examples', async (command) => {
    const { code, stdout } = await run([command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/--listen .*\[default: 127\.0\.0\.1:\d+\]/);
    expect(stdout).toContain(`Examples:\n  migrate-v2 ${command}`);
  });

  test('--version is that of package.json', async () => {
    const { version } = JSON.parse(await readFile(resolve(import.meta.dirname, '../../package.json'), 'utf8'));
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('a wrong command line exits with 4, one line on stderr and nothing on stdout', () => {
  test('without a command the line is the help', async () => {
    const { code, stdout, stderr } = await run([]);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain('Exit codes:');
  });

  test.each([
    [['prxy'], 'prxy: no such command; did you mean proxy?'],
    [['porxy'], 'porxy: no such command; did you mean proxy?'],
    [['destroy'], 'destroy: no such file or folder, and no such command; migrate-v2 --help lists them'],
    [['./proxi'], 'proxi: no such command; did you mean proxy?'],
    [['src/nowhere.ts'], 'src/nowhere.ts: no such file or folder'],
    [['--nope'], '--nope: no such flag; migrate-v2 --help lists them'],
    [['--chekc', '.'], '--chekc: no such flag; did you mean --check?'],
    [['sandbox', '--lisen', '0'], '--lisen: sandbox has no such flag; did you mean --listen?'],
    [['sandbox', '-p', '0'], '-p: sandbox has no such flag; migrate-v2 sandbox --help lists them'],
    [['sandbox', 'now'], 'now: sandbox takes no arguments, only flags'],
    [['sandbox', '--listen'], '--listen: needs a value (from the command line)'],
    [['sandbox', '--listen', '1', '--listen=2'], '--listen: is given more than once; keep one (from the command line)'],
    [['proxy'], '--v2-base: is required; give the base address of v2, or --sandbox to try the proxy without one'],
  ])('%j', async (args, line) => {
    expect(await run(args)).toEqual({ code: 4, stdout: '', stderr: `migrate-v2: ${line}\n` });
  });
});

describe('settings come from', () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'cli-'));
    await writeFile(join(cwd, 'migrate-v2.config.yaml'), 'sandbox:\n  dialect: xml\n');
  });
  afterAll(() => rm(cwd, { recursive: true }));

  test('the file in the working directory', async () => {
    expect((await run(['sandbox'], { cwd })).stderr).toContain(
      '"xml" is not one of v1, nested, problem, text (from migrate-v2.config.yaml)',
    );
  });

  test('the environment', async () => {
    expect((await run(['sandbox'], { cwd, env: { MIGRATE_V2_DIALECT: 'soap' } })).stderr).toContain('(from MIGRATE_V2_DIALECT)');
  });
});

describe('an address that cannot be listened on is named with its flag', () => {
  test.each(['--listen', '--admin'])('%s in use', async (flag) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const taken = `127.0.0.1:${address.port}`;
    try {
      const { code, stderr } = await start(['sandbox', flag, taken, flag === '--listen' ? '--admin' : '--listen', '0']);
      expect(code).toBe(4);
      expect(stderr).toBe(`migrate-v2: ${flag}: ${taken} is in use by another process; choose another address, or port 0 for a free one\n`);
    } finally {
      other.close();
    }
  });

  test('an address of another machine', async () => {
    const { code, stderr } = await start(['sandbox', '--listen', '192.0.2.1:8080']);
    expect(code).toBe(4);
    expect(stderr).toBe('migrate-v2: --listen: 192.0.2.1:8080 is no address of this machine; choose one of its own, or 0.0.0.0 for all\n');
  });
});

test('--verbose adds the stack trace', async () => {
  const { stderr } = await run(['sandbox', '--dialect', 'xml', '--verbose']);
  expect(stderr).toMatch(/^migrate-v2: --dialect: .*\nConfigError: [^]*\n +at /);
});
