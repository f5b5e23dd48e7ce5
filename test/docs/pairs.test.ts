/** Each before and after of MIGRATION.md: the codemod makes the one of the other, and both do the same, each on its version; the rest stays. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../codemods/migrate.ts';
import { projectRoot } from '../helpers/build.ts';
import { start } from '../helpers/process.ts';
import { type TestSandbox, startSandbox } from '../helpers/sandbox.ts';
import { needs } from '../helpers/tools.ts';
import { guide, pairs, staying } from './migration.ts';

const base = 'https://api.example.com';
const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-pairs-'));
const runnable = pairs.filter(({ file }) => file.startsWith('call'));

const reader = "fetch(`${process.env.MESSAGING_API_URL}/messages`, { headers: { 'x-api-key': process.env.MESSAGING_API_KEY } });\n";

interface Answer {
  readonly api: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Writes a file into a folder of its own. */
function write(name: string, file: string, text: string): string {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, file), text);
  return own;
}

describe('the pairs of MIGRATION.md', () => {
  it('are all of its code that is marked so', () => {
    expect(pairs.length).toBe([...guide.text.matchAll(/^```\w+ before$/gm)].length);
    expect(pairs.length).toBe([...guide.text.matchAll(/^```\w+ after$/gm)].length);
  });

  it.each(pairs)('$title: the codemod makes the one of the other', async ({ title, file, before, after }) => {
    const cwd = write(`${title}, moved`, file, before);
    // A setting moves with what reads it.
    if (file.startsWith('.env')) write(`${title}, moved`, 'reader.mjs', reader);
    const { plan } = await migrate({ paths: ['.'], cwd, v1Base: [base], jobs: 1, force: true });
    expect(readFileSync(join(cwd, file), 'utf8')).toBe(after);
    expect(plan.findings).toEqual([]);
  });

  it.each(staying)('what is marked so stays as it is ($findings)', async ({ text, findings }) => {
    const cwd = write(`stays, ${findings.join()}`, 'call.mjs', text);
    const { plan, changed } = await migrate({ paths: ['.'], cwd, v1Base: [base], jobs: 1, force: true });
    expect(changed).toEqual([]);
    expect([...new Set(plan.findings.map(({ code }) => code))]).toEqual(findings);
  });
});

describe('run against the service', () => {
  let sandbox: TestSandbox;
  const answers: Answer[] = [];
  const record = (answer: unknown): void => void answers.push(answer as Answer);

  beforeAll(async () => {
    sandbox = await startSandbox();
    subscribe('migrate-v2:sandbox:answer', record);
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(async () => {
    unsubscribe('migrate-v2:sandbox:answer', record);
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });

  /** Runs code from the document with the sandbox in the place of the service, which has no TLS. @returns the calls that it made */
  async function callsOf(name: string, file: string, text: string): Promise<readonly Answer[]> {
    sandbox.reset();
    answers.length = 0;
    const cwd = write(name, file, text.replaceAll(base, sandbox.url).replaceAll('node:https', 'node:http'));
    const program = file.endsWith('.sh') ? 'bash' : process.execPath;
    await using running = start(program, [file], { cwd, env: { MESSAGING_API_KEY: sandbox.demo.readWriteKey } });
    const [code]: unknown[] = await once(running.child, 'close');
    expect(code, running.stderr.join('\n')).toBe(0);
    expect(running.stderr.join('\n')).not.toContain('Assertion failed');
    return [...answers];
  }

  for (const { title, file, before, after } of runnable)
    it(`${title}: both succeed, with the same calls`, needs(...(file.endsWith('.sh') ? (['bash', 'curl'] as const) : [])), async () => {
      const [v1, v2] = [await callsOf(`${title}, v1`, file, before), await callsOf(`${title}, v2`, file, after)];
      const asV2 = ({ method, path, status }: Answer): string => `${method} ${path.replace('/v1/', '/v2/')} ${status}`;
      expect([...new Set(v1.map(({ api }) => api))]).toEqual(title.includes('nock') ? [] : ['v1']);
      expect([...new Set(v2.map(({ api }) => api))]).toEqual(title.includes('nock') ? [] : ['v2']);
      expect(v2.map(asV2)).toEqual(v1.map(asV2));
      expect(v2.filter(({ status }) => status >= 300)).toEqual([]);
    });
});
