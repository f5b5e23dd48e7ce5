import { assume } from '../contract/assumptions.ts';
import { ConfigError } from './errors.ts';
import { isMadeForKeys } from '../rollout/rules.ts';
import { checkSurroundings } from './rollout-file.ts';
import { noStore } from './setting.ts';
import type { Settings } from './settings.ts';
import { didYouMean } from './suggest.ts';
import { show } from './types.ts';

/**
 * Settings of the proxy that only make sense together.
 * @param sourceOf says where a setting was given
 * @throws ConfigError for the first pair that does not
 */
export function checkProxy(settings: Settings<'proxy'>, sourceOf: (name: string) => string | undefined): void {
  if (settings.v2Base === undefined && !settings.sandbox) {
    throw new ConfigError({
      code: 'CONFIG_MISSING',
      key: '--v2-base',
      problem: 'is required; give the base address of v2, or --sandbox to try the proxy without one',
    });
  }
  if (settings.v2Base !== undefined && settings.sandbox) {
    const problem = `excludes --sandbox, which is on (from ${sourceOf('sandbox')}); give one of the two, or --no-sandbox`;
    throw new ConfigError({ code: 'CONFIG_CONFLICT', key: '--v2-base', problem, source: sourceOf('v2Base') });
  }
  checkRollout(settings, sourceOf);
  checkBudget(settings, sourceOf);
  if ((settings.tlsCert === undefined) !== (settings.tlsKey === undefined)) {
    const [key, other, name] =
      settings.tlsKey === undefined ? (['--tls-key', '--tls-cert', 'tlsCert'] as const) : (['--tls-cert', '--tls-key', 'tlsKey'] as const);
    throw new ConfigError({ code: 'CONFIG_MISSING', key, problem: `is required with ${other}`, source: sourceOf(name) });
  }
  const rarestJob = settings.workspaces.reduce((rarest, workspace) => Math.max(rarest, workspace.rarestJob ?? 0), settings.rarestJob);
  if (settings.store !== noStore && settings.retention < 2 * rarestJob) {
    throw new ConfigError({
      code: 'CONFIG_CONFLICT',
      key: '--retention',
      problem: 'is shorter than twice the rarest job: no verdict could come from such a record; give it longer, or a shorter --rarest-job',
      source: sourceOf('retention') ?? sourceOf('rarestJob') ?? sourceOf('workspaces'),
    });
  }
  // Node refuses a server that allows the head more time than the whole request.
  if (settings.headTimeout > settings.requestTimeout) {
    throw new ConfigError({
      code: 'CONFIG_CONFLICT',
      key: '--head-timeout',
      problem: 'is longer than --request-timeout, which includes it',
      source: sourceOf('headTimeout') ?? sourceOf('requestTimeout'),
    });
  }
}

/** What differs for a workspace that there is not would never be seen to do nothing. */
function checkBudget({ budget, workspaces }: Settings<'proxy'>, sourceOf: (name: string) => string | undefined): void {
  const names = workspaces.map(({ name }) => name);
  const unknown = Object.keys(budget.workspaces).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const problem = `names the workspace ${show(unknown)}, which workspaces does not have${didYouMean(unknown, names)}`;
  throw new ConfigError({ code: 'CONFIG_INVALID', key: 'budget.workspaces', problem, source: sourceOf('budget') });
}

/** A roll-out needs to know where v1 is, and shares of keys have to be the same after each start. */
function checkRollout(settings: Settings<'proxy'>, sourceOf: (name: string) => string | undefined): void {
  const { rollout, v1Base, sandbox, store, hashSecret, workspaces, assumptions } = settings;
  if (rollout === undefined) return;
  const source = sourceOf('rollout');
  const sunset = Date.parse(assume(assumptions).sunsetAt);
  checkSurroundings(rollout, { workspaces: workspaces.map(({ name }) => name), sunset }, source);
  if (v1Base.length === 0 && !sandbox) {
    const problem = 'is required with rollout: the base address of v1, for the calls that v1 still answers';
    throw new ConfigError({ code: 'CONFIG_MISSING', key: '--v1-base', problem, source });
  }
  if (v1Base.length > 1) {
    const problem = 'names several addresses, and the proxy sends calls to one: give its section of the file a v1Base of its own';
    throw new ConfigError({ code: 'CONFIG_CONFLICT', key: '--v1-base', problem, source: sourceOf('v1Base') });
  }
  if (store === noStore && hashSecret === undefined && rollout.rules.some(({ match }) => isMadeForKeys(match))) {
    const problem =
      'is required where a rule names a percent or the hash of a key, and nothing is recorded: else every start has other hashes';
    throw new ConfigError({ code: 'CONFIG_MISSING', key: '--hash-secret', problem, source });
  }
}
