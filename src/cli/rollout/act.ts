/** `migrate-v2 rollout stop`, `resume`, `release` and `stop-brownout`: notes in the record what every proxy follows. */
import { hostname } from 'node:os';
import { ConfigError } from '../../config/errors.ts';
import type { Settings } from '../../config/settings.ts';
import { timeOf } from '../../report/text/figures.ts';
import { quoted } from '../../report/road/wording.ts';
import { roadOf, type StepKind } from '../../rollout/road.ts';
import { and } from '../../text/list.ts';
import { plain } from '../../text/escape.ts';
import type { Step } from '../../usage/model.ts';
import { openEraser, openReader } from '../../usage/store/open.ts';
import { requireRecord, requireRollout } from './sources.ts';

/** In the record, in the place of a proxy's name. */
const byHand = 'command line';
const follow = 'Every proxy of this record follows within seconds';

/** Takes everything back to v1. */
export async function stopRollout({ store, rollout }: Settings<'rollout'>): Promise<void> {
  const { stopped } = roadOf(await stepsOf(store));
  if (stopped !== undefined) return say(`Stopped already since ${timeOf(new Date(stopped.at).toISOString())}: v1 answers every call`);
  await note(store, [['stopped', '']]);
  const unused = 'This configuration has no rollout: a proxy without one goes on translating every call';
  say(`Stopped: v1 answers every call, until migrate-v2 rollout resume. ${follow}${rollout === undefined ? `. ${unused}` : ''}`);
}

/** Lets the rules hold again. */
export async function resumeRollout({ store }: Settings<'rollout'>): Promise<void> {
  const { stopped, tripped } = roadOf(await stepsOf(store));
  if (stopped === undefined) throw nothing('resume', 'nothing is stopped; migrate-v2 rollout shows what is in force');
  await note(store, [['resumed', '']]);
  const still = tripped.size === 0 ? '' : `. Still taken back: ${and([...tripped.keys()].map((name) => plain(name)))}`;
  say(`Resumed: the rules hold again. ${follow}${still}`);
}

/** Lets rules hold again that their guards took back. */
export async function releaseRules({ store, rollout, names }: Settings<'rollout'>): Promise<void> {
  requireNames('release', names, 'rules');
  const { tripped } = roadOf(await stepsOf(store));
  for (const name of names) {
    if (tripped.has(name)) continue;
    const isKnown = rollout === undefined || rollout.rules.some((rule) => rule.name === name);
    const which = tripped.size === 0 ? 'no rule is taken back' : `taken back ${listing([...tripped.keys()])}`;
    throw nothing(`release ${plain(name)}`, isKnown ? `it is not taken back; ${which}` : `the configuration has no such rule; ${which}`);
  }
  await note(
    store,
    names.map((name) => ['released', name]),
  );
  say(`Released: ${and(names.map((name) => quoted(plain(name))))}. ${follow}`);
}

/** Ends brownouts for good. */
export async function stopBrownouts(settings: Settings<'rollout'>): Promise<void> {
  const { store, names } = settings;
  requireNames('stop-brownout', names, 'brownouts');
  const { brownouts } = requireRollout(settings);
  const { stoppedBrownouts } = roadOf(await stepsOf(store));
  for (const name of names) {
    if (!brownouts.some((brownout) => brownout.name === name)) {
      const known = brownouts.length === 0 ? 'there are none' : `there ${listing(brownouts.map((brownout) => brownout.name))}`;
      throw nothing(`stop-brownout ${plain(name)}`, `the configuration has no such brownout; ${known}`);
    }
    if (stoppedBrownouts.has(name)) throw nothing(`stop-brownout ${plain(name)}`, 'it is stopped already');
  }
  await note(
    store,
    names.map((name) => ['brownout-stopped', name]),
  );
  say(`Stopped for good: ${and(names.map((name) => quoted(plain(name))))}. Nobody is refused there any more. ${follow}`);
}

const listing = (names: readonly string[]): string => `${names.length === 1 ? 'is' : 'are'} ${and(names.map((name) => plain(name)))}`;

async function stepsOf(store: string): Promise<readonly Step[]> {
  requireRecord(store);
  const reader = await openReader(store);
  try {
    return await reader.steps();
  } finally {
    await reader.close();
  }
}

async function note(store: string, steps: readonly (readonly [kind: StepKind, rule: string])[]): Promise<void> {
  const detail = `by the command line on ${hostname()}`;
  const eraser = await openEraser(store);
  try {
    for (const [kind, rule] of steps) {
      const id = `${kind} ${rule} ${crypto.randomUUID()}`;
      await eraser.note({ id, at: Date.now(), replica: byHand, kind, rule, detail });
    }
  } finally {
    await eraser.close();
  }
}

function requireNames(command: string, names: readonly string[], what: string): void {
  if (names.length > 0) return;
  const problem = `needs the names of ${what}; migrate-v2 rollout shows them`;
  throw new ConfigError({ code: 'CONFIG_MISSING', key: `rollout ${command}`, problem });
}

const nothing = (command: string, problem: string): ConfigError =>
  new ConfigError({ code: 'CONFIG_INVALID', key: `rollout ${command}`, problem });

const say = (text: string): void => console.error(text);
