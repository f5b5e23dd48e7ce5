const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const { chmodSync, mkdtempSync, readFileSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const test = require('node:test');

/** A `curl` that writes down what it was asked, and answers with a campaign. */
const folder = mkdtempSync(join(tmpdir(), 'ops-'));
const asked = join(folder, 'asked');
writeFileSync(join(folder, 'curl'), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${asked}'\necho '{"name":"Spring","messageId":"m1"}'\n`);
writeFileSync(join(folder, 'jq'), '#!/bin/sh\ncat > /dev/null\necho Spring\n');
for (const name of ['curl', 'jq']) chmodSync(join(folder, name), 0o755);
const env = { PATH: `${folder}:${process.env.PATH}`, MESSAGING_API_KEY: 'test-key', OUT: folder };

const asking = (script, ...args) => {
  writeFileSync(asked, '');
  execFileSync('bash', [join(__dirname, '..', script), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  return readFileSync(asked, 'utf8').split('\n');
};

test('send-campaign reads the campaign and sends it, each time with the key', () => {
  const words = asking('bin/send-campaign', 'c_1');
  assert.equal(words.filter((word) => /\/campaigns\/c_1$/.test(word)).length, 1);
  assert.equal(words.filter((word) => /\/campaigns\/c_1\/send$/.test(word)).length, 1);
  assert.equal(words.filter((word) => word.includes('test-key')).length, 2);
});

test('send-campaign needs a campaign', () => {
  const { status, stderr } = spawnSync('bash', [join(__dirname, '../bin/send-campaign')], { env, encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /usage/);
});

test('list-failed is valid shell', () => {
  execFileSync('bash', ['-n', join(__dirname, '../bin/list-failed.sh')]);
});
