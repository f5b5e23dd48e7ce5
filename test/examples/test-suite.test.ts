/** Runs the example's test suites as people run them, as processes of their own. */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkBundle, projectRoot } from '../helpers/build.ts';
import { start, untidy } from '../helpers/process.ts';

const root = mkdtempSync(join(tmpdir(), 'migrate-v2-suite-'));
const vitest = join(projectRoot, 'node_modules/vitest/vitest.mjs');

function installExample(): void {
  linkBundle(root);
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  cpSync(join(projectRoot, 'examples/test-suite'), join(root, 'examples/test-suite'), { recursive: true });
}

async function run(...args: readonly string[]): Promise<{ readonly code: unknown; readonly output: string }> {
  await using running = start(process.execPath, [untidy, ...args], { cwd: root, env: { NO_COLOR: '1' } });
  const [code]: unknown[] = await once(running.child, 'close');
  return { code, output: [...running.stdout, ...running.stderr].join('\n') };
}

describe('examples/test-suite', () => {
  beforeAll(installExample);
  afterAll(() => rmSync(root, { recursive: true }));

  it('passes with vitest', async () => {
    const { code, output } = await run(vitest, 'run', '--root', 'examples/test-suite/vitest');
    expect(output).toMatch(/Tests +5 passed \(5\)/);
    expect(code).toBe(0);
  });

  it('passes with node:test', async () => {
    const { code, output } = await run('--test', 'examples/test-suite/node-test/send.test.ts');
    expect(output).toMatch(/pass 4\n/);
    expect(code).toBe(0);
  });

  it('fails where the integration is broken', async () => {
    writeFileSync(join(root, 'examples/test-suite/send.ts'), "export const sendMessage = () => Promise.resolve('msg_none');\n");
    const runs = await Promise.all([
      run(vitest, 'run', '--root', 'examples/test-suite/vitest'),
      run('--test', 'examples/test-suite/node-test/send.test.ts'),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([1, 1]);
  });

  it('is no part of the project’s own test run', async () => {
    await using running = start(process.execPath, [vitest, 'list', '--filesOnly'], { cwd: projectRoot });
    await once(running.child, 'close');
    expect(running.stdout.filter((line) => line.includes('test/examples/test-suite.test.ts'))).toHaveLength(1);
    expect(running.stdout.filter((line) => line.includes('send.test.ts'))).toEqual([]);
  });
});
