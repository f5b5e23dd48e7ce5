/** examples/digest: what GitHub and Kubernetes are told to run, and when, is right, and posts a digest. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { answer, receiver } from '../cli/report/receiver.ts';
import { run } from '../cli/run.ts';
import { storeOfNow } from '../cli/report/stores.ts';
import { projectRoot } from '../helpers/build.ts';
import { pinnedAction, workflowErrors } from '../helpers/workflows.ts';
import type { Kinds } from './kubernetes-kinds.ts';
import { compareWithKinds, manifestsIn } from './manifests.ts';

const here = join(projectRoot, 'examples/digest');
const read = (name: string): string => readFileSync(join(here, name), 'utf8');
const readme = read('README.md');
const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-digest-'));
let store: string;
beforeAll(async () => {
  store = await storeOfNow(folder, [{ key: 'mk_acme_1', daysAgo: 1 }]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Five fields of cron(5); of a week, once. */
const weekly = /^\d{1,2} \d{1,2} \* \* [0-6]$/;
const digest = z.object({ version: z.literal(1), verdict: z.object({ now: z.string() }) });

describe('github-action.yml', () => {
  const content = read('github-action.yml');
  const job = z.object({
    steps: z.array(z.object({ run: z.string().optional(), env: z.record(z.string(), z.string()).optional() })),
  });
  const workflow = z
    .object({ on: z.object({ schedule: z.array(z.object({ cron: z.string() })) }), jobs: z.object({ digest: job }) })
    .parse(parse(content));

  test('is one as GitHub reads it, and names its actions as those of this repository', async () => {
    expect(await workflowErrors('github-action.yml', content)).toEqual([]);
    expect(await workflowErrors('github-action.yml', content.replace('runs-on', 'run-on'))).not.toEqual([]);
    const ci = readFileSync(join(projectRoot, '.github/workflows/ci.yml'), 'utf8');
    const actions = [...content.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
    expect(actions).toHaveLength(2);
    for (const action of actions) {
      expect(action).toMatch(pinnedAction);
      expect(ci).toContain(action);
    }
    expect(workflow.on.schedule.map(({ cron }) => cron)).toEqual([expect.stringMatching(weekly)]);
  });

  test('posts a digest, with secrets that README.md names', async () => {
    const step = workflow.jobs.digest.steps.find((each) => each.run !== undefined);
    const { url, received } = await receiver(answer(200));
    const secrets: Readonly<Record<string, string>> = { MIGRATE_V2_STORE: store, DIGEST_WEBHOOK: url.href };
    const env = Object.entries(step?.env ?? {}).map(([name, value]): [string, string] => {
      const secret = /^\$\{\{ secrets\.(\w+) \}\}$/.exec(value)?.[1] ?? '';
      expect(readme).toContain(`\`${secret}\``);
      return [name, secrets[secret] ?? ''];
    });
    const [program, yes, version, ...args] = step?.run?.split(' ') ?? [];
    const { version: ours } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')));
    expect([program, yes, version]).toEqual(['npx', '--yes', `migrate-v2@${ours}`]);
    expect(await run(args, { cwd: folder, env: Object.fromEntries(env) })).toMatchObject({ code: 0, stdout: '' });
    expect(received.map(({ body }) => digest.parse(JSON.parse(body)).version)).toEqual([1]);
  });
});

describe('cronjob.yaml', () => {
  const [cronJob] = parseAllDocuments(read('cronjob.yaml')).map((document): Kinds['CronJob'] => document.toJS());
  const pod = cronJob?.spec?.jobTemplate.spec?.template.spec;
  const [container] = pod?.containers ?? [];

  test("is as Kubernetes' API says: every field is one that the kind has", () => {
    const broken = [{ spec: { schedule: 1 } }, { spec: { schedule: weekly.source, jobTemplates: {} } }];
    expect(() => compareWithKinds(manifestsIn(here), { CronJob: broken }, folder)).not.toThrow();
    expect(cronJob?.spec?.schedule).toMatch(weekly);
  });

  test('has the rights, the image and the settings of the proxies that it stands beside', () => {
    const proxy = readFileSync(join(projectRoot, 'examples/deploy/kubernetes/proxy.yaml'), 'utf8');
    const [set] = parseAllDocuments(proxy).map((document): Kinds['StatefulSet'] => document.toJS());
    const beside = set?.spec?.template.spec;
    expect(pod?.securityContext).toEqual(beside?.securityContext);
    expect(container?.securityContext).toEqual(beside?.containers[0]?.securityContext);
    expect(container?.image).toBe(beside?.containers[0]?.image);
    expect(pod?.enableServiceLinks).toBe(false);
    for (const variable of container?.env ?? []) expect(beside?.containers[0]?.env).toContainEqual(variable);
    expect(beside?.volumes).toEqual(expect.arrayContaining(pod?.volumes?.filter(({ name }) => name === 'config') ?? []));
  });

  test('posts a digest, with a secret that README.md makes', async () => {
    const { url, received } = await receiver(answer(503), answer(200));
    const secret = pod?.volumes?.find((volume) => volume.name === 'webhook')?.secret?.secretName;
    const mount = container?.volumeMounts?.find(({ name }) => name === 'webhook')?.mountPath ?? '';
    const [, file = ''] = new RegExp(`secret generic ${secret} --from-file=(\\w+)=`).exec(readme) ?? [];
    const [node, bin, ...args] = container?.command ?? [];
    expect([node, bin]).toEqual(['node', 'dist/src/cli/bin.js']);
    expect(args).toContain(`file:${mount}/${file}`);
    writeFileSync(join(folder, file), `${url.href}\n`);
    writeFileSync(join(folder, 'migrate-v2.config.yaml'), 'rarestJob: 7d\n');
    const given = args.map((arg) => arg.replace(mount, folder));
    const env = { MIGRATE_V2_CONFIG: join(folder, 'migrate-v2.config.yaml'), MIGRATE_V2_STORE: store };
    expect(container?.env?.map(({ name }) => name)).toEqual(Object.keys(env));
    expect(await run(given, { cwd: folder, env })).toMatchObject({ code: 0, stdout: '' });
    expect(received.map(({ body }) => digest.parse(JSON.parse(body)).version)).toEqual([1, 1]);
  });
});

test('the commands of README.md name a file that is there', () => {
  expect(readme).toContain('--filename examples/digest/cronjob.yaml');
});
