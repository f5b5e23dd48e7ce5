import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, projectRoot } from '../helpers/build.ts';
import { cleanEnvironment, listening, start } from '../helpers/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-pack-'));
const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { cwd: folder, env: cleanEnvironment(), encoding: 'utf8' });

describe('the packed tarball, installed into an empty project', () => {
  let files: string[];

  beforeAll(() => {
    build();
    const packed: { filename: string; files: { path: string }[] }[] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
        cwd: projectRoot,
        env: cleanEnvironment(),
        encoding: 'utf8',
      }),
    );
    files = packed[0]?.files.map(({ path }) => path) ?? [];
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    run('npm', ['install', '--no-audit', '--no-fund', `./${packed[0]?.filename}`]);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('holds the build and the documents, and neither sources nor tests', () => {
    expect(files).toContain('dist/src/cli/bin.js');
    expect(files).toContain('README.md');
    expect(files.filter((path) => !/^(dist\/.*\.(js|d\.ts)|README\.md|MIGRATION\.md|LICENSE|package\.json)$/.test(path))).toEqual([]);
  });

  it('has a bin that says its version', () => {
    expect(run('npx', ['--no-install', 'migrate-v2', '--version']).trim()).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('serves a v1 call with its bin', async () => {
    await using proxy = start('node_modules/.bin/migrate-v2', ['proxy', '--sandbox', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'], {
      cwd: folder,
    });
    const { url } = await listening(proxy);
    const response = await fetch(`${url}/v1/messages`);
    expect([response.status, await response.json()]).toEqual([401, { success: false, error: 'Missing API key' }]);
    expect(await proxy.stop()).toBe(0);
  });

  it('exports the proxy, the sandbox and the verification of webhooks as a library', () => {
    const script = "import * as api from 'migrate-v2'; console.log(Object.keys(api).sort().join())";
    expect(run(process.execPath, ['--input-type=module', '--eval', script]).trim()).toBe(
      'WebhookError,createMigrationProxy,createSandbox,openKeyMap,verifyWebhook',
    );
  });
});
