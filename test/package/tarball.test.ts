import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, projectRoot } from '../helpers/build.ts';
import { cleanEnvironment, listening, start } from '../helpers/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-pack-'));
const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { cwd: folder, env: cleanEnvironment(), encoding: 'utf8' });

const client = "fetch('https://api.example.com/v1/messages', { headers: { 'x-api-key': key } });\n";

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
    expect(
      files.filter(
        (path) =>
          !/^(dist\/.*\.(js|d\.ts)|(codemods\/tell|src\/report)\/report\.schema\.json|README\.md|MIGRATION\.md|LICENSE|package\.json)$/.test(
            path,
          ),
      ),
    ).toEqual([]);
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

  it('exports the codemods, the proxy, the usage report, the sandbox and the verification of webhooks as a library', () => {
    const script = "import * as api from 'migrate-v2'; console.log(Object.keys(api).sort().join())";
    expect(run(process.execPath, ['--input-type=module', '--eval', script]).trim()).toBe(
      'FindError,MigrateError,StoreError,WebhookError,createMigrationProxy,createSandbox,migrate,openKeyMap,renderUsageReport,usageReport,verifyWebhook',
    );
  });

  it('loads what reads code with the first call of migrate, and no sooner', () => {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const { migrate } = await import('migrate-v2');
      const readsCode = () => loaded.some((url) => /codemods\\/(?:migrate|engines)|ts-morph|jscodeshift/.test(url));
      const before = readsCode();
      const { plan } = await migrate({ paths: 'client.js', v1Base: 'https://api.example.com', dryRun: true });
      console.log(JSON.stringify([before, readsCode(), plan.edits.length]));`;
    writeFileSync(join(folder, 'client.js'), client);
    expect(run(process.execPath, ['--input-type=module', '--eval', script]).trim()).toBe('[false,true,4]');
  });

  it('exports the schemas of the reports, and one transform for each client', () => {
    const script = `
      import schema from 'migrate-v2/report.schema.json' with { type: 'json' };
      import usage from 'migrate-v2/usage-report.schema.json' with { type: 'json' };
      import axios from 'migrate-v2/transforms/axios';
      console.log(schema.title + '; ' + usage.title + ';', typeof axios);
      await import('migrate-v2/transforms/shared/plan').catch(({ code }) => console.log(code));`;
    const said = run(process.execPath, ['--input-type=module', '--eval', script]);
    expect(said).toBe('Report of migrate-v2, version 1; Usage report of migrate-v2, version 1; function\nERR_PACKAGE_PATH_NOT_EXPORTED\n');
  });

  it('has transforms that jscodeshift takes', () => {
    writeFileSync(join(folder, 'client.js'), client);
    const transform = 'node_modules/migrate-v2/dist/codemods/transforms/all.js';
    run('npx', ['--no-install', 'jscodeshift', '-t', transform, '--v1Base=https://api.example.com', 'client.js']);
    expect(readFileSync(join(folder, 'client.js'), 'utf8')).toBe(
      client.replace('v1', 'v2').replace("'x-api-key': key", "'Authorization': `Bearer ${key}`"),
    );
  });
});
