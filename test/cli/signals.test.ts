import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { listening } from '../helpers/process.ts';
import { startUpstream } from '../helpers/proxy.ts';
import { connectRaw } from '../helpers/raw.ts';
import { needs } from '../helpers/tools.ts';
import { startInTerminal } from './migrate/pty.ts';
import { serve } from './run.ts';

const free = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];

test.each(['proxy', 'sandbox'])(
  '%s opens no debugger on SIGUSR1, and serves on after a SIGUSR2 and a SIGHUP that no terminal sent',
  async (command) => {
    await using running = serve([command, ...free, ...(command === 'proxy' ? ['--sandbox'] : [])]);
    const { url } = await listening(running);
    running.child.kill('SIGUSR1');
    running.child.kill('SIGUSR2');
    running.child.kill('SIGHUP');
    await running.line(/"event":"hangup"/);
    // Once it answers it has seen both, and Node tells of a debugger at once.
    for (let i = 0; i < 20; i++) expect((await fetch(`${url}/v1/contacts`)).status).toBe(401);
    expect(await running.stop()).toBe(0);
    expect(running.stderr.join('\n')).not.toContain('Debugger');
  },
);

test('proxy finishes what is in flight when its terminal is closed', needs('script'), async () => {
  const asked = Promise.withResolvers<() => void>();
  await using v2 = await startUpstream((_req, res) => {
    asked.resolve(() => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
  });
  const terminal = startInTerminal(tmpdir(), ['proxy', '--v2-base', v2.url, ...free, '--store', 'none', '--log-format', 'json']);
  let screen = '';
  const port = await new Promise<number>((resolve) => {
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
      const [, found] = /"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(screen) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
  });
  const client = await connectRaw(port);
  client.write('GET /v1/contacts HTTP/1.1\r\nHost: a\r\nx-api-key: sk_test_0123456789\r\n\r\n');
  const answer = await asked.promise;
  terminal.kill('SIGKILL');
  await once(terminal, 'exit');
  const accepts = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  await expect.poll(accepts).toBe(false);
  answer();
  expect(await client.readAnswer()).toMatchObject({ status: 200, statusText: 'OK' });
  expect(await client.ending()).toBe('end');
});
