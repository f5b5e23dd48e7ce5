import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { Hub, type Renderer } from '../../../src/report/live/hub.ts';
import { Pace } from '../../../src/report/live/pace.ts';
import { viewOf } from '../../../src/report/live/view.ts';

const beat = 15_000;
afterEach(() => void vi.useRealTimers());

/** A hub whose reports are of so many characters, the server's side of one listener, and what it gets. */
async function listen(size: number): Promise<{ readonly hub: Hub; readonly res: ServerResponse; readonly answer: IncomingMessage }> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const sections = [{ id: 'all', html: 'x'.repeat(size) }];
  const reports: Renderer = { pace: new Pace(), render: async () => ({ title: 'Usage', made: new Date(0).toISOString(), sections }) };
  const hub = new Hub(reports);
  const served = Promise.withResolvers<ServerResponse>();
  const server = createServer((_req, res) => {
    hub.add(viewOf(new URLSearchParams()), res);
    served.resolve(res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    hub.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const [answer]: IncomingMessage[] = await once(get({ port, agent: false }), 'response');
  if (answer === undefined) throw new Error('There is no answer');
  return { hub, res: await served.promise, answer: answer.on('error', () => undefined) };
}

test('who reads nothing of what is sent is dropped', async () => {
  const { res } = await listen(20_000_000);
  await expect.poll(() => res.writableNeedDrain).toBe(true);
  const closed = once(res, 'close');
  vi.advanceTimersByTime(2 * beat);
  await closed;
  expect(res.destroyed).toBe(true);
});

test('who reads keeps being told that the page is there', async () => {
  const { answer, res } = await listen(10);
  answer.setEncoding('utf8');
  let text = '';
  answer.on('data', (chunk: string) => (text += chunk));
  await expect.poll(() => text).toContain('event: report');
  vi.advanceTimersByTime(3 * beat);
  await expect.poll(() => text.match(/: here\n\n/g)).toHaveLength(3);
  expect(res.destroyed).toBe(false);
});
