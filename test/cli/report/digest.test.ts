import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useCommandLine } from '../run.ts';
import { answer, receiver } from './receiver.ts';
import { newFolder, storeOfNow, type Use } from './stores.ts';

const run = useCommandLine();

const recent: readonly Use[] = [{ key: 'mk_acme_1', daysAgo: 1 }];
/** SAFE for weeks: nothing is new. */
const quiet: readonly Use[] = [{ key: 'mk_acme_1', daysAgo: 50 }];
const configuration = 'workspaces:\n  - { name: "<!channel> Acme", keys: [mk_acme], owner: Ada }\n';

async function folderWith(uses = recent, recordedDays = 120): Promise<string> {
  const cwd = newFolder();
  await storeOfNow(cwd, uses, recordedDays);
  writeFileSync(join(cwd, 'migrate-v2.config.yaml'), configuration);
  return cwd;
}

const digest = (cwd: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  run(['report', '--digest', '--store', 'usage.db', ...args], { cwd, env });

describe('migrate-v2 report --digest', () => {
  test('tells what is new in Markdown, and as JSON', async () => {
    const cwd = await folderWith();
    const { code, stdout, stderr } = await digest(cwd);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^## v1 use from [^\n]*\n\n\*\*NOT YET\*\*: [^]*### New\n\n- \*\*&lt;!channel&gt; Acme\*\*: calls v1 since /);
    const { stdout: json } = await digest(cwd, ['--format', 'json']);
    expect(JSON.parse(json)).toMatchObject({ version: 1, changed: true, new: [{ workspace: '<!channel> Acme', owner: 'Ada' }] });
  });

  test('writes a file that is for its owner alone', async () => {
    const cwd = await folderWith();
    expect(await digest(cwd, ['--out', 'digest.md'])).toEqual({ code: 0, stdout: '', stderr: `Wrote ${join(cwd, 'digest.md')}\n` });
    expect(readFileSync(join(cwd, 'digest.md'), 'utf8')).toMatch(/^## v1 use from /);
    expect(statSync(join(cwd, 'digest.md')).mode & 0o777).toBe(0o600);
  });

  test('tells of one owner alone', async () => {
    const cwd = await folderWith([...recent, { key: 'mk_bolt_1', daysAgo: 1 }]);
    expect((await digest(cwd)).stdout).toContain('### Unknown keys');
    const { stdout } = await digest(cwd, ['--owner', 'Ada']);
    expect(stdout).toContain('Acme**: calls v1 since ');
    expect(stdout).not.toContain('bolt');
  });

  test('goes with --check, which exits by the verdict', async () => {
    expect((await digest(await folderWith(), ['--check'])).code).toBe(1);
    const { code, stdout } = await digest(await folderWith(quiet), ['--check']);
    expect(code).toBe(0);
    expect(stdout).toContain('**SAFE**');
  });
});

describe('--post', () => {
  const slack = z.object({ text: z.string(), blocks: z.array(z.object({ text: z.object({ text: z.string() }) })) });
  const teams = z.object({
    type: z.literal('message'),
    attachments: z.array(z.object({ content: z.object({ body: z.array(z.unknown()) }) })),
  });

  test('sends what Slack takes to the webhook that the environment names, and writes nothing of it', async () => {
    const { url, received } = await receiver(answer(200, 'ok'));
    const args = ['--post', 'env:WEBHOOK', '--post-as', 'slack'];
    expect(await digest(await folderWith(), args, { WEBHOOK: url.href })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Posted the digest to Slack\n',
    });
    expect(received).toHaveLength(1);
    const { blocks } = slack.parse(JSON.parse(received[0]?.body ?? ''));
    expect(blocks.map(({ text }) => text.text).join('\n')).toContain('*&lt;!channel&gt; Acme*: calls v1 since ');
  });

  test('sends what Teams takes, and the digest itself where nothing else is said, to the webhook of a file', async () => {
    const { url, received } = await receiver(answer(429, '', { 'retry-after': '0' }), answer(202));
    const cwd = await folderWith();
    writeFileSync(join(cwd, 'webhook'), `${url.href}\n`);
    const { stderr } = await digest(cwd, ['--post', 'file:webhook', '--post-as', 'teams']);
    expect(stderr).toBe('Posted the digest to Teams\n');
    expect(await digest(cwd, ['--post', 'file:webhook', '--out', 'digest.md'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Posted the digest to the webhook, as JSON\n'),
    });
    expect(readFileSync(join(cwd, 'digest.md'), 'utf8')).toContain('### New');
    const [refused, taken, json] = received.map(({ body }): unknown => JSON.parse(body));
    expect(refused).toEqual(taken);
    teams.parse(taken);
    expect(json).toMatchObject({ version: 1, new: [{ workspace: '<!channel> Acme' }] });
  });

  test('ends with 3 where the webhook refuses, also with --check, and shows nothing of its address', async () => {
    const { url } = await receiver(answer(404, 'no_service'));
    const { code, stdout, stderr } = await digest(await folderWith(), ['--post', url.href, '--check', '--verbose']);
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: '',
      stderr: 'migrate-v2: --post: the digest was not posted: it was answered with 404: no_service\n',
    });
  });

  test('--post-if changed posts what is new, and says so where nothing is', async () => {
    const { url, received } = await receiver(answer(200));
    const args = ['--post', url.href, '--post-if', 'changed'];
    expect(await digest(await folderWith(quiet), args)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^Nothing new since \d{4}-\d\d-\d\d: not posted\n$/),
    });
    expect(received).toEqual([]);
    expect(await digest(await folderWith(), args)).toMatchObject({ code: 0, stderr: 'Posted the digest to the webhook, as JSON\n' });
    expect(received).toHaveLength(1);
  });
});
