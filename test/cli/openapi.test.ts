import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assume } from '../../src/contract/assumptions.ts';
import { openapiDocument } from '../../src/openapi/document.ts';
import { cleanEnvironment } from '../helpers/process.ts';
import { projectRoot } from '../helpers/build.ts';
import { useCommandLine } from './run.ts';
import { needs } from '../helpers/tools.ts';

const run = useCommandLine();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openapi-'));
});
afterAll(() => rm(folder, { recursive: true }));

const written = (...[api, reading]: Partial<Parameters<typeof openapiDocument>>): string =>
  `${JSON.stringify(openapiDocument(api ?? 'v2', { assumptions: assume(), dialect: 'v1', envelope: 'v1', ...reading }), null, 2)}\n`;

test('openapi writes the document of v2 to stdout, and nothing else', async () => {
  expect(await run(['openapi'])).toEqual({ code: 0, stdout: written(), stderr: '' });
});

test('openapi describes the version and the shapes that the flags name', async () => {
  const flags = ['--dialect', 'problem', '--envelope', 'bare', '--assume', 'createdStatus=202'];
  const reading = { dialect: 'problem', envelope: 'bare', assumptions: assume({ createdStatus: 202 }) } as const;
  expect((await run(['openapi', ...flags])).stdout).toBe(written('v2', reading));
  expect((await run(['openapi', '--api', 'v1', ...flags])).stdout).toBe(written('v1', reading));
});

test('openapi --out writes a file and says so', async () => {
  const ended = await run(['openapi', '--api', 'v1', '--out', 'v1.json'], { cwd: folder });
  const out = join(folder, 'v1.json');
  expect(ended).toEqual({ code: 0, stdout: '', stderr: `Wrote the OpenAPI document of v1 to ${out}\n` });
  expect(await readFile(out, 'utf8')).toBe(written('v1'));
});

test('a file that cannot be written is one line, and exit code 4', async () => {
  const { code, stdout, stderr } = await run(['openapi', '--out', 'absent/v2.json'], { cwd: folder });
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(stderr).toMatch(/^migrate-v2: --out: cannot write .*\/absent\/v2\.json \(ENOENT: .*\); choose another file\n$/);
});

test('a reader that leaves early is no failure', needs('bash'), async () => {
  const command = `set -o pipefail; "$0" src/cli/bin.ts openapi | head -c 1`;
  const { error, stdout, stderr } = await new Promise<{ error: Error | null; stdout: string; stderr: string }>((resolve) => {
    execFile('bash', ['-c', command, process.execPath], { cwd: projectRoot, env: cleanEnvironment() }, (error, stdout, stderr) =>
      resolve({ error, stdout, stderr }),
    );
  });
  expect({ error, stdout, stderr }).toEqual({ error: null, stdout: '{', stderr: '' });
});
