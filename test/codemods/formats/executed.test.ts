/** Rewritten scripts are run by a real shell, with recorders in place of curl, wget and HTTPie: they get the words of v2. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyFixture, type Fixture, loadFixtures } from '../helpers/fixtures.ts';
import { runText } from './run.ts';
import { needs } from '../../helpers/tools.ts';

const fixtures = loadFixtures().filter(({ name, unchanged }) => name.startsWith('formats/shell-') && !unchanged);
const scripts = fixtures.flatMap((fixture) =>
  readdirSync(fixture.input).map((script) => ({ fixture, script, name: `${fixture.name}/${script}` })),
);

/** Writes each word in a line of its own, and answers with an id. */
const recorder = `#!/bin/sh
{ echo "\${0##*/}"; for word; do printf '  %s\\n' "$word"; done; } >> "$RECORDED"
echo '{"messageId":"msg_1"}'
`;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'beside-executed-'));
  mkdirSync(join(folder, 'bin'));
  for (const name of ['curl', 'wget', 'http', 'https', 'jq']) {
    writeFileSync(join(folder, 'bin', name), name === 'jq' ? '#!/bin/sh\ncat\n' : recorder);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

function recordedOf(fixture: Fixture, side: 'input' | 'output', script: string): string {
  const cwd = join(folder, fixture.name, side);
  copyFixture(fixture, side, cwd);
  return record(cwd, script);
}

function record(cwd: string, script: string): string {
  for (const name of ['key', 'id']) writeFileSync(join(cwd, name), `${name}1\n`);
  const log = join(cwd, 'recorded.txt');
  rmSync(log, { force: true });
  const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, RECORDED: log, KEY: 'k 1', ID: '7', STAGE: 'prod' };
  execFileSync('bash', [script, '42'], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  return readFileSync(log, 'utf8');
}

/** What v2 is to be asked where v1 was asked this: what goes to another host stays. */
const translated = (recorded: string): string =>
  recorded.replaceAll(/^\S+\n(?: .*\n)*/gm, (asked) =>
    asked.includes('example.com')
      ? asked
          .replaceAll(/(?<=example\.com(?::443)?)\/v1/g, '/v2')
          .replaceAll(/x-api-key:( *)/gi, (_all, blank: string) => `Authorization:${blank}Bearer `)
      : asked,
  );

/** Blanks within substitutions separate words of their own. */
const unquoted = (text: string): string => text.replaceAll(/(?<!\(cat|`cat) /g, '\\ ');
/** A quotation cannot begin within a variable, and a name that is quoted in parts is for a person. */
const cut = (text: string): number => (text.startsWith('$') ? 0 : text.indexOf(':') + 1);
const quoted = fc.constantFrom(
  (text: string) => `"${text}"`,
  unquoted,
  (text: string) => `"${text.slice(0, cut(text))}"${unquoted(text.slice(cut(text)))}`,
  (text: string) => `${text.slice(0, cut(text))}"${text.slice(cut(text))}"`,
  (text: string) => `$"${text}"`,
);
const key = fc.constantFrom('k', '${KEY}', '$(cat key)', '`cat key`', 'a-b.c');
const header = fc
  .tuple(fc.constantFrom('x-api-key', 'X-API-Key'), fc.constantFrom(':', ': '), key, quoted)
  .map(([name, colon, key, quote]) => quote(`${name}${colon}${key}`));
const option = fc.tuple(fc.constantFrom('-H ', '--header ', '--header=', '-sSH ', '-H'), header).map(([option, word]) => option + word);
const base = fc.constantFrom('https://api.example.com/v1', '$B', '${B}', '$HOST/v1', '${MISSING:-https://api.example.com/v1}');
const address = fc
  .tuple(base, fc.constantFrom('/messages', '/contacts/$ID', '/contacts/$(cat id)?a=b', '/campaigns/`cat id`', '/contacts?page=1'), quoted)
  .map(([base, path, quote]) => quote(base + path));
const extra = fc.constantFrom('-s', '-o out', "-w '%{http_code}'", '--max-time 5', "-H 'accept: */*'", '\\\n ', '2>/dev/null', '-L');
const command = fc
  .tuple(
    fc.constantFrom('curl', 'if true; then curl', 'X=$(curl', 'echo a | curl', '(curl', 'A=b curl'),
    fc.tuple(option, address, extra),
    fc.boolean(),
  )
  .map(([start, [option, address, extra], isLast]) => {
    const end = start.startsWith('if') ? '; fi' : start.includes('(curl') ? ')' : '';
    return `${start} ${isLast ? `${extra} ${address} ${option}` : `${option} ${extra} ${address}`}${end}`;
  });

describe('a rewritten script', needs('bash'), () => {
  test.each(scripts)('asks v2 for what it asked v1 for: $name', ({ fixture, script }) => {
    const before = recordedOf(fixture, 'input', script);
    const after = recordedOf(fixture, 'output', script);

    expect(after).toBe(translated(before));
    expect(before).toContain('/v1');
  });

  test('asks v2 for what it asked v1 for, whatever its quotes and substitutions', () => {
    const cwd = join(folder, 'generated');
    mkdirSync(cwd);
    fc.assert(
      fc.property(fc.array(command, { minLength: 5, maxLength: 15 }), (commands) => {
        const text = `B=https://api.example.com/v1\nHOST='https://api.example.com'\ncurl -H 'x-api-key: k' $B/messages\n${commands.join('\n')}\n`;
        const { output, calls, said } = runText('shell', text);
        writeFileSync(join(cwd, 'before.sh'), text);
        writeFileSync(join(cwd, 'after.sh'), output);

        expect(said).toEqual([]);
        expect(calls).toHaveLength(commands.length + 1);
        expect(record(cwd, 'after.sh')).toBe(translated(record(cwd, 'before.sh')));
      }),
      { numRuns: 10 },
    );
  });
});
