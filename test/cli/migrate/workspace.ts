/** Folders with client code, as the command line meets them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export const base = 'https://api.example.com';
export const key = 'tk-51c2-literal';

/** A call whose key is nowhere in the code. */
export const clean = `const base = '${base}';

export const list = () => fetch(\`\${base}/v1/contacts\`, { headers: { 'x-api-key': process.env.API_KEY } });
`;
export const cleanAfter = clean
  .replace('/v1/', '/v2/')
  .replace("'x-api-key': process.env.API_KEY", 'Authorization: `Bearer ${process.env.API_KEY}`');

/** A call with its key beside it. */
export const careless = `export const send = (body) =>
  fetch('${base}/v1/messages/send', { method: 'POST', body, headers: { 'x-api-key': '${key}' } });
`;
export const carelessAfter = careless.replace('/v1/', '/v2/').replace("'x-api-key'", 'Authorization').replace(key, `Bearer ${key}`);

/** A client of which one call asks for what v1 has not, and whose base a file sets to another host. */
export const held = {
  'src/api.js': `const base = process.env.API_URL ?? '${base}';
const headers = { 'x-api-key': process.env.API_KEY };

export const list = () => fetch(\`\${base}/v1/contacts\`, { headers });
export const archive = (id) => fetch(\`\${base}/v1/campaigns/\${id}/archive\`, { method: 'POST', headers });
`,
  'src/.env.staging': 'API_URL=https://staging.example.dev\n',
};
export const heldAfter = held['src/api.js']
  .replaceAll('/v1/', '/v2/')
  .replace("'x-api-key': process.env.API_KEY", 'Authorization: `Bearer ${process.env.API_KEY}`');

export interface Workspace {
  readonly cwd: string;
  read(file: string): string;
  write(file: string, text: string): void;
  git(...args: readonly string[]): string;
}

/** A folder that is gone after the test. */
export function workspace(files: Readonly<Record<string, string>>): Workspace {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'migrate-cli-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  return {
    cwd,
    write,
    read: (file) => readFileSync(join(cwd, file), 'utf8'),
    git: (...args) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'core.autocrlf=false', ...args], {
        cwd,
        encoding: 'utf8',
        stdio: 'pipe',
      }),
  };
}

/** The same, as a git repository in which everything is committed. */
export function repository(files: Readonly<Record<string, string>>): Workspace {
  const made = workspace(files);
  made.git('init', '--quiet');
  made.git('add', '--all');
  made.git('commit', '--quiet', '--message', 'Begin');
  return made;
}

/** What several tests look at, made by the first of them. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
