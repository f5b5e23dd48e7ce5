import { describe, expect, test } from 'vitest';
import { useCommandLine } from '../run.ts';
import { base, clean, held, heldAfter, workspace } from './workspace.ts';

const v1 = ['--v1-base', base];
const run = useCommandLine();

describe('--allow', () => {
  test('moves what the places hold that the report names, and nothing where one of them is missing', async () => {
    const { cwd, read } = workspace(held);
    const first = await run(['src', ...v1, '--force'], { cwd });
    expect(first.stdout).toMatch(/\(unknown-route\)\n {4}src\/api\.js:5:/);
    const second = await run(['src', ...v1, '--force', '--allow', 'src/api.js:5'], { cwd });
    expect(second.stdout).toContain('API_URL is also set or read at src/.env.staging:1, which stays as it is');
    expect(read('src/api.js')).toBe(held['src/api.js']);
    const third = await run(['src', ...v1, '--force', '--allow', 'src/api.js:5', '--allow', 'src/.env.staging:1'], { cwd });
    expect([third.code, third.stderr, read('src/api.js'), read('src/.env.staging')]).toEqual([0, '', heldAfter, held['src/.env.staging']]);
  });

  test('says of a place that it lets nothing move', async () => {
    const { cwd } = workspace({ 'src/list.js': clean });
    const { code, stderr } = await run(['src', ...v1, '--force', '--allow', 'src/list.js:1'], { cwd });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '--allow src/list.js:1 lets nothing move: what stands there holds no call, or needs another answer\n',
    });
  });

  test('lets a place read a variable that moves, and says so', async () => {
    const { cwd, read } = workspace({
      '.env': 'API_URL=https://api.example.com/v1\n',
      'src/api.js': [
        "import { report } from 'reports';",
        "export const contacts = () => fetch(`${process.env.API_URL}/contacts`, { headers: { 'x-api-key': process.env.API_KEY } });",
        'report(process.env.API_URL);',
        '',
      ].join('\n'),
    });
    const { code, stdout, stderr } = await run(['.', ...v1, '--force', '--allow', 'src/api.js:3'], { cwd });
    expect({ code, stderr, env: read('.env') }).toEqual({ code: 0, stderr: '', env: 'API_URL=https://api.example.com/v2\n' });
    expect(stdout).toContain('May move along, as a comment says  1 place');
  });

  test('moves what is set for an image that nobody else can tell to be of these files', async () => {
    const compose = 'services:\n  web:\n    image: acme/backend:1\n    environment:\n      API_URL: https://api.example.com/v1\n';
    const { cwd, read } = workspace({
      'docker-compose.yml': compose,
      'api.js':
        "export const contacts = () => fetch(`${process.env.API_URL}/contacts`, { headers: { 'x-api-key': process.env.API_KEY } });\n",
    });
    await run(['.', ...v1, '--force'], { cwd });
    expect(read('docker-compose.yml')).toBe(compose);
    await run(['.', ...v1, '--force', '--allow', 'docker-compose.yml:5'], { cwd });
    expect(read('docker-compose.yml')).toBe(compose.replace('/v1', '/v2'));
  });

  test('refuses what is no place', async () => {
    const { cwd } = workspace(held);
    expect(await run(['src', ...v1, '--allow', 'src/api.js'], { cwd })).toEqual({
      code: 4,
      stdout: '',
      stderr: 'migrate-v2: --allow: "src/api.js" is not FILE:LINE: write src/api.ts:12\n',
    });
  });
});
