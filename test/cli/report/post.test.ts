import { describe, expect, test } from 'vitest';
import { type Clock, post } from '../../../src/cli/report/post.ts';
import { freePort } from '../../helpers/port.ts';
import { type Answer, answer, hangUp, receiver, secretPath } from './receiver.ts';

const body = '{"text":"hello"}';
const start = Date.UTC(2026, 10, 20, 12);

/** Time passes only where somebody waits, and is written down. */
function clockOf(random = 0, timeout: Clock['timeout'] = () => new AbortController().signal) {
  let time = start;
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => time,
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
      time += milliseconds;
    },
    random: () => random,
    timeout,
  };
  return { clock, pauses };
}

async function posted(answers: readonly Answer[], random?: number) {
  const { url, received } = await receiver(...answers);
  const { clock, pauses } = clockOf(random);
  return { result: await post(url, body, clock), received, pauses };
}

test('sends JSON, and once', async () => {
  const { result, received, pauses } = await posted([answer(200, 'ok')]);
  expect(result).toEqual({ posted: true });
  expect(pauses).toEqual([]);
  expect(received).toEqual([
    {
      method: 'POST',
      path: `${secretPath}?sig=anotherSecret5678`,
      // Teams takes what says nothing of its charset for another one.
      type: 'application/json; charset=utf-8',
      body,
    },
  ]);
});

test('takes 202, as workflows of Teams answer, for an answer', async () => {
  expect((await posted([answer(202)])).result).toEqual({ posted: true });
});

test.each([
  ['408', answer(408)],
  ['429', answer(429)],
  ['500', answer(500)],
  ['503', answer(503)],
  ['a connection that is closed', hangUp],
])('tries again after %s, and sends the same', async (_name, first) => {
  const { result, received, pauses } = await posted([first, answer(200)]);
  expect(result).toEqual({ posted: true });
  expect(received.map((each) => each.body)).toEqual([body, body]);
  expect(pauses).toEqual([500]);
});

test('waits longer each time, half of it by chance, and gives up after two minutes', async () => {
  const { result, received, pauses } = await posted([answer(500, 'internal error')]);
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000, 15_000, 15_000]);
  expect(received).toHaveLength(12);
  expect(result).toEqual({ posted: false, problem: 'it was answered with 500: internal error; gave up after 12 tries' });
  expect((await posted([answer(500)], 1)).pauses.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
});

describe('waits as long as Retry-After asks', () => {
  test.each([
    ['in seconds', '7', 7_000],
    ['by a date', new Date(start + 9_000).toUTCString(), 9_000],
    ['unless that is less than a pause of its own', '0', 500],
    ['unless the date is over', new Date(start - 9_000).toUTCString(), 500],
    ['unless it says nothing', 'soon', 500],
    ['unless it is no number of seconds', '-5', 500],
  ])('%s', async (_name, value, pause) => {
    const { result, pauses } = await posted([answer(429, '', { 'retry-after': value }), answer(200)]);
    expect({ result, pauses }).toEqual({ result: { posted: true }, pauses: [pause] });
  });

  test('unless that is too long', async () => {
    const { result, received, pauses } = await posted([answer(429, '', { 'retry-after': '3600' })]);
    expect({ pauses, many: received.length }).toEqual({ pauses: [], many: 1 });
    const problem = 'it was answered with 429, and asks to wait for 3600 seconds, which is too long; gave up after 1 try';
    expect(result).toEqual({ posted: false, problem });
  });
});

test.each([
  [400, 'invalid_payload'],
  [401, ''],
  [403, 'action_prohibited'],
  [404, 'no_service'],
  [410, 'channel_is_archived'],
  [413, ''],
])('does not try again after %i, and says why', async (status, said) => {
  const { result, received } = await posted([answer(status, said), answer(200)]);
  expect(received).toHaveLength(1);
  expect(result).toEqual({ posted: false, problem: `it was answered with ${status}${said && `: ${said}`}` });
});

test.each([301, 302, 303, 307, 308])(
  'follows no redirect (%i): the address is a secret, and where it leads may be another one',
  async (status) => {
    const other = await receiver(answer(200));
    const { result, received } = await posted([answer(status, '', { location: other.url.href })]);
    expect([received.length, other.received.length]).toEqual([1, 0]);
    expect(result).toEqual({
      posted: false,
      problem: `it was answered with ${status}, which leads elsewhere: give the address that it leads to`,
    });
  },
);

test('ends a try that is not answered in time, and tries again: the digest may come twice then', async () => {
  const timeouts: AbortController[] = [];
  const asked: number[] = [];
  const { clock, pauses } = clockOf(0, (milliseconds) => {
    asked.push(milliseconds);
    timeouts.push(new AbortController());
    return timeouts.at(-1)?.signal ?? AbortSignal.abort();
  });
  const { url, received } = await receiver(() => timeouts.at(-1)?.abort());
  const result = await post(url, body, clock);
  expect(result).toEqual({ posted: false, problem: 'there was no answer within 15 seconds; gave up after 12 tries' });
  expect([received.length, pauses.length]).toEqual([12, 11]);
  // The last one ends with all of them.
  expect(asked).toEqual([...Array.from({ length: 11 }, () => 15_000), 14_500]);
});

test('takes the status for the answer where the rest of it does not come', async () => {
  const { result, received } = await posted([(response) => response.writeHead(404).write('no_', () => response.destroy())]);
  expect(received).toHaveLength(1);
  expect(result).toEqual({ posted: false, problem: expect.stringMatching(/^it was answered with 404/) });
  const { result: good } = await posted([(response) => response.writeHead(200).write('o')]);
  expect(good).toEqual({ posted: true });
});

test('tells where nobody listens', async () => {
  const { clock } = clockOf();
  const result = await post(new URL(`http://127.0.0.1:${await freePort()}/`), body, clock);
  expect(result).toEqual({
    posted: false,
    problem: expect.stringMatching(/^connect ECONNREFUSED 127\.0\.0\.1:\d+; gave up after 12 tries$/),
  });
});

describe('what an answer says', () => {
  test('is one line without anything that a terminal obeys, and not long', async () => {
    const { result } = await posted([answer(400, `\u001b[2J\u0007<b>bad</b>\r\n\u202e${'x'.repeat(5_000)}`)]);
    const { problem } = { problem: '', ...result };
    expect(problem).toMatch(/^it was answered with 400: \\u\{1b\}\[2J\\u\{7\}<b>bad<\/b> \\u\{202e\}x+…$/);
    expect(problem.length).toBeLessThan(300);
  });

  test('holds nothing that the address is made of, however short and however it is written', async () => {
    const parts = ['T0123ABCD', 'B0456EFGH', 'aVerySecretToken1234', 'ANOTHERsecret5678'];
    const { result } = await posted([answer(404, `no ${parts.join(' and ')} of Services here, T0123ABCD`)]);
    expect(result).toEqual({ posted: false, problem: 'it was answered with 404: no … and … and … and … of … here, …' });
    const { url } = await receiver(answer(403, 'no a-1 of k7Q with x%y, x%25y or z9z, by ab'));
    const short = new URL(`/a-1/k7Q/x%25y/ab?sig=z9z`, url);
    const problem = 'it was answered with 403: no … of … with …, … or …, by ab';
    expect(await post(short, body, clockOf().clock)).toEqual({ posted: false, problem });
  });

  test.each([
    ['the path', secretPath],
    ['the path in capitals', secretPath.toUpperCase()],
    ['the address', `http://hooks.test${secretPath}?sig=anotherSecret5678`],
    ['the path, encoded', encodeURIComponent(secretPath)],
  ])('is not told where it holds %s', async (_name, text) => {
    const { result } = await posted([answer(404, `there is no ${text} here`)]);
    expect(result).toEqual({ posted: false, problem: 'it was answered with 404' });
  });

  test('is not told where it holds a path whose parts are too short to be hidden', async () => {
    const { url } = await receiver(answer(404, 'there is no /a/b1 here'));
    expect(await post(new URL('/a/b1', url), body, clockOf().clock)).toEqual({ posted: false, problem: 'it was answered with 404' });
  });
});
