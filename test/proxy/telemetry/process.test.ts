/** Telemetry of a real process: asked for by flags or by the standard variables, and not there at all otherwise. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run, serve } from '../../cli/run.ts';
import { listening } from '../../helpers/process.ts';
import { pointsOf, startCollector } from './collector.ts';

const args = ['proxy', '--sandbox', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--store', 'none'];

function watched(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-telemetry-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const seen = join(folder, 'modules');
  const hooks = pathToFileURL(join(import.meta.dirname, 'modules.mjs')).href;
  return {
    folder,
    env: { ...env, NODE_OPTIONS: `--import=${hooks}`, SEEN_MODULES: seen },
    modules: () => (existsSync(seen) ? readFileSync(seen, 'utf8').trim().split('\n') : []),
  };
}

/** Serves one call and ends, as an orchestrator has it end. */
async function oneCall(flags: readonly string[], env: Record<string, string>): Promise<string[]> {
  await using proxy = serve([...args, ...flags], { env });
  const { url } = await listening(proxy);
  await (await fetch(`${url}/v1/contacts`, { headers: { 'x-api-key': 'no_key_at_all', 'user-agent': 'curl/8.5.0' } })).text();
  expect(await proxy.stop()).toBe(0);
  return proxy.stdout.filter((line) => line.includes('telemetry'));
}

test('nothing of it is loaded where no collector is asked for', async () => {
  const envs: Record<string, string>[] = [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' }];
  for (const env of envs) {
    const { env: all, modules } = watched(env);
    await oneCall([], all);
    expect(modules()).toEqual([]);
  }
});

describe('a collector gets what was there when the proxy ended', () => {
  test('by the flags, with headers from a file', async () => {
    const collector = await startCollector();
    const { env, modules, folder } = watched();
    const file = join(folder, 'headers');
    writeFileSync(file, 'authorization=Bearer%20collectors,x-tenant=acme\n');
    expect(await oneCall(['--otlp-endpoint', collector.url, '--otlp-headers', `file:${file}`], env)).toEqual([]);
    expect(collector.events).toMatchObject([{ attributes: { 'migrate_v2.client': 'curl/8.5.0', 'http.response.status_code': 401 } }]);
    expect(pointsOf(collector, 'migrate_v2_deprecated_calls_total')).toMatchObject([[{ endpoint: 'GET /v1/contacts' }, 1]]);
    expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer collectors', 'x-tenant': 'acme' });
    expect(modules()).toContain('@opentelemetry/exporter-logs-otlp-http');
  });

  test('by the standard variables', async () => {
    const collector = await startCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme', OTEL_SERVICE_NAME: 'our-proxy' };
    expect(await oneCall([], env)).toEqual([]);
    expect(collector.events).toMatchObject([{ resource: { 'service.name': 'our-proxy' } }]);
    expect(collector.headers[0]).toMatchObject({ 'x-tenant': 'acme' });
  });

  test('and one that is not there is told, and keeps nothing from ending', async () => {
    const lines = await oneCall(['--otlp-endpoint', 'http://127.0.0.1:9'], {});
    expect(lines.join('\n')).toContain('No collector has got 1 events');
  });
});

describe('without the packages of OpenTelemetry', () => {
  test('a collector that is configured is refused, with what to install', async () => {
    const { env } = watched({ HIDE_MODULES: 'yes' });
    const { code, stderr } = await run([...args, '--otlp-endpoint', 'http://127.0.0.1:4318'], { env });
    expect(code).toBe(4);
    expect(stderr).toContain(
      '--otlp-endpoint: needs packages that are not installed: npm install @opentelemetry/api @opentelemetry/exporter-logs-otlp-http',
    );
  });

  test('variables that are there for other programs keep the proxy from nothing', async () => {
    const { env } = watched({ HIDE_MODULES: 'yes', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' });
    expect((await oneCall([], env)).join('\n')).toContain('telemetry_off');
  });
});

test.each([
  ['--otlp-endpoint', 'http://user:secretpart@127.0.0.1:4318', 'must not hold a user name'],
  ['--otlp-headers', 'secretpart', 'must be name=value'],
  ['--otlp-headers', 'x-tenant=%zzsecretpart', 'must be name=value'],
  ['--otlp-headers', 'x tenant=secretpart', 'must be name=value'],
  ['--otlp-headers', 'x-tenant=a%0D%0Asecretpart', 'must be name=value'],
])('%s %s is refused, and not shown', async (flag, value, problem) => {
  const { code, stderr } = await run([...args, flag, value]);
  expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(problem) });
  expect(stderr).not.toContain('secretpart');
});
