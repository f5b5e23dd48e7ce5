/** Runs what README.md and the pages of docs/ tell people to run, in a fresh copy of the project, and compares what they say people will see. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKeyMap } from '../../proxy/keys/key-map.ts';
import { compileMappings } from '../../proxy/mappings.ts';
import { loadSettings } from '../../src/config/load.ts';
import { usageReport } from '../../src/index.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { copyProject, projectRoot } from '../helpers/build.ts';
import { type Running, start, untidy } from '../helpers/process.ts';
import { LogLines } from '../helpers/proxy.ts';
import { storeOfNow } from '../cli/report/stores.ts';
import { type Document, openDocument, pattern } from './document.ts';
import { shellIn } from './shell.ts';
import { needs } from '../helpers/tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-readme-'));
const { run, runs, ends } = shellIn(folder);
const freePorts = { MIGRATE_V2_LISTEN: '127.0.0.1:0', MIGRATE_V2_ADMIN: '127.0.0.1:0' };
/** The documents start the sandbox today; from the end of 2026 on that would be past the sunset. */
const beforeSunset = { MIGRATE_V2_CLOCK: '2026-11-20T12:00:00Z' };
const placeholder = 'https://api.example.com';

/** With what npx finds in this package, and without the second that it takes to: one command leaves it to npx. */
const withoutNpx = (document: Document): Document => ({
  ...document,
  documented(part, values) {
    const { command, output } = document.documented(part, values);
    return { command: command.replace('npx migrate-v2', `node ${untidy} dist/src/cli/bin.js`), output };
  },
});
const asIs = openDocument('README.md');
const readme = withoutNpx(asIs);
const codemods = withoutNpx(openDocument('docs/codemods.md'));
const operations = withoutNpx(openDocument('docs/operations.md'));
const proxy = withoutNpx(openDocument('docs/proxy.md'));
const reports = withoutNpx(openDocument('docs/reports.md'));
const sandbox = withoutNpx(openDocument('docs/sandbox.md'));
const letters = withoutNpx(openDocument('docs/letters.md'));
const configuration = openDocument('docs/configuration.md');
const all = [readme, codemods, configuration, operations, proxy, reports, sandbox, letters];

/** The example of the library in a document. */
const libraryExample = (document: Document, part: string): string => document.fenced('ts').find((text) => text.includes(part)) ?? '';

/** Starts a command of the document that goes on running. */
function startHere(command: string, env: Record<string, string> = {}): Running {
  const last = command.split(' && ').at(-1) ?? '';
  // The shell's own variables stand before the command, and exec takes none.
  const variables = /^(?:[A-Z_\d]+=\S+ )*/.exec(last)?.[0] ?? '';
  return start(
    'bash',
    ['-c', `${command.slice(0, -last.length)}${variables && `export ${variables}; `}exec ${last.slice(variables.length)}`],
    { cwd: folder, env },
  );
}

/** Starts one that serves; gives the addresses in its line that says where it listens. */
async function serve(
  command: string,
  env: Record<string, string> = {},
): Promise<{ running: Running; line: string; url: string; adminUrl: string }> {
  const running = startHere(command, env);
  const line = await running.line(/listening/);
  const [url = '', adminUrl = ''] = line.match(/http:\/\/[\d.]+:\d+/g) ?? [];
  return { running, line, url, adminUrl };
}

describe('what README.md and docs/ tell people to run', needs('bash', 'curl', 'git'), () => {
  beforeAll(() => {
    copyProject(folder);
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'), 'dir');
    // What `npm ci` builds, as the whole run has built it.
    symlinkSync(join(projectRoot, '.bundle'), join(folder, 'dist'), 'dir');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('installs and runs the main job with one command, and a pasted call comes back right', async () => {
    const { command } = readme.documented('npm start');
    expect(command).toMatch(/^npm ci && /);
    // .ci/run and the Dockerfile's test install what the lock file says; the packages of here are the same. What npm does then, the Dockerfile's test does, too.
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(readFileSync(join(folder, 'Dockerfile'), 'utf8').split('\n')).toContain(`RUN ${scripts.postprepare}`);
    const { running, url, adminUrl } = await serve(command.replace('npm ci && ', ''), {
      ...freePorts,
      MIGRATE_V2_LOG_FORMAT: 'pretty',
      MIGRATE_V2_STORE: '',
    });
    await using _stopped = running;
    expect(await running.line(/curl -X POST/, 'stderr')).toContain(`curl -X POST ${url}/v1/messages/send`);
    await runs(readme.documented('POST http://127.0.0.1:8080', { 'http://127.0.0.1:8080': url }));
    expect(await running.line(/\/usage$/, 'stderr')).toBe(`  ${adminUrl}/usage`);
    expect(await running.line(/messages\/send ->/)).toMatch(pattern(readme.fenced('text')[0] ?? ''));
  });

  it('names the test command that .ci/run runs', () => {
    expect(readme.documented('npm test').command).toBe('npm ci && npm test');
    const ci = readFileSync(join(projectRoot, '.ci/run'), 'utf8');
    expect(ci).toMatch(/^npm ci/m);
    expect(ci).toMatch(/^npm test/m);
  });

  it('names the tour, which has a test of its own', () => {
    expect(readme.documented('npm run tour').command).toBe('npm run tour');
  });

  it('puts the proxy in front of a service in three steps, and shows who calls v1', async () => {
    const service = await serve(readme.documented('npx migrate-v2 sandbox').command, { ...freePorts, ...beforeSunset });
    await using _service = service.running;
    const there = { 'http://127.0.0.1:9000': service.url, 'http://127.0.0.1:9001': service.adminUrl };
    expect(service.line).toMatch(pattern(readme.documented('npx migrate-v2 sandbox', there).output));

    const start = readme.documented('--v2-base', { ...there, '--listen 127.0.0.1:8080': '--listen 127.0.0.1:0' });
    const { running, line, url, adminUrl } = await serve(start.command, { MIGRATE_V2_ADMIN: '127.0.0.1:0', MIGRATE_V2_STORE: '' });
    await using _stopped = running;
    const here = { ...there, 'http://127.0.0.1:8080': url, 'http://127.0.0.1:8081': adminUrl };
    expect(line).toMatch(pattern(readme.documented('--v2-base', here).output));
    await runs(readme.documented('curl -si http://127.0.0.1:8080/v1/contacts', here));
    const page = readme.text.match(/in a browser: `(http:\S+\/usage)`/)?.[1] ?? '';
    // A call is in the record a moment after it is answered.
    await expect.poll(async () => (await fetch(page.replace('http://127.0.0.1:8081', adminUrl))).text()).toContain('ak_78486');
    const { command, output } = readme.documented('npx migrate-v2 report');
    await runs({ command: `MIGRATE_V2_STORE= ${command}`, output });
  });

  it('moves the example integration in three steps', async () => {
    await ends(asIs.documented('npx migrate-v2 examples/legacy-client'), exitCodes.usage);
    await ends(readme.documented('--dry-run'), exitCodes.remaining);
    await runs(readme.documented('cp -r examples/legacy-client'));
    expect(await run('git -C moved grep -hE "/v1/|x-api-key" -- src || true')).toBe('');
  });

  it('names how it is packed and installed, which has a test of its own', () => {
    expect(codemods.documented('npm pack').command).toBe('npm pack');
    expect(codemods.documented('npm install --save-dev').command).toContain('migrate-v2-0.1.0.tgz');
  });

  it('moves one key to another v2 key', async () => {
    await using service = createSandbox({ clock: '2026-11-20T12:00:00Z' });
    const there = await service.listen();
    const here = { 'http://127.0.0.1:9000': there.url, 'http://127.0.0.1:9001': there.adminUrl };
    await runs(proxy.documented('/workspaces/demo/keys', here));
    writeFileSync(join(folder, 'keys.yaml'), proxy.fenced('yaml')[0] ?? '');
    const start = proxy.documented('--key-map', here);
    const { running, url, adminUrl } = await serve(start.command, { ...freePorts, MIGRATE_V2_STORE: 'none' });
    await using _stopped = running;
    const said = { ...here, 'http://127.0.0.1:8080': url, 'http://127.0.0.1:8081': adminUrl };
    expect(running.stdout.slice(0, 2).join('\n')).toMatch(pattern(proxy.documented('--key-map', said).output));
    // v2 sees the new key alone: the client is served after the old one is deleted, too.
    const [demo = ''] = service.dashboard.workspaces().map(({ id }) => id);
    const old = service.dashboard.keys(demo).find(({ prefix }) => service.demo.readWriteKey.startsWith(prefix));
    service.dashboard.deleteKey(demo, old?.id ?? '');
    await runs(proxy.documented('http_code', said));
  });

  it('leads from nothing to a verified webhook, through the sunset day and a fault', async () => {
    const start = sandbox.documented('--allow-private-webhooks');
    const { running, line, url, adminUrl } = await serve(start.command, { ...freePorts, ...beforeSunset });
    await using _stopped = running;
    expect(await running.line(/ak_/, 'stderr')).toContain('ak_');
    const here = { 'http://127.0.0.1:9000': url, 'http://127.0.0.1:9001': adminUrl };
    expect(line).toMatch(pattern(sandbox.documented('--allow-private-webhooks', here).output));

    const receive = sandbox.documented('receiver.js');
    await using receiver = startHere(receive.command, { PORT: '0' });
    const [receiverUrl = ''] = (await receiver.line(/listening/)).match(/http:\S+/) ?? [];
    const there = { ...here, 'http://127.0.0.1:4000/webhooks': receiverUrl };
    await runs(sandbox.documented('/v2/webhooks', there));
    await runs(sandbox.documented('/inbound', there));
    expect(await receiver.line(/handled/)).toMatch(pattern(sandbox.fenced('text')[0] ?? ''));
    // A delivery is entered when its answer is there, a moment after the receiver has handled it.
    await expect.poll(() => run(sandbox.documented('/deliveries', there).command)).toContain('"delivered": true');
    await runs(sandbox.documented('/deliveries', there));

    // As the document has it, the clock runs.
    await run(`curl -s -X POST ${adminUrl}/clock/resume`);
    // "Stop the receiver": its whole group, as Ctrl-C in a terminal does; npx alone would leave it running.
    await receiver[Symbol.asyncDispose]();
    await run(sandbox.documented('/inbound', there).command);
    await runs(sandbox.documented('/clock/advance', there));
    await runs(sandbox.documented('/notifications', there));
    const { deliveries } = JSON.parse(await run(`curl -s '${adminUrl}/workspaces/demo/deliveries?limit=5'`)) as {
      deliveries: { at: string }[];
    };
    const times = deliveries.toReversed().map(({ at }) => Date.parse(at));
    const waits = times.slice(1).map((time, i) => Math.round((time - (times[i] ?? 0)) / 1_000));
    // Counted from when an attempt has failed, which takes a busy machine its time: later is no fault, earlier is one.
    expect(waits).toEqual([5, 10, 20, 40].map((least) => expect.toSatisfy((wait: number) => wait >= least)));

    await runs(sandbox.documented('/clock/set', here));
    await runs(sandbox.documented('curl -s http://127.0.0.1:9000/v1/contacts', here));
    await runs(sandbox.documented('/faults', here));
    await runs(sandbox.documented('curl -s http://127.0.0.1:9000/v2/messages/send', here));
  });

  it('reports who uses v1, in a terminal, for a pipeline and as a library, forgets a key, and remembers it in a backup', async () => {
    // Some minutes from the turn of a day, a report that takes long still has as many of them in its last seven days.
    const daily = Array.from({ length: 30 }, (_, day) => ({ key: 'mk_acme_1', daysAgo: day + 0.98 }));
    await storeOfNow(folder, [...daily, { key: 'mk_new_77', daysAgo: 3 }]);
    const settings = join(folder, 'migrate-v2.config.yaml');
    writeFileSync(settings, reports.fenced('yaml').find((text) => text.includes('workspaces:')) ?? '');
    const shown = reports.documented('npx migrate-v2 report --store usage.db');
    // As in a terminal.
    await runs({ ...shown, command: `COLUMNS=80 ${shown.command}` });
    await runs(reports.documented('report --store usage.db --digest'));
    await ends(reports.documented('report --store usage.db --check'), exitCodes.findings);
    writeFileSync(join(folder, 'usage.mjs'), libraryExample(reports, 'usageReport('));
    expect(await run('node usage.mjs')).toBe('not_yet 31 **NOT YET**: v1 is still in use');
    for (const marked of ['Acme promised', 'hash:', 'Acme --clear'])
      await ends(reports.documented(`usage mark --store usage.db ${marked}`), exitCodes.done);
    await ends(reports.documented('--workspace Acme'), exitCodes.done);
    await ends(letters.documented('--letters letters'), exitCodes.done);
    await runs(operations.documented('VACUUM INTO'));
    await ends(reports.documented('usage erase'), exitCodes.done);
    await ends(operations.documented('--store usage.backup.db'), exitCodes.findings);
    rmSync(settings);
  });

  it('writes an OpenAPI document', async () => {
    await runs(sandbox.documented('openapi --api'));
    expect(JSON.parse(readFileSync(join(folder, 'openapi-v2.json'), 'utf8'))).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
  });

  it('serves as a library', async () => {
    await using v2 = createSandbox();
    const { url } = await v2.listen();
    const script = libraryExample(proxy, 'createMigrationProxy(')
      .replace(placeholder, url)
      .replace(/listen\(8080, '127.0.0.1'\)/, "listen(0, '127.0.0.1', function () { console.log(this.address().port); })")
      .replace('usage.db', 'library.db');
    writeFileSync(join(folder, 'proxy.mjs'), script);
    await using running = start(process.execPath, ['proxy.mjs'], { cwd: folder });
    const port = await running.line(/^\d+$/);
    expect((await fetch(`http://127.0.0.1:${port}/v1/messages`)).status).toBe(401);
    expect(await running.stop()).toBe(0);
    expect((await usageReport({ store: join(folder, 'library.db') })).total.calls).toBe(1);
  });

  it('moves code as a library', async () => {
    writeFileSync(join(folder, 'migrate.mjs'), libraryExample(codemods, 'migrate({').replace("['src']", "['examples/legacy-client']"));
    expect(await run('node migrate.mjs')).toMatch(/limit-code[^]*\d+ calls, 0 files written$/);
  });

  it('serves the sandbox in tests', async () => {
    const script = libraryExample(sandbox, 'createSandbox(');
    // Node 22 cannot read it, and this Node can.
    expect(script).not.toMatch(/\busing\b/);
    writeFileSync(join(folder, 'sunset.test.mjs'), script);
    expect(await run('node sunset.test.mjs')).toMatch(/pass 1\n[^]*fail 0\n/);
  });

  it('verifies webhooks', async () => {
    const rawBody = '{"event":"message.received","data":{"text":"Hello"},"timestamp":"2026-11-20T12:00:00.000Z"}';
    const setUp = [
      "import { createHmac } from 'node:crypto';",
      `const rawBody = Buffer.from('${rawBody}');`,
      "process.env.WEBHOOK_SECRET = 'whsec_1';",
      "const signature = `sha256=${createHmac('sha256', 'whsec_1').update(rawBody).digest('hex')}`;",
      "const req = { headers: { 'x-service-signature': signature } };",
    ];
    writeFileSync(join(folder, 'verify.mjs'), [...setUp, libraryExample(sandbox, 'verifyWebhook(')].join('\n'));
    expect(await run('node verify.mjs')).toBe('Hello');
  });

  it('shows a key map and a configuration that the proxy takes', async () => {
    const [, keys = '', config = ''] = proxy.fenced('yaml');
    writeFileSync(join(folder, 'keys.yaml'), keys);
    process.env['ACME_V2_KEY'] = 'v2-key';
    const map = await openKeyMap(join(folder, 'keys.yaml'), { logger: new LogLines().logger });
    map.close();
    writeFileSync(join(folder, 'documented.yaml'), config);
    const settings = await loadSettings('proxy', { flags: { config: 'documented.yaml', 'v2-base': placeholder }, env: {}, cwd: folder });
    expect(compileMappings(settings.mappings).of('sendMessage')).toBeDefined();
    expect(settings.queryRenames).toEqual({ listContacts: { page: 'pageNumber' } });
  });

  it('shows a whole configuration file that every command takes, each what is its own', async () => {
    const cwd = mkdtempSync(join(folder, 'config-'));
    const [whole = '', ...more] = configuration.fenced('yaml');
    expect(more).toEqual([]);
    writeFileSync(join(cwd, 'migrate-v2.config.yaml'), whole);
    writeFileSync(join(cwd, 'admin-token'), 'token-of-the-admin-listener\n');
    const sources = { flags: {}, env: { USAGE_STORE: 'usage.db' }, cwd };
    const shared = {
      store: join(cwd, 'usage.db'),
      rarestJob: 7 * 86_400_000,
      replicas: ['proxy-1', 'proxy-2'],
      workspaces: [
        { name: 'Acme', plan: 'Free', keys: ['mk_acme_'] },
        { name: 'Billing', rarestJob: 92 * 86_400_000 },
      ],
    };
    const ofProxy = await loadSettings('proxy', sources);
    expect(ofProxy).toMatchObject({
      ...shared,
      v2Base: placeholder,
      adminToken: 'token-of-the-admin-listener',
      keyMap: join(cwd, 'keys.yaml'),
    });
    expect(compileMappings(ofProxy.mappings).of('sendMessage')).toBeDefined();
    expect(await loadSettings('sandbox', sources)).toMatchObject({ listen: { port: 9000 }, dialect: 'problem' });
    expect(await loadSettings('report', sources)).toMatchObject({ ...shared, format: 'markdown', since: { ago: 30 * 86_400_000 } });
    expect(await loadSettings('migrate', sources)).toMatchObject({ v1Base: [placeholder], exclude: ['dist/**'] });
    expect(await loadSettings('openapi', sources)).toMatchObject({ assumptions: { sunsetAt: expect.anything() } });
    expect(await loadSettings('usage', sources)).toMatchObject({ store: shared.store });
  });

  it('is all run here', () => {
    expect(all.map((document) => document.unasked())).toEqual(all.map(() => []));
  });
});
