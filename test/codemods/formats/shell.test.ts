import { describe, expect, it } from 'vitest';
import { plain } from '../../../codemods/formats/text.ts';
import { commandsIn } from '../../../codemods/formats/shell/words.ts';
import { runText } from './run.ts';

const words = (script: string): string[][] => commandsIn(plain(script, 0)).map(({ words }) => words.map(({ text }) => text.value));

describe('shell words', () => {
  it.each([
    [`a 'b c' "d e" f\\ g`, [['a', 'b c', 'd e', 'f g']]],
    [`a"b"'c'd`, [['abcd']]],
    [`a \\\n  b`, [['a', 'b']]],
    [`a \\\r\n  b\r\nc`, [['a', 'b'], ['c']]],
    [`a # b`, [['a']]],
    [`a b#c`, [['a', 'b#c']]],
    [`a; b && c || d | e & f`, [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
    [`a > b 2>&1 < c >> d e`, [['a', 'e']]],
    [`a <<EOF | b\nx 'y\nEOF\nc`, [['a'], ['b'], ['c']]],
    [`a <<< "b" c`, [['a', 'c']]],
    [`(a b)`, [['a', 'b']]],
    [
      `a "$(b "c d")" e`,
      [
        ['b', 'c d'],
        ['a', '$(b "c d")', 'e'],
      ],
    ],
    [
      'a `b c` d',
      [
        ['b', 'c'],
        ['a', '`b c`', 'd'],
      ],
    ],
    [`a $'b\\'c' d`, [['a', "b'c", 'd']]],
    [`a "\${b:-c d}" \${e}`, [['a', '${b:-c d}', '${e}']]],
    [`a "x\\"y"`, [['a', 'x"y']]],
    [`a=(b 'c d')`, [['a=']]],
    [`a <b-c> {{d e}}`, [['a', '<b-c>', '{{d e}}']]],
    [`a 'never closed`, [['a', 'never closed']]],
    [
      `a "$(never closed`,
      [
        ['never', 'closed'],
        ['a', '$(never closed'],
      ],
    ],
  ])('%j', (script, expected) => {
    expect(words(script)).toEqual(expected);
  });
});

describe('a curl command', () => {
  it.each([
    ['-XPOST', 'https://api.example.com/v1/messages/send', 'sendMessage'],
    ['--request POST', '--url https://api.example.com/v1/contacts', 'createContact'],
    ['-d @body', 'https://api.example.com/v1/campaigns', 'createCampaign'],
    ['--json {}', 'https://api.example.com/v1/messages/send', 'sendMessage'],
    ['-T body -o out', 'https://api.example.com/v1/contacts/1', 'updateContact'],
    ['-Gd a=b', 'https://api.example.com/v1/contacts', 'listContacts'],
    ['-sSLo out -w "%{http_code}"', 'https://api.example.com/v1/messages', 'listMessages'],
    ['--unknown-option value', 'https://api.example.com/v1/messages', 'listMessages'],
    ['-x http://proxy:3128 -e https://other.example', 'https://api.example.com/v1/messages', 'listMessages'],
    ['-X $METHOD', 'https://api.example.com/v1/messages', 'listMessages'],
  ])('with %s %s asks for %s', (options, url, endpoint) => {
    expect(runText('shell', `curl ${options} -H 'x-api-key: k' ${url}\n`).calls.map((call) => call.endpoint)).toEqual([endpoint]);
  });

  it.each([
    ['x-api-key:$K', 'Authorization:Bearer\\ $K'],
    ['x-api-key:\\ $K', 'Authorization:\\ Bearer\\ $K'],
    ['"x-api-key:$K"', '"Authorization:Bearer $K"'],
    [`'X-API-KEY:   k'`, `'Authorization:   Bearer k'`],
    [`"x-api-key: "'k'`, `"Authorization: "'Bearer k'`],
    [`x-api-key:" $K"`, `Authorization:" Bearer $K"`],
    [`$'x-api-key: k'`, `$'Authorization: Bearer k'`],
    ['"x-api-key: $(cat key)"', '"Authorization: Bearer $(cat key)"'],
  ])('with -H %s gets -H %s', (header, expected) => {
    const command = (header: string, version: string): string => `curl -H ${header} https://api.example.com/${version}/messages`;
    expect(runText('shell', command(header, 'v1')).output).toBe(command(expected, 'v2'));
  });

  it.each([
    ['an empty key', `-H 'x-api-key:'`, 'key-not-text 1'],
    ['two keys', `-H 'x-api-key: a' -H 'X-Api-Key: b'`, 'key-not-text 1'],
    ['a token that is already there', `-H 'x-api-key: Bearer a'`, 'authorization-present 1'],
    ['a token option', `-H 'x-api-key: a' --oauth2-bearer b`, 'authorization-present 1'],
    ['no key', '-s', 'key-not-found 1'],
  ])('with %s is for a person', (_what, options, finding) => {
    const { edits, said } = runText('shell', `curl ${options} https://api.example.com/v1/messages`);
    expect(edits).toEqual([]);
    expect(said).toContain(finding);
  });

  it('is two requests with --next', () => {
    const { said, edits } = runText(
      'shell',
      `curl -H 'x-api-key: a' https://api.example.com/v1/messages --next https://api.vendor.example/v1/messages`,
    );
    expect(said).toEqual([]);
    expect(edits).toHaveLength(3);
  });

  it('is found in the scripts that other commands are given', () => {
    const script = `ssh host "curl -H 'x-api-key: a' https://api.example.com/v1/messages"\nbash -c 'curl -H x-api-key:$K https://api.example.com/v1/messages'\n`;
    expect(runText('shell', script).output).toBe(
      `ssh host "curl -H 'Authorization: Bearer a' https://api.example.com/v2/messages"\nbash -c 'curl -H Authorization:Bearer\\ $K https://api.example.com/v2/messages'\n`,
    );
  });

  it('doubles a backslash where the script stands in a text with escapes', () => {
    const json = (header: string, version: string): string =>
      `{"command": "curl -H ${header} https://api.example.com/${version}/messages"}`;
    expect(runText('json', json('x-api-key:$K', 'v1')).output).toBe(json('Authorization:Bearer\\\\ $K', 'v2'));
  });
});

describe('a shell variable', () => {
  it('moves with all its uses', () => {
    const script = (version: string, header: string): string =>
      `B=https://api.example.com/${version}\nC=$B/contacts\ncurl -H '${header}' $B/messages\ncurl -H '${header}' "$C/1"\n`;
    const { output, calls } = runText('shell', script('v1', 'x-api-key: k'));
    expect(output).toBe(script('v2', 'Authorization: Bearer k'));
    expect(new Set(calls.map(({ group }) => group)).size).toBe(1);
  });

  it.each([
    ['node app.js $B', 'escapes 3'],
    ['curl $B/health', 'unknown-route 3'],
    ['export API_URL=$B/x/y', 'unknown-route 3'],
    ["curl -H 'x-api-key: k' $B/nothing", 'unknown-route 3'],
    ["curl -u a:b -H 'x-api-key: k' $B/messages", 'authorization-present 3'],
    ['curl https://other.example/?to=$B', 'shared-with-other-host 3'],
  ])('stays with all its uses where one is %s', (use, finding) => {
    const { edits, said } = runText('shell', `B=https://api.example.com/v1\ncurl -H 'x-api-key: k' $B/messages\n${use}\n`);
    expect(edits).toEqual([]);
    expect(said).toEqual([finding]);
  });

  it.each(['echo "$B"', '[ -n "$B" ]', 'printf %s $B', 'unset B'])('moves although it is shown or tested: %s', (use) => {
    expect(runText('shell', `B=https://api.example.com/v1\n${use}\ncurl -H 'x-api-key: k' $B/messages\n`).edits).toHaveLength(3);
  });

  it('without the version binds nobody', () => {
    const { edits, said } = runText('shell', `B=https://api.example.com\nnode app.js $B\ncurl -H 'x-api-key: k' $B/v1/messages\n`);
    expect(edits.map(({ text }) => text)).toEqual(['v2', 'Authorization', 'Bearer ']);
    expect(said).toEqual([]);
  });

  it('that is set twice moves in both places', () => {
    const script = (version: string, header: string): string =>
      `B=https://api.example.com/${version}\n[ -n "$X" ] && B=https://api.example.com/${version}\ncurl -H '${header}' $B/messages\n`;
    expect(runText('shell', script('v1', 'x-api-key: k')).output).toBe(script('v2', 'Authorization: Bearer k'));
  });

  it('that is set to another host as well is not proven', () => {
    const script = `B=https://api.example.com/v1\nB=https://other.example/v1\ncurl -H 'x-api-key: k' $B/messages\n`;
    expect(runText('shell', script)).toMatchObject({ edits: [], said: ['shared-with-other-host 3'] });
  });

  it('that nothing in the file sets is proven by name', () => {
    const script = `curl -H 'x-api-key: k' $API_URL/messages\ncurl -H 'x-api-key: k' \${API_URL}/v1/contacts\n`;
    expect(runText('shell', script, { env: ['API_URL'] }).output).toBe(
      `curl -H 'Authorization: Bearer k' $API_URL/messages\ncurl -H 'Authorization: Bearer k' \${API_URL}/v2/contacts\n`,
    );
    expect(runText('shell', script).edits).toEqual([]);
  });

  it.each([
    ['export API_URL=https://api.example.com/v1', 'API_URL'],
    ['$ export API_URL=https://api.example.com/v1', 'API_URL'],
    ['API_URL=https://api.example.com/v1 node app.js', 'API_URL'],
    ['docker run -e API_URL=https://api.example.com/v1 app', 'API_URL'],
    ['declare -x A=b; export API_URL="https://api.example.com/v1"', 'API_URL'],
  ])('of the environment is told: %s', (script, name) => {
    expect(runText('shell', script).envs).toMatchObject([{ name, holdsVersion: true, value: 'https://api.example.com/v1' }]);
  });
});
