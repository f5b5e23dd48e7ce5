import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../codemods/migrate.ts';

/** Runs over one file, with comments, and gives what it holds afterwards. */
async function commented(name: string, text: string, runs = 1): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'todo-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, name), text);
  for (let run = 0; run < runs; run++) await migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], todo: true, force: true });
  return readFileSync(join(cwd, name), 'utf8');
}

const dynamic = (eol: string): string =>
  [
    'export function read(path, key) {',
    "\treturn fetch(`https://api.example.com/v1/${path}`, { headers: { 'x-api-key': key } });",
    '}',
    '',
  ].join(eol);

describe('a comment of --todo', () => {
  test('stands above the statement, indented as it, with the code of the finding', async () => {
    const lines = (await commented('a.js', dynamic('\n'))).split('\n');
    expect(lines[1]).toMatch(/^\t\/\/ TODO\(migrate-v2\): .+ \(dynamic-path\)$/);
    expect(lines[2]).toMatch(/^\treturn fetch/);
  });

  test('ends as the lines of the file do', async () => {
    const text = await commented('a.js', dynamic('\r\n'));
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  test('is not put there again by the next run', async () => {
    expect(await commented('a.js', dynamic('\n'), 2)).toBe(await commented('a.js', dynamic('\n')));
  });

  test('stands above the statement that holds a place within JSX', async () => {
    const text = [
      'export const View = ({ path, key }) => (',
      '  <button onClick={() => fetch(`https://api.example.com/v1/${path}`, { headers: { "x-api-key": key } })}>',
      '    Load',
      '  </button>',
      ');',
      '',
    ];
    const lines = (await commented('a.jsx', text.join('\n'))).split('\n');
    expect(lines[0]).toMatch(/^\/\/ TODO\(migrate-v2\): .+\(dynamic-path\)$/);
    expect(lines.slice(1)).toEqual(text);
  });

  test.each(['const answer = ', 'export const answer = ', '\tlet answer = ', 'var answer = await '])(
    'stands above what is declared by %j',
    async (declared) => {
      const text = `${declared}fetch(\`https://api.example.com/v1/\${path}\`, { headers: { 'x-api-key': key } });\n`;
      const [comment, ...rest] = (await commented('a.mjs', `let a;\n${text}`)).split('\n').slice(1);
      expect(comment).toMatch(/^\t?\/\/ TODO\(migrate-v2\): .+ \(dynamic-path\)$/);
      expect(rest.join('\n')).toBe(text);
    },
  );

  test('stands above the whole of a command over several lines', async () => {
    const text = 'set -e\ncurl --silent \\\n  "https://api.example.com/v1/$WHAT" \\\n  --header "x-api-key: $KEY"\n';
    const lines = (await commented('a.sh', text)).split('\n');
    expect(lines[1]).toMatch(/^# TODO\(migrate-v2\)/);
    expect([lines[0], ...lines.slice(2)].join('\n')).toBe(text);
  });

  test('is not put into a generated file', async () => {
    const text = `/* @generated */\n${dynamic('\n')}`;
    expect(await commented('a.js', text)).toBe(text);
  });

  test('is not put into a file that is no text', async () => {
    const text = `/* @generated */ 'caf\u00e9';\n${dynamic('\n')}`;
    const cwd = mkdtempSync(join(tmpdir(), 'todo-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    writeFileSync(join(cwd, 'a.js'), text, 'latin1');
    await migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], todo: true });
    expect(readFileSync(join(cwd, 'a.js'), 'latin1')).toBe(text);
  });

  test('leaves alone what is moved', async () => {
    const moved = await commented(
      'a.js',
      "export const all = (key) => fetch('https://api.example.com/v1/messages', { headers: { 'x-api-key': key } });\n",
    );
    expect(moved).toBe(
      "export const all = (key) => fetch('https://api.example.com/v2/messages', { headers: { 'Authorization': `Bearer ${key}` } });\n",
    );
  });
});
