import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { Hub, type Renderer } from '../../../src/report/live/hub.ts';
import type { Rendered } from '../../../src/report/live/messages.ts';
import { Pace } from '../../../src/report/live/pace.ts';
import { NoReport } from '../../../src/report/live/reports.ts';
import { viewOf } from '../../../src/report/live/view.ts';

const beat = 15_000;
afterEach(() => void vi.useRealTimers());

const report = (size: number): Rendered => ({
  title: 'Usage',
  of: null,
  made: new Date(0).toISOString(),
  sections: [{ id: 'all', html: 'x'.repeat(size) }],
});

/** A hub of these reports, the server's side of one listener, and what it gets. */
async function listen(
  render: Renderer['render'],
): Promise<{ readonly hub: Hub; readonly res: ServerResponse; readonly answer: IncomingMessage }> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const reports: Renderer = { pace: new Pace(), render };
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
  const { res } = await listen(async () => report(20_000_000));
  await expect.poll(() => res.writableNeedDrain).toBe(true);
  const closed = once(res, 'close');
  vi.advanceTimersByTime(2 * beat);
  await closed;
  expect(res.destroyed).toBe(true);
});

test('who reads keeps being told that the page is there', async () => {
  const { answer, res } = await listen(async () => report(10));
  answer.setEncoding('utf8');
  let text = '';
  answer.on('data', (chunk: string) => (text += chunk));
  await expect.poll(() => text).toContain('event: report');
  vi.advanceTimersByTime(3 * beat);
  await expect.poll(() => text.match(/: here\n\n/g)).toHaveLength(3);
  expect(res.destroyed).toBe(false);
});

test.each([
  ['is made', (made: PromiseWithResolvers<Rendered>) => made.resolve(report(10))],
  ['cannot be made', (made: PromiseWithResolvers<Rendered>) => made.reject(new NoReport('The thread has ended'))],
])('a report that %s after the end is written to nobody: to write there would end the process', async (_, settle) => {
  const made = Promise.withResolvers<Rendered>();
  const { hub, res } = await listen(() => made.promise);
  const errors: unknown[] = [];
  res.on('error', (error) => errors.push(error));
  hub.close();
  settle(made);
  await once(res, 'close');
  expect(errors).toEqual([]);
});
