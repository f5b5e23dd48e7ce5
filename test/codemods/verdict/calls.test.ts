import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';

const wrapper = `export const client = (key, base = 'https://api.example.com/v1') => {
  const ask = (path, init = {}) => fetch(base + path, { ...init, headers: { 'x-api-key': key } });
  return { all: () => ask('/contacts'), one: (contact) => ask('/contacts/' + contact.id) };
};
`;

/** The lines at which calls of one file are moved, each with its endpoint. */
async function callsIn(files: Readonly<Record<string, string>>): Promise<string[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'calls-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text);
  const { plan } = await migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], force: true, dryRun: true });
  const lineOf = (file: string, start: number): number => (files[file] ?? '').slice(0, start).split('\n').length;
  return plan.calls.map(({ file, start, endpoint }) => `${endpoint} ${file}:${lineOf(file, start)}`).toSorted();
}

describe('a call counts once, where its path is written', () => {
  test('however many make its client, and whatever they give it', async () => {
    const files = {
      'client.js': wrapper,
      'shop.js': `import { client } from './client.js';\nclient('a').all();\nclient('a').one({ id: 1 });\nclient('a').one({ id: 2 });\n`,
      'desk.js': `import { client } from './client.js';\nclient('b').all();\n`,
    };
    expect(await callsIn(files)).toEqual(['getContact client.js:3', 'listContacts client.js:3']);
  });

  test('or where the constant is named that has it', async () => {
    const files = {
      'client.js': `import { contacts } from './paths.js';\nconst ask = (path) => fetch('https://api.example.com' + path, { headers: { 'x-api-key': 'k' } });\nexport const all = () => ask(contacts);\n`,
      'paths.js': `export const contacts = '/v1/contacts';\n`,
    };
    expect(await callsIn(files)).toEqual(['listContacts client.js:3']);
  });
});
