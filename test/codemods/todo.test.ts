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
      "export const all = (key) => fetch('https://api.example.com/v2/messages', { headers: { Authorization: `Bearer ${key}` } });\n",
    );
  });

  const moved = "export const all = (key) => fetch('https://api.example.com/v1/messages', { headers: { 'x-api-key': key } });";
  /** The lines that a comment stands above, and those that are as they were. */
  async function marked(name: string, lines: readonly string[]): Promise<string[]> {
    const cwd = mkdtempSync(join(tmpdir(), 'todo-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    writeFileSync(join(cwd, 'client.js'), `${moved}\n`);
    writeFileSync(join(cwd, name), `${lines.join('\n')}\n`);
    await migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], todo: true, force: true });
    const written = readFileSync(join(cwd, name), 'utf8').trimEnd().split('\n');
    expect(written.filter((line) => !line.includes('TODO(migrate-v2)'))).toEqual(lines);
    return written.flatMap((line, at) => (line.includes('TODO(migrate-v2)') ? (written[at + 1] ?? '') : []));
  }

  test('stands above what hides the key, in the object, the class or the function that it is in', async () => {
    const lines = [
      "const gone = ['x-api-key', 'cookie'];",
      'export const log = pino({',
      '  redact: [\'headers["x-api-key"]\'],',
      '});',
      'export class Log {',
      "  static quiet = ['x-api-key'];",
      '  line(headers) {',
      '    for (const name of Log.quiet) delete headers[name];',
      '    return Object.entries(headers)',
      "      .filter(([name]) => name !== 'x-api-key')",
      '      .filter(([name]) => !gone.includes(name));',
      '  }',
      '}',
      'export const shown = (headers) => ({',
      '  ...headers,',
      "  'x-api-key': headers['x-api-key'] ? '(set)' : '(none)',",
      '});',
      'export function typed(name, value) {',
      '  switch (name) {',
      "    case 'x-api-key':",
      "      return '***';",
      '    default:',
      '      return value;',
      '  }',
      '}',
    ];
    expect(await marked('log.js', lines)).toEqual([lines[0], lines[2], lines[5], lines[8], lines[15], lines[19]]);
  });

  test('stands above what hides the key in settings that have comments, and in none that has not', async () => {
    const yaml = ['agent:', '  sanitized:', '    - cookie', '    - x-api-key', 'cors: { headers: [Content-Type, X-Api-Key] }'];
    expect(await marked('agent.yaml', yaml)).toEqual([yaml[3], yaml[4]]);
    const block = ['data:', '  log.json: |', '    {', '      "redact": ["x-api-key"]', '    }'];
    expect(await marked('map.yaml', block)).toEqual([block[1]]);
    const script = ['run: |', '  curl -sS "https://api.example.com/v1/$WHAT" -H "x-api-key: $KEY"'];
    expect(await marked('job.yaml', script)).toEqual([script[1]]);
    const toml = ['[clean]', "source = '''", 'del(.headers."x-api-key")', "'''", 'redact = ["x-api-key"]'];
    expect(await marked('vector.toml', toml)).toEqual([toml[1], toml[4]]);
    expect(await marked('log.json', ['{', '  "redact": ["x-api-key"]', '}'])).toEqual([]);
  });
});
