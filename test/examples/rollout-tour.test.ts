/** Goes the road of a fleet, as docs/rollout.md tells it, once. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { projectRoot } from '../helpers/build.ts';
import { start } from '../helpers/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-rollout-'));
let code: unknown;
let told = '';
beforeAll(async () => {
  for (const name of ['package.json', 'node_modules', 'examples']) symlinkSync(join(projectRoot, name), join(folder, name));
  await using running = start('npm', ['run', '--silent', 'tour:rollout'], { cwd: folder, env: { NO_COLOR: '1' } });
  [code] = await once(running.child, 'close');
  told = [...running.stdout, ...running.stderr].join('\n');
  // A quarter of a minute of work, and many times that where a slow machine has other tests to run.
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('npm run tour:rollout goes the whole road', () => {
  expect(told).not.toContain('The tour ends here');
  expect(code).toBe(exitCodes.done.code);
});

test.each([
  ['what comparing found', /data {2,}missing: .* map the answer/],
  ['that the mapping mends it', /Acme: 102 calls compared, none differs beyond noise: ready for translate/],
  ['the guard that tripped', /The rule "bolt" is taken back to observe .*5 of 5 calls failed/],
  [
    'that v1 answered until it was released',
    /5 calls of Bolt answered with 503, 1 calls of Bolt answered with 200[^]*6 calls of Bolt answered with 200[^]*6 calls of Bolt answered with 200/,
  ],
  ['that it was released', /Released: "bolt"/],
  [
    'the unknown caller of the brownout, and that it came back',
    /6 calls of Dora answered with 503[^]*came back: ak_\S+ \(after \d+ minutes\); unknown keys that spoke up: ak_/,
  ],
  ['that nobody sees the sunset', /24 calls of Acme, Bolt, Citrus, Dora answered with 200/],
  ['that v1 is gone', /v1 was gone, and its calls went to v2: v1 answered 410/],
  ['SAFE in the end', /\nSAFE: /],
])('it tells %s', (_what, expected) => expect(told).toMatch(expected));
