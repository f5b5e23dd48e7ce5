/** examples/deploy: valid by the public schemas of Compose and Kubernetes, and right for the proxy that they start. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DCLinter } from 'dclint';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadSettings } from '../../src/config/load.ts';
import { openDocument } from '../docs/document.ts';
import { projectRoot } from '../helpers/build.ts';
import type { Kinds } from './kubernetes-kinds.ts';
import { compareWithKinds, manifestsIn } from './manifests.ts';

const here = join(projectRoot, 'examples/deploy');
const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-deploy-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the image sets. */
const image = Object.fromEntries(
  [...readFileSync(join(projectRoot, 'Dockerfile'), 'utf8').matchAll(/^ENV (MIGRATE_V2_\w+)=(.+)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);
const operations = openDocument('docs/operations.md').text;
/** What a process that is told to stop needs at most, in ms. */
const leave = ({ drainDelay, drainTimeout }: { readonly drainDelay: number; readonly drainTimeout: number }): number =>
  drainDelay + drainTimeout + 10_000;

describe('compose.yaml', () => {
  const file = join(here, 'compose.yaml');
  const service = z.object({
    environment: z.record(z.string(), z.string()).default({}),
    volumes: z.array(z.string()).default([]),
    secrets: z.array(z.string()).default([]),
    stop_grace_period: z.string().optional(),
  });
  const { services } = z.object({ services: z.record(z.string(), service) }).parse(parse(readFileSync(file, 'utf8')));
  // Its declared types do not resolve.
  const results = z.array(z.object({ messages: z.array(z.object({ type: z.string(), message: z.string() })) }));
  /** What the linter, which has the public schema, calls an error; in which order keys stand is not one. */
  const problems = (path: string): string[] => {
    const linter = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] });
    const messages = results.parse(linter.lintFiles([path], false)).flatMap((result) => result.messages);
    return messages.filter(({ type }) => type === 'error').map(({ message }) => message);
  };

  test('is as the Compose Specification says', () => {
    expect(problems(file)).toEqual([]);
    const broken = join(folder, 'compose.yaml');
    writeFileSync(broken, readFileSync(file, 'utf8').replace('stop_grace_period', 'stop_grace'));
    expect(problems(broken).join()).toContain('must NOT have additional properties');
  });

  test('has the parts that docs/operations.md names', () => {
    expect(Object.keys(services).toSorted()).toEqual(['grafana', 'postgres', 'prometheus', 'proxy', 'sandbox']);
  });

  test('mounts only files that are there', () => {
    const mounted = Object.values(services).flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    const files = mounted.filter((path) => path.startsWith('.'));
    expect(files.length).toBeGreaterThan(4);
    for (const path of files) expect(existsSync(join(here, path)), path).toBe(true);
  });

  /** What a container of ours finds in its environment. */
  const environmentOf = (name: string): Record<string, string> => {
    writeFileSync(join(folder, 'admin_token'), 'a-token\n');
    const given = Object.entries(services[name]?.environment ?? {}).map(([variable, value]) => [
      variable,
      value.replace(/\$\{\w+:\?\}/, 'secret').replace('/run/secrets', folder),
    ]);
    return { ...image, ...Object.fromEntries(given) };
  };

  test('gives proxy and sandbox settings that they take, and time to leave', async () => {
    const settings = await loadSettings('proxy', { flags: {}, env: environmentOf('proxy'), cwd: folder });
    expect(settings).toMatchObject({
      replica: 'proxy-1',
      adminToken: 'a-token',
      admin: { port: 8081 },
      store: expect.stringMatching(/^postgres:/),
    });
    expect(parseInt(services['proxy']?.stop_grace_period ?? '', 10) * 1_000).toBeGreaterThanOrEqual(leave(settings));
    const ofReport = await loadSettings('report', { flags: {}, env: environmentOf('proxy'), cwd: folder });
    expect(ofReport.store).toBe(settings.store);
    const ofSandbox = await loadSettings('sandbox', { flags: {}, env: environmentOf('sandbox'), cwd: folder });
    // Where the proxy looks for v2, and where the image's health check asks.
    expect([settings.v2Base, ofSandbox.admin]).toMatchObject([`http://sandbox:${ofSandbox.listen.port}`, { port: 8081 }]);
  });

  test('has Prometheus ask the proxy, with the token that both are given', () => {
    const prometheus = readFileSync(join(here, 'prometheus.yaml'), 'utf8');
    expect(parse(prometheus)).toMatchObject({
      rule_files: ['alerts.yaml'],
      scrape_configs: [{ authorization: { credentials_file: '/run/secrets/admin_token' }, static_configs: [{ targets: ['proxy:8081'] }] }],
    });
    expect([services['proxy']?.secrets, services['prometheus']?.secrets]).toEqual([['admin_token'], ['admin_token']]);
  });
});

describe('kubernetes/', () => {
  const manifests = manifestsIn(join(here, 'kubernetes'));
  /** The compiler has compared each with its kind. */
  const all = <Kind extends keyof Kinds>(kind: Kind): Kinds[Kind][] =>
    manifests.filter((manifest): manifest is Kinds[Kind] => z.looseObject({ kind: z.literal(kind) }).safeParse(manifest).success);
  const [set] = all('StatefulSet');
  const pod = set?.spec?.template;
  const [container] = pod?.spec?.containers ?? [];

  test("is as Kubernetes' API says: every field is one that the kind has", () => {
    // What is not a field, and what is not its type, would be seen.
    const broken = [{ spec: { replicas: 3, serviceName: 'x', selector: {}, templates: {} } }, { spec: { replicas: '3' } }];
    expect(() => compareWithKinds(manifests, { StatefulSet: broken }, folder)).not.toThrow();
  });

  test('fits together: names, labels, ports and keys of the secret', () => {
    expect(set?.spec?.selector.matchLabels).toEqual(pod?.metadata?.labels);
    const ports = container?.ports?.map(({ name }) => name) ?? [];
    for (const { spec } of all('Service')) {
      expect(spec?.selector).toEqual(pod?.metadata?.labels);
      expect(ports).toEqual(expect.arrayContaining(spec?.ports?.map(({ targetPort }) => targetPort) ?? []));
    }
    expect(all('Service').map(({ metadata }) => metadata?.name)).toContain(set?.spec?.serviceName);
    for (const probe of [container?.readinessProbe, container?.livenessProbe, container?.startupProbe])
      expect(ports).toContain(probe?.httpGet?.port);
    const keys = container?.env?.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? []) ?? [];
    expect([...operations.matchAll(/--from-literal=([\w-]+)=/g)].map(([, key]) => key).toSorted()).toEqual(keys.toSorted());
  });

  test('gives each of three replicas settings that it takes, a name that stays, and time to leave', async () => {
    const [config] = all('ConfigMap');
    const [[name = '', text = ''] = []] = Object.entries(config?.data ?? {});
    writeFileSync(join(folder, name), text);
    const given = container?.env?.map((variable) => [variable.name, variable.value?.replace('/config', folder) ?? 'a-secret-of-16-chars']);
    const env = { ...image, ...Object.fromEntries(given ?? []), MIGRATE_V2_STORE: 'postgres://user:password@host/database' };
    const settings = await loadSettings('proxy', { flags: {}, env, cwd: folder });
    const names = Array.from({ length: set?.spec?.replicas ?? 0 }, (_, i) => `${set?.metadata?.name}-${i}`);
    expect(names).toHaveLength(3);
    expect(settings.replicas).toEqual(names);
    expect(await loadSettings('report', { flags: {}, env, cwd: folder })).toMatchObject({ store: settings.store, replicas: names });
    expect((pod?.spec?.terminationGracePeriodSeconds ?? 0) * 1_000).toBeGreaterThanOrEqual(leave(settings));
    // By then the Service has taken it out.
    const { periodSeconds = 0, failureThreshold = 0 } = container?.readinessProbe ?? {};
    expect(settings.drainDelay).toBeGreaterThan(periodSeconds * failureThreshold * 1_000);
  });

  test('keeps the variables out that Kubernetes sets for a Service, which the proxy would refuse', async () => {
    const names = all('Service').map(({ metadata }) => `${metadata?.name?.replaceAll('-', '_').toUpperCase()}_SERVICE_HOST`);
    const env = Object.fromEntries(names.map((name) => [name, '10.0.0.1']));
    const flags = { 'v2-base': 'https://api.example.com' };
    await expect(loadSettings('proxy', { flags, env, cwd: folder })).rejects.toMatchObject({ code: 'CONFIG_UNKNOWN' });
    expect(pod?.spec?.enableServiceLinks).toBe(false);
  });
});

test('the commands of docs/operations.md name files that are there', () => {
  const files = [...operations.matchAll(/(?:cd|--filename) (examples\/\S+)/g)].map(([, path = '']) => join(projectRoot, path));
  expect(files.map((path) => [dirname(path), existsSync(path)])).toEqual(files.map((path) => [dirname(path), true]));
  expect(files).toHaveLength(2);
});
