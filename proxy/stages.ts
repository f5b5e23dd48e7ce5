/**
 * The stage of a call on the road from v1 to v2: what the rules say, unless something has happened since: everything was stopped, a guard
 * took a rule back, v1 is gone, or a brownout is on.
 */
import type { Logger } from 'pino';
import { scheduleOf, windowAt, type BrownoutWindow } from '../src/rollout/brownouts.ts';
import { type Overlap, overlapsOf } from '../src/rollout/overlaps.ts';
import { type InForce, type LiveRoad, stageInForce } from '../src/rollout/in-force.ts';
import type { Brownout, Rollout, RolloutRules, Rule, Stage } from '../src/rollout/rules.ts';
import { type CallFacts, selector } from '../src/rollout/select.ts';
import { Guards, type Baseline, type Ending } from './guards.ts';
import type { RoadLog } from './road-log.ts';
import type { RecordedCall } from './recorded-call.ts';

/** What is to be done with a call. */
export interface Decision {
  readonly stage: Stage;
  /** Undefined where no rule matches. */
  readonly rule: Rule | undefined;
  /** Why it is another stage than the rule's. */
  readonly because?: NonNullable<InForce['because']> | 'brownout';
  /** What a call that is refused is told: with which status, and until when, in epoch milliseconds. */
  readonly refusal?: { readonly status: 410 | 503; readonly until: number };
}

/** Stands for the status of an answer that was none, or was cut short: a failure, as a gateway would tell it. */
const unanswered = 502;

/** Answers in a row that refuse, past the sunset, after which v1 is asked whether it is gone. */
const refusalsInARow = 10;

export interface StagesOptions {
  readonly rules: RolloutRules;
  readonly road: RoadLog;
  readonly logger: Logger;
  readonly sunset: number;
  readonly now: () => number;
  /** What v1 gave each workspace before this process began. */
  readonly baseline: Baseline;
  /** Is told of the clients that the rules name: where they are to match, they must not be hashed. */
  readonly named: (clients: readonly string[]) => void;
  /** Counts how calls end in place of `guard`, where several processes serve. */
  readonly guard?: ((ending: Ending) => void) | undefined;
}

/** The rules as they are in force, made ready. */
interface Compiled {
  readonly rollout: Rollout;
  readonly overlaps: readonly Overlap[];
  readonly select: (facts: CallFacts) => Rule | undefined;
  readonly schedule: readonly BrownoutWindow[];
  readonly windowAt: (now: number) => BrownoutWindow | undefined;
  /** Whom each brownout is about: found once for all calls of a kind, as with rules. */
  readonly selectors: ReadonlyMap<Brownout, (facts: CallFacts) => Brownout | undefined>;
  /** When a rule ends, so that the next one holds. */
  readonly until: number;
}

export class Stages {
  readonly road: RoadLog;
  readonly #rules: RolloutRules;
  readonly #logger: Logger;
  readonly #sunset: number;
  readonly #now: () => number;
  readonly #named: StagesOptions['named'];
  readonly #guards: Guards;
  readonly #guard: (ending: Ending) => void;
  #compiled: Compiled;
  #isGone = false;
  #refusals = 0;
  #window: BrownoutWindow | undefined;
  /** Where the road stood when it was last looked at. */
  #road: RoadLog['state'];
  /** The step that stopped everything, as far as it was heeded. */
  #stop: string | undefined;

  constructor({ rules, road, logger, sunset, now, baseline, named, guard }: StagesOptions) {
    this.road = road;
    this.#road = road.state;
    this.#rules = rules;
    this.#logger = logger;
    this.#sunset = sunset;
    this.#now = now;
    this.#named = named;
    this.#guards = new Guards(baseline, now);
    this.#guard = guard ?? ((ending) => this.guard(ending));
    this.#compiled = this.#compile();
  }

  /** Whether v1's answers get our deprecation fields. */
  get announces(): boolean {
    return this.#current.rollout.announce;
  }

  get rollout(): Rollout {
    return this.#current.rollout;
  }

  /** Whether v1 has been found gone, and the calls that went there go to v2. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether a brownout is on that nobody has stopped. */
  get isBrownout(): boolean {
    const window = this.#current.windowAt(this.#now());
    return window !== undefined && !this.road.state.stoppedBrownouts.has(window.brownout.name);
  }

  /** @param facts what is known of the call from its head */
  of(facts: CallFacts): Decision {
    const compiled = this.#current;
    const rule = compiled.select(facts);
    const { state } = this.road;
    if (state !== this.#road) this.#moved(state);
    if (state.stopped?.id !== this.#stop) {
      // Whoever stops wants v1 asked again: that it is gone may have been a mistake. If it was none, the first call shows it.
      this.#stop = state.stopped?.id;
      this.#isGone = false;
      this.#refusals = 0;
    }
    const refusal = state.stopped === undefined ? this.#brownout(compiled, facts) : undefined;
    if (refusal !== undefined) return { stage: 'refuse', rule, because: 'brownout', refusal };
    const inForce = stageInForce(rule, state, this.#isGone && compiled.rollout.atSunset === 'translate');
    if (inForce.stage !== 'refuse') return { ...inForce, rule };
    return { stage: 'refuse', rule, refusal: { status: rule?.status ?? 503, until: rule?.until ?? 0 } };
  }

  /** What is to be seen of it. */
  live(): LiveRoad {
    const { steps, replica } = this.road;
    const { rollout, overlaps } = this.#current;
    return { rollout, overlaps, steps, isGone: this.isGone, replica, now: this.#now(), sunset: this.#sunset };
  }

  /** Takes note of how a call ended: errors of a rule with a guard, and what v1 gives before. */
  answered(call: RecordedCall): void {
    const { rule, key, outcome, res } = call;
    if (outcome === 'refused' || outcome === 'local') return;
    const workspace = key?.workspace ?? null;
    // A client that left without an answer, or before the whole of it, got none that it could use.
    const isWhole = res.writableFinished || res.statusCode >= 400 || res.statusCode === 101;
    const status = isWhole ? res.statusCode : unanswered;
    const isBefore = outcome === 'observed' || outcome === 'compared';
    if (isBefore || rule?.fallback !== undefined) this.#guard({ rule: isBefore ? undefined : rule?.name, workspace, status });
  }

  /** Counts how a call ended. */
  guard({ rule: name, workspace, status }: Ending): void {
    if (name === undefined) return this.#guards.before(workspace, status);
    const rule = this.rollout.rules.find((each) => each.name === name);
    if (rule?.fallback === undefined || this.road.state.tripped.has(rule.name)) return;
    const tripped = this.#guards.after(rule, rule.fallback, workspace, status);
    if (tripped === undefined) return;
    this.#logger.error({ event: 'rollout_tripped', rule: rule.name, to: rule.fallback.to, ...tripped.figures }, tripped.detail);
    void this.road.note('tripped', rule.name, tripped.detail);
  }

  /** Takes note of v1's answer to a call. @returns whether it may be gone: past the sunset, it has refused many in a row */
  heardOfV1(status: number): boolean {
    const refuses = status >= 400 && status !== 429;
    this.#refusals = refuses && this.#isPast ? this.#refusals + 1 : 0;
    return this.#refusals >= refusalsInARow && !this.#isGone;
  }

  /** Takes note that v1 could not be reached. @returns whether that is for good, and v2 may have the call */
  couldNotReachV1(): boolean {
    return this.#isPast && this.foundGone('the sunset is over, and v1 cannot be reached');
  }

  /** Has what went to v1 go to v2 from now on. @returns false where the configuration says that it stays */
  foundGone(why: string): boolean {
    if (this.rollout.atSunset === 'stay') return false;
    if (this.#isGone) return true;
    this.#isGone = true;
    this.#logger.warn({ event: 'rollout_changed_over' }, `${why}: calls that went to v1 go to v2 from now on`);
    void this.road.note('changed-over', '', `${why}; this proxy translates what it sent to v1`, true);
    return true;
  }

  get #isPast(): boolean {
    return this.#now() >= this.#sunset;
  }

  close(): void {
    this.#rules.close();
    this.road.close();
  }

  get #current(): Compiled {
    const { rollout, until } = this.#compiled;
    if (this.#rules.current !== rollout || this.#now() >= until) this.#compiled = this.#compile();
    return this.#compiled;
  }

  #compile(): Compiled {
    const rollout = this.#rules.current;
    const now = this.#now();
    const live = rollout.rules.filter(({ until = Infinity }) => now < until);
    const overlaps = overlapsOf(live);
    for (const { kind, first, second } of overlaps) {
      const line = { event: 'rollout_overlap', kind, rule: second.name, earlier: first.name };
      if (kind === 'unreachable') this.#logger.warn(line, `No call comes to "${second.name}": "${first.name}" before it takes them all`);
      else this.#logger.info(line, `"${first.name}" and "${second.name}" share calls; the first of the two has them`);
    }
    this.#named([...rollout.rules, ...rollout.brownouts].flatMap(({ match }) => match.client ?? []));
    const schedule = scheduleOf(rollout.brownouts, this.#sunset);
    return {
      rollout,
      overlaps,
      select: selector(live),
      schedule,
      windowAt: windowAt(schedule),
      selectors: new Map(rollout.brownouts.map((brownout) => [brownout, selector([brownout])])),
      until: Math.min(...live.map(({ until = Infinity }) => until), Infinity),
    };
  }

  /** The brownout that refuses this call now. */
  #brownout({ windowAt, selectors }: Compiled, facts: CallFacts): Decision['refusal'] {
    const window = windowAt(this.#now());
    if (nameOf(window) !== nameOf(this.#window)) this.#turned(window);
    if (window === undefined) return undefined;
    const { name, exempt, status } = window.brownout;
    if (this.road.state.stoppedBrownouts.has(name)) return undefined;
    const isMeant =
      selectors.get(window.brownout)?.(facts) !== undefined && !(facts.workspace !== null && exempt.includes(facts.workspace));
    return isMeant ? { status, until: window.to } : undefined;
  }

  /** A rule that was taken back or released begins anew, whichever replica it was. */
  #moved(state: RoadLog['state']): void {
    const { tripped } = this.#road;
    this.#road = state;
    for (const rule of tripped.keys()) if (!state.tripped.has(rule)) this.#guards.forget(rule);
    for (const rule of state.tripped.keys()) if (!tripped.has(rule)) this.#guards.forget(rule);
  }

  #turned(window: BrownoutWindow | undefined): void {
    const before = this.#window;
    this.#window = window;
    if (before !== undefined) {
      this.#logger.info({ event: 'brownout_ended', brownout: before.brownout.name }, 'A brownout is over');
      void this.road.note('brownout-ended', before.brownout.name, `since ${new Date(before.from).toISOString()}`, `${before.from}`);
    }
    if (window === undefined || this.road.state.stoppedBrownouts.has(window.brownout.name)) return;
    const until = new Date(window.to).toISOString();
    this.#logger.warn({ event: 'brownout_began', brownout: window.brownout.name, until }, `v1 is refused until ${until}`);
    void this.road.note('brownout-began', window.brownout.name, `until ${until}`, `${window.from}`);
  }
}

/** The same time of the same brownout, also where the rules were read again. */
const nameOf = (window: BrownoutWindow | undefined): string | undefined => window && `${window.brownout.name} ${window.from}`;
