import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { bin, projectRoot } from '../helpers/build.ts';
import { freePort } from '../helpers/port.ts';
import { cleanEnvironment, start } from '../helpers/process.ts';

/** More lines than a pipe and its reader's buffer hold together. */
const calls = 3_000;
const atOnce = 30;

describe('a proxy whose log nobody reads', () => {
  it('goes on answering, and ends when it is told to', async () => {
    const args = [bin, 'proxy', '--sandbox', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
    const child = spawn(process.execPath, args, { env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'ignore'] });
    const exited = once(child, 'exit');
    const [first] = (await once(child.stdout, 'data')) as [Buffer];
    child.stdout.pause();
    const { url } = JSON.parse(first.toString().split('\n', 1)[0] ?? '') as { url: string };

    for (let made = 0; made < calls; made += atOnce) {
      const answers = await Promise.all(Array.from({ length: atOnce }, () => fetch(`${url}/v1/messages`)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: atOnce }, () => 401));
      await Promise.all(answers.map((answer) => answer.text()));
    }
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('serves where its log cannot be written', async () => {
    const port = await freePort();
    const command = `exec "${process.execPath}" ${bin} proxy --sandbox --listen 127.0.0.1:${port} --admin 127.0.0.1:0 > /dev/full`;
    await using running = start('sh', ['-c', command], { cwd: projectRoot });
    await running.line(/curl -X POST/, 'stderr');
    for (let i = 0; i < 3; i++) expect((await fetch(`http://127.0.0.1:${port}/v1/messages`)).status).toBe(401);
    expect(await running.stop()).toBe(0);
  });
});
