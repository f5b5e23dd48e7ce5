import { spawn } from 'node:child_process';
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openReader } from '../../../src/usage/store/open.ts';
import { lineOf, linesOf } from '../../usage/logs/logs.ts';
import { everything } from '../../usage/record.ts';
import { bin } from '../../helpers/build.ts';
import { newFolder } from '../report/stores.ts';
import { useCommandLine } from '../run.ts';

const run = useCommandLine();

function folder() {
  const cwd = newFolder();
  const store = join(cwd, 'usage.db');
  return {
    cwd,
    path: (name: string) => join(cwd, name),
    write: (name: string, text: string | Buffer) => writeFileSync(join(cwd, name), text),
    take: (...args: readonly string[]) => run(['usage', 'import', ...args, '--store', store], { cwd }),
    store,
  };
}

test('usage import tells of each log, of all clients and endpoints, and counts nothing twice', async () => {
  const { take, write, path } = folder();
  const text = linesOf(40).join('') + lineOf({ target: '/v1/contacts', status: 401, second: 90, agent: 'curl/8.9.1' });
  write('access.log', text + lineOf({ target: '/', second: 99 }));
  const first = await take('access.log');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toBe(
    [
      'access.log (combined, source combined): 42 lines, 41 v1 calls from 2026-11-20 08:00 UTC to 2026-11-20 08:01 UTC',
      'Clients: 2',
      '  40  axios/1.7.0  192.0.2.0/24',
      '   1  curl/8.9.1  192.0.2.0/24',
      'Endpoints: 2',
      '  40  GET /v1/messages/:id',
      '   1  GET /v1/contacts',
      '1 call of these was refused\n',
    ].join('\n'),
  );
  renameSync(path('access.log'), path('access.log.1'));
  // Several members, as somebody makes one of several files; and names that say nothing.
  write('old', Buffer.concat([gzipSync(text.slice(0, 500)), gzipSync(text.slice(500))]));
  write('older.gz', zstdCompressSync(Buffer.from(text)));
  write('access.log', lineOf({ target: '/v1/contacts', second: 200 }));
  appendFileSync(path('access.log.1'), lineOf({ target: '/v1/contacts', second: 100 }));
  const again = await take('older.gz', 'old', 'access.log', 'access.log.1');
  expect(again.code).toBe(0);
  expect(again.stdout.split('\n').slice(0, 4)).toEqual([
    expect.stringContaining('older.gz (combined, source combined): 41 lines, 41 v1 calls'),
    expect.stringMatching(/^old \(.* 41 lines, .*, none of them new$/),
    expect.stringMatching(/^access\.log \(.*: 1 line, 1 v1 call from [^,]*$/),
    expect.stringMatching(/^access\.log\.1 \(.*: 43 lines, 42 v1 calls .*, 1 of them new$/),
  ]);
});

test('usage import reads stdin', async () => {
  const { cwd, store } = folder();
  const child = spawn(process.execPath, [bin, 'usage', 'import', '-', '--store', store], { cwd });
  child.stdin.end(gzipSync(linesOf(5).join('')));
  const chunks = await child.stdout.setEncoding('utf8').toArray();
  expect(chunks.join('')).toContain('- (combined, source combined): 5 lines, 5 v1 calls');
});

test('usage import goes on behind a log that it cannot read, shows what it read not, and says what to give', async () => {
  const { take, write } = folder();
  write('unknown.log', 'hello \u001b[31m /v1/messages?key=sk_live_0123456789abcdef\nworld x-api-key: KJHGFDSAQWERTYUIOPZX\n');
  write('damaged.gz', gzipSync(linesOf(2_000).join('')).subarray(0, 9_000));
  write('bad.log', linesOf(20).join('') + lineOf({ target: '/v1/messages' }).replace('Nov', '\u001b[2J'));
  const { code, stdout, stderr } = await take('nowhere.log', '.', 'unknown.log', 'damaged.gz', 'bad.log');
  expect(code).toBe(3);
  expect(stdout).toContain('bad.log (combined, source combined): 21 lines, 20 v1 calls');
  expect(stdout).toContain('1 line could not be read');
  const [, calls] = /^damaged\.gz \(combined, source combined\): [\d,]+ lines?, ([\d,]+) v1 calls/m.exec(stdout) ?? [];
  expect(Number(calls?.replace(',', ''))).toBeGreaterThan(100);
  expect(stdout).toContain(`Endpoints: 1\n  ${Number(calls?.replace(',', '')) + 20}`.replace(/(\d)(\d{3})$/, '$1,$2'));
  const lines = stderr.split('\n');
  expect(lines).toEqual([
    'nowhere.log: there is no such file',
    '.: is a folder; give its files',
    expect.stringMatching(
      /^unknown\.log: no format fits; give --format combined, .*--field name=FIELD; for anything else --pattern\. It begins with:$/,
    ),
    expect.stringMatching(/^ {2}hello \S*\[31m \/v1\/messages\?…$/),
    '  world x-api-key…',
    expect.stringMatching(/^damaged\.gz: its compression is damaged \(.*\); what was read until there counts$/),
    expect.stringMatching(
      /^ {2}not read: 192\.0\.2\.7 - - \[20\/\\u\{1b\}\[… \+0000\] "GET \/v1\/messages HTTP\/1\.1" 200 5 "-" "axios\/1\.7\.0"$/,
    ),
    '',
  ]);
  expect(stderr).not.toContain('\u001b');
  expect(stderr).not.toContain('sk_live_0123456789abcdef');
  expect((await take('bad.log')).code).toBe(2);
});

test('usage import takes a host with its port, and says when every line is of another one', async () => {
  const { take, write } = folder();
  const line = (host: string, second: number): string => `${host} ${lineOf({ target: '/v1/contacts', second })}`;
  write('hosts.log', line('api.example.com.', 1) + line('api.example.com', 2) + line('API.example.com:443', 3));
  expect(await take('hosts.log', '--host', 'API.example.com:443')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('3 v1 calls'),
  });
  expect(await take('hosts.log', '--host', 'api.example.com.')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('3 v1 calls'),
  });
  expect(await take('hosts.log', '--host', 'www.example.com')).toMatchObject({
    code: 0,
    stderr: 'hosts.log: nothing was taken: every line with a path of v1 is of another host than www.example.com: api.example.com\n',
  });
});

test('usage import takes a pattern, and names of fields', async () => {
  const { take, write, store } = folder();
  write('own.log', '2026-11-20T08:00:00Z|192.0.2.7|GET|/v1/contacts|200|mk_acme_12345678\n');
  write('own.json', '{"when":"2026-11-20T08:00:00Z","verb":"GET","uri":"/v1/contacts","status":200,"who":{"key":"mk_acme_12345678"}}\n');
  const pattern = String.raw`^(?<time>[^|]+)\|(?<address>[^|]+)\|(?<method>\w+)\|(?<path>[^|]+)\|(?<status>\d+)\|(?<key>.*)$`;
  expect(await take('own.log', '--pattern', pattern)).toMatchObject({ code: 0, stdout: expect.stringContaining('mk_ac… hash:') });
  const fields = ['--field', 'time=when,method=verb', '--field', 'key=who.key'];
  expect(await take('own.json', '--source', 'gateway', ...fields)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('mk_ac… hash:'),
  });
  const reader = await openReader(store);
  const uses = await reader.logUses(everything);
  await reader.close();
  expect(new Set(uses.map(({ caller }) => caller.keyHash)).size).toBe(1);
  expect(uses.map(({ source }) => source).toSorted()).toEqual(['gateway', 'pattern']);
});

test('usage import forgets a source where that is asked for', async () => {
  const { take, write } = folder();
  write('access.log', linesOf(3).join(''));
  await take('access.log', '--source', 'edge');
  expect(await take('--anew', '--source', 'edge')).toMatchObject({ code: 0, stderr: 'source edge: 3 v1 calls forgotten\n' });
  expect(await take('access.log', '--anew', '--source', 'edge')).toMatchObject({
    code: 0,
    stderr: 'source edge: nothing was known of it\n',
  });
});

test.each([
  ['a log that is not there', ['gone.log'], 3],
  ['one that no format fits', ['access.log', 'binary.log'], 3],
  ['an empty one', ['empty.log'], 3],
  ['one of which too much cannot be read', ['access.log', 'bad.log'], 2],
])('usage import --anew forgets nothing for %s', async (_name, logs, code) => {
  const { take, write, store } = folder();
  write('access.log', linesOf(3).join(''));
  write('binary.log', Buffer.from([0, 1, 2, 10, 3, 4, 10]));
  write('empty.log', '');
  write('bad.log', lineOf({ target: '/v1/messages' }).replace('Nov', '???') + linesOf(5).join(''));
  await take('access.log', '--source', 'edge');
  const { stderr, ...done } = await take('--anew', '--source', 'edge', ...logs);
  expect(done.code).toBe(code);
  expect(stderr).toContain('source edge: stays as it was, with all its calls\n');
  const reader = await openReader(store);
  const [sources, uses] = [await reader.logSources(), await reader.logUses(everything)];
  await reader.close();
  expect(sources.map(({ name, lines }) => [name, lines])).toEqual([['edge', 3]]);
  expect(uses.reduce((sum, { calls }) => sum + calls, 0)).toBe(3);
});

test('usage import --anew puts what it reads in the place of what was there', async () => {
  const { take, write, store } = folder();
  write('access.log', linesOf(3).join(''));
  write('right.log', linesOf(2, 1).join(''));
  await take('access.log', '--source', 'edge');
  const { code, stdout, stderr } = await take('--anew', '--source', 'edge', 'right.log');
  expect([code, stderr]).toEqual([0, 'source edge: 3 v1 calls forgotten\n']);
  expect(stdout).toContain('right.log (combined, source edge): 2 lines, 2 v1 calls');
  const reader = await openReader(store);
  const uses = await reader.logUses(everything);
  await reader.close();
  expect(uses.map(({ source, calls }) => [source, calls])).toEqual([['edge', 2]]);
});

test('usage erase forgets a key that stands in logs alone, and it does not come back with them', async () => {
  const { take, write, store, cwd } = folder();
  const line = (key: string): string =>
    `{"time":"2026-11-20T08:00:00Z","request":"GET /v1/contacts HTTP/1.1","status":200,"x_api_key":"${key}"}\n`;
  write('access.json', line('mk_acme_12345678') + line('mk_bolt_12345678'));
  const { stdout } = await take('access.json');
  const [hash = ''] = /hash:[0-9a-f]{16}/.exec(stdout) ?? [];
  const erase = () => run(['usage', 'erase', '--store', store, '--key', hash, '--yes'], { cwd });
  expect((await erase()).stderr).toMatch(
    /^Forgot 1 call of 1 client\..* Logs in which it stands tell of it again if they are imported under another --source or with --anew$/m,
  );
  expect((await take('access.json')).stdout).toContain('2 v1 calls from 2026-11-20 08:00 UTC to 2026-11-20 08:00 UTC, none of them new');
  expect((await erase()).stderr).toBe(`Nothing is recorded of ${hash}\n`);
});

test.each([
  [[], 'usage import: needs access logs: names of files, or - for stdin'],
  [['-', '-'], '-: is given twice, and can be read once'],
  [['a.log', '--anew'], '--anew: needs --source, the name of what is to be forgotten'],
  [['a.log', '--format', 'pattern'], '--format pattern: needs --pattern'],
  [
    ['a.log', '--format', 'apache'],
    '--format: "apache" is not one of combined, json, alb, cloudfront, envoy, pattern (from the command line)',
  ],
  [['a.log', '--pattern', '(?<time>.*'], '--pattern: "(?<time>.*" is not a regular expression of JavaScript (from the command line)'],
  [
    ['a.log', '--pattern', '(?<time>.*)'],
    '--pattern: needs groups for what was called: (?<method>…) and (?<path>…), or (?<request>…) for both (from the command line)',
  ],
  [
    ['a.log', '--field', 'what=x'],
    '--field: "what=x" names no field: write name=FIELD with one of time, method, path, request, status, address, agent, host, key or via (from the command line)',
  ],
  [
    ['a.log', '--skip-network', '10.0.0.0/33'],
    '--skip-network: "10.0.0.0/33" is no network: write 192.0.2.0/24, 2001:db8::/48 or an address (from the command line)',
  ],
  [
    ['a.log', '--host', 'https://api.example.com/v1'],
    '--host: "https://api.example.com/v1" is not the name of a host: write api.example.com (from the command line)',
  ],
  [['a.log', '--key', 'hash:0123456789abcdef'], '--key: is a flag of usage erase, and none of usage import'],
])('usage import %j', async (args, line) => {
  expect(await folder().take(...args)).toEqual({ code: 4, stdout: '', stderr: `migrate-v2: ${line}\n` });
});
