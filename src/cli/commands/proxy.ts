/** `migrate-v2 proxy`: answers v1 calls with v2. */
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { KeyMap } from '../../../proxy/keys/key-map.ts';
import type { AdminPages, ProxyServerOptions } from '../../../proxy/options.ts';
import type { RunningProxy } from '../../../proxy/server.ts';
import { within } from '../../../proxy/within.ts';
import { checkAuthorities } from '../../config/authorities.ts';
import { ConfigError, firstLine } from '../../config/errors.ts';
import { noStore } from '../../config/setting.ts';
import type { Settings } from '../../config/settings.ts';
import { assume } from '../../contract/assumptions.ts';
import type { UsagePages } from '../../report/live/pages.ts';
import type { RolloutRules } from '../../rollout/rules.ts';
import { type OpenRecord, openRecord } from '../../usage/open-record.ts';
import { commandOf } from '../command.ts';
import { createLog } from '../logger.ts';
import { controlSurface, curls, demoKeys, section } from '../quick-start.ts';
import { openTelemetry } from '../telemetry.ts';
import type { HandedOn } from '../workers/handed-on.ts';
import type { WorkersOptions } from '../workers/primary.ts';
import { announce, listenError, ignoreUserSignals, stopOnSignals } from '../serve.ts';

/** What the end may take beyond its drain, in milliseconds: three seconds for what does not close, a second for the page, five for the record, and one. */
const stopGrace = 10_000;

/** A sandbox on free ports, with the addresses and the keys that lead to it. */
async function embeddedSandbox({ assumptions }: Settings<'proxy'>, logger: Logger) {
  const { createSandbox } = await import('../../sandbox/sandbox.ts');
  const sandbox = createSandbox({ assumptions, onError: (err) => logger.error({ err }, 'the sandbox failed') });
  return { ...(await sandbox.listen()), close: () => sandbox.close(), demo: sandbox.demo };
}

type EmbeddedSandbox = Awaited<ReturnType<typeof embeddedSandbox>>;

/** What to paste and where to look; without `usagePage` nothing is recorded. */
const quickStart = (proxyUrl: string, usagePage: string | undefined, { url, adminUrl, demo }: EmbeddedSandbox): string =>
  [
    section('Try it, in another terminal', curls('v1', proxyUrl, demo.readWriteKey)),
    ...(usagePage === undefined ? [] : [section('See who calls v1, in a browser', [usagePage])]),
    section(`The sandbox that stands in for v2 has v1 and v2 at ${url}`, curls('v2', url, demo.readWriteKey)),
    demoKeys(demo),
    controlSurface(adminUrl),
  ].join('\n');

async function readAuthorities(path: string): Promise<string> {
  const pem = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ConfigError({ code: 'CONFIG_UNREADABLE', key: '--v2-ca', problem: `cannot read ${path}: ${firstLine(error)}`, cause: error });
  });
  checkAuthorities(pem, '--v2-ca', path);
  return pem;
}

async function openKeys(path: string, logger: Logger, handedOn: HandedOn | undefined): Promise<KeyMap> {
  const { openKeyMap } = await import('../../../proxy/keys/key-map.ts');
  return openKeyMap(path, { logger, onTable: handedOn?.onTable });
}

interface Pages {
  /** Undefined where nothing is recorded. */
  readonly usage: UsagePages | undefined;
  readonly handle: AdminPages;
}

/** The pages of the admin listener. */
async function pagesOf(
  settings: Settings<'proxy'>,
  record: OpenRecord,
  rollout: RolloutRules | undefined,
  serving: () => RunningProxy | undefined,
): Promise<Pages | undefined> {
  const usage = await usagePages(settings, record, rollout, serving);
  if (rollout === undefined) return usage && { usage, handle: usage.handle };
  const { createRoadPages } = await import('../../report/live/road-pages.ts');
  const road = createRoadPages({ count: usage?.count, mayAct: settings.adminToken !== undefined, hasUsage: usage !== undefined });
  return { usage, handle: (req, res, live) => usage?.handle(req, res) === true || road(req, res, live) };
}

/** The page about usage; undefined where nothing is recorded. */
async function usagePages(
  { store, workspaces, ignore, assumptions, rarestJob, replicas, hashSecret }: Settings<'proxy'>,
  { usage }: OpenRecord,
  rollout: RolloutRules | undefined,
  serving: () => RunningProxy | undefined,
): Promise<UsagePages | undefined> {
  if (usage === undefined) return undefined;
  const { createUsagePages } = await import('../../report/live/pages.ts');
  return createUsagePages({
    store,
    workspaces,
    ignore,
    assumptions,
    rarestJob,
    hashSecret,
    replicas,
    changed: (listener) => usage.onWritten(listener),
    rollout: rollout && (() => rollout.current),
    hours: () => serving()?.hours() ?? [],
    proxyUrl: () => serving()?.url,
  });
}

/** The roll-out, where there is one: its rules, which are read again, and what v1 answered before. */
async function rolloutOf(
  { rollout, config, store, workspaces, assumptions }: Settings<'proxy'>,
  logger: Logger,
  handedOn: HandedOn | undefined,
): Promise<Pick<ProxyServerOptions, 'rollout' | 'baseline'>> {
  if (rollout === undefined) return {};
  const [{ followRollout }, { recordedBefore }] = await Promise.all([import('../rollout/follow.ts'), import('../rollout/baseline.ts')]);
  const surroundings = {
    cwd: process.cwd(),
    workspaces: workspaces.map(({ name }) => name),
    sunset: Date.parse(assume(assumptions).sunsetAt),
  };
  const rules = await followRollout({ rollout, config, logger, onChange: handedOn?.onChange, ...surroundings });
  return { rollout: rules, baseline: await recordedBefore(store, Date.now(), logger) };
}

interface Bases {
  readonly v1: string | undefined;
  readonly v2: string;
}

async function optionsFrom(
  settings: Settings<'proxy'>,
  bases: Bases,
  logger: Logger,
  handedOn: HandedOn | undefined,
): Promise<Omit<ProxyServerOptions, 'hashSecret'>> {
  const { keyMap, v2Ca, tlsCert, tlsKey, assumptions, v1Base: _v1Base, rollout: _rollout, hashSecret: _hashSecret, ...same } = settings;
  return {
    ...same,
    v1Base: bases.v1,
    v2Base: bases.v2,
    ...(await rolloutOf(settings, logger, handedOn)),
    logger,
    assumptions: assume(assumptions),
    now: Date.now,
    ...(keyMap === undefined ? {} : { keyMap: await openKeys(keyMap, logger, handedOn) }),
    ...(v2Ca === undefined ? {} : { v2Ca: await readAuthorities(v2Ca) }),
    ...(tlsCert === undefined || tlsKey === undefined ? {} : { tls: { cert: tlsCert, key: tlsKey } }),
  };
}

/** Larger networks than the largest private ones (RFC 1918, RFC 4193) hold clients, too. */
const widest = { ipv4: 8, ipv6: 7 };

function warnOfTrust({ trustedProxies }: Settings<'proxy'>, logger: Logger): void {
  const networks = trustedProxies.filter((network) => {
    const [address = '', length] = network.split('/');
    return length !== undefined && Number(length) < widest[address.includes(':') ? 'ipv6' : 'ipv4'];
  });
  if (networks.length === 0) return;
  const problem = '--trusted-proxies holds whoever may be a client, so that any client can say that it is another one';
  logger.warn({ event: 'trusted_proxies_wide', networks }, `${problem}; name the addresses of your balancers alone`);
}

/** In a container every address must be open, and whoever publishes its port may not think of what the page shows. */
async function warnOfOpenAdmin({ adminToken }: Settings<'proxy'>, adminUrl: string, logger: Logger): Promise<void> {
  const { isLoopback } = await import('../../../proxy/admin/access.ts');
  if (adminToken !== undefined || isLoopback(new URL(adminUrl).hostname.replace(/^\[|\]$/g, ''))) return;
  const problem = `Whoever reaches ${adminUrl} sees /metrics and the usage page, with the owners and contacts of workspaces`;
  logger.warn({ event: 'admin_open' }, `${problem}; set --admin-token, or let only your own network reach it`);
}

/** What serves, and what puts other processes in the place of those that do, where there are several. */
type Serving = RunningProxy & { readonly renew?: () => Promise<void> };

async function serve(options: ProxyServerOptions): Promise<Serving> {
  const { startProxy } = await import('../../../proxy/server.ts');
  return startProxy(options);
}

async function serveTogether(settings: Settings<'proxy'>, options: WorkersOptions): Promise<Serving> {
  const { startWorkers } = await import('../workers/primary.ts');
  return startWorkers(settings, options);
}

/** Loads what serves while the thread of the record begins, on another core: each takes a third of the start. */
async function loadMeanwhile({ workers, store }: Settings<'proxy'>): Promise<void> {
  // Loading keeps this thread busy, which has to begin the other one first.
  await setImmediate();
  await Promise.all([
    workers > 1 ? import('../workers/primary.ts') : import('../../../proxy/server.ts'),
    store === noStore ? undefined : import('../../report/live/pages.ts'),
  ]);
}

// Loaded on demand, here and above: `--help` and the other commands need none of it.
async function run(settings: Settings<'proxy'>): Promise<void> {
  ignoreUserSignals();
  const log = await createLog(settings);
  const sandbox = settings.v2Base === undefined ? await embeddedSandbox(settings, log.logger) : undefined;
  const replica = settings.replica ?? `${hostname()}:${settings.listen.port}`;
  const opening = openRecord({ ...settings, replica }, log.logger, { store: '--store', hashSecret: '--hash-secret' });
  const [record] = await Promise.all([opening, loadMeanwhile(settings)]);
  const bases = { v1: settings.v1Base[0] ?? sandbox?.url, v2: settings.v2Base ?? sandbox?.url ?? '' };
  const telemetry = await openTelemetry(settings, replica, log.logger);
  const handedOn = settings.workers > 1 ? new (await import('../workers/handed-on.ts')).HandedOn() : undefined;
  const options = {
    ...(await optionsFrom(settings, bases, log.logger, handedOn)),
    hashSecret: record.hashSecret,
    viaName: record.viaName,
    replica,
  };
  let serving: RunningProxy | undefined;
  const pages = await pagesOf(settings, record, options.rollout, () => serving);
  const given = { ...options, telemetry, pages: pages?.handle };
  const { setUpV8 } = await import('../v8.ts');
  setUpV8();
  const proxy = await (
    handedOn === undefined ? serve({ ...given, ...record }) : serveTogether(settings, { ...given, record, log, handedOn })
  ).catch((error: unknown) => {
    throw listenError(error, { '--listen': settings.listen, '--admin': settings.admin });
  });
  serving = proxy;
  const stop = async (): Promise<void> => {
    record.usage?.end();
    await proxy.drain();
    // It reads the store, and so goes before the record; but must not keep that from being written.
    await within(1_000, Promise.allSettled([pages?.usage?.close()]));
    // As long as the record may take, and beside it.
    await Promise.all([record.close(), telemetry?.close(5_000)]);
    await sandbox?.close();
  };
  const { renew } = proxy;
  stopOnSignals(log, stop, settings.drainDelay + settings.drainTimeout + stopGrace, renew && (() => void renew()));
  await announce(log, proxy);
  proxy.warn();
  warnOfTrust(settings, log.logger);
  await warnOfOpenAdmin(settings, proxy.adminUrl, log.logger);
  record.announce();
  if (sandbox !== undefined) console.error(quickStart(proxy.url, pages?.usage && `${proxy.adminUrl}/usage`, sandbox));
}

export const proxyCommand = commandOf({
  name: 'proxy',
  describe: 'Answer v1 calls by translating them to v2',
  examples: [
    ['$0 proxy --sandbox', 'Try it: a sandbox stands in for v2'],
    ['$0 proxy --v2-base https://api.example.com --listen 0.0.0.0:8080', 'Serve other machines'],
    ['$0 proxy --v2-base https://api.example.com --key-map keys.json', 'Every v1 key has a v2 key of its own'],
  ],
  run,
});
