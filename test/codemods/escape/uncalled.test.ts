/** What is said of requests for what v1 has not, by who is seen to make them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import { wordsOf } from '../../../codemods/report/wording.ts';

const base = `
export class Base {
  list() { return this.ask('GET', this.path); }
  remove(id) { return this.ask('DELETE', this.path + '/' + id + '/tags'); }
  ask(method, path) {
    return fetch('https://api.example.com/v1' + path, { method, headers: { 'x-api-key': process.env.API_KEY } });
  }
}`;
const contacts = `import { Base } from './base.js';
export class Contacts extends Base { path = '/contacts'; }`;
const main = "import { Contacts } from './contacts.js';\nconst contacts = new Contacts();\ncontacts.list();\n";

test.each([
  ['a method that heirs have and nobody calls needs nobody', main, ['alone']],
  ['one that is called is left for a person', `${main}contacts.remove('1');`, ['left']],
  ['so is one that may be called by any name', `${main}export const call = (name) => contacts[name]('1');`, ['left']],
  ['so is one that is given away', `${main}export const { remove } = contacts;`, ['left']],
])('%s', async (_title, program, kinds) => {
  const cwd = mkdtempSync(join(tmpdir(), 'uncalled-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [file, text] of Object.entries({ 'base.js': base, 'contacts.js': contacts, 'main.js': program }))
    writeFileSync(join(cwd, file), text);
  const { plan } = await migrate({ paths: ['.'], cwd, v1Base: ['https://api.example.com'], dryRun: true });
  const found = plan.findings.filter(({ code }) => code === 'unknown-route');
  expect(found.map((finding) => wordsOf(finding).kind)).toEqual(kinds);
});
