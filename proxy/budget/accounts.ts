/** Whose hour a call is spent of: that of the workspace which the configuration gives its key, or else the key's own. */
import { type BudgetPolicy, policies } from '../../src/budget/policy.ts';
import { type Window, type WindowKind, windowKinds } from '../../src/budget/hour.ts';
import { type AssumptionName, type Assumptions, openQuestions } from '../../src/contract/assumptions.ts';
import { type V1EndpointId, type V2EndpointId, v1Endpoints, v2Endpoints } from '../../src/contract/endpoints.ts';
import { v2RequestsPerHour } from '../../src/contract/limits.ts';
import type { Plan } from '../../src/contract/plans.ts';
import { remembering } from '../../src/usage/remembering.ts';
import { workspaceOfKey } from '../../src/usage/workspaces.ts';
import type { ProxyOptions } from '../options.ts';
import type { KeyOwner } from '../recorded-call.ts';
import type { BudgetAccount, Purpose } from './purpose.ts';

export class Accounts {
  /** Of the workspaces of the configuration. */
  readonly workspaces: ReadonlyMap<string, BudgetAccount>;
  /** How v2 is assumed to count, until it shows otherwise. */
  readonly window: Window;
  readonly #others: (hash: string) => BudgetAccount;
  readonly #mapped: (v2Key: string) => string | undefined;
  readonly #identify: (key: string) => KeyOwner;

  /** @param identify how a key is known, and whose it is */
  constructor(
    { budget, workspaces, assumptions, keyMap }: Pick<ProxyOptions, 'budget' | 'workspaces' | 'assumptions' | 'keyMap'>,
    identify: (key: string) => KeyOwner,
  ) {
    const policyOf = policies(budget);
    const kind: WindowKind = windowKinds.find((each) => each === assumptions.v2HourWindow) ?? 'fixed';
    this.window = { kind, phase: 0 };
    const make = (id: string, policy: BudgetPolicy, limit: number | undefined, workspace?: string): BudgetAccount => ({
      id,
      terms: { limit, isMost: policy.limit !== undefined, reserve: policy.reserve, window: this.window },
      workspace,
      policy,
      watch: undefined,
      told: 0,
      refused: { calls: 0, hour: 0 },
    });
    const named = workspaces.map(({ name, plan }) => {
      const policy = policyOf(name);
      return [name, make(`workspace ${name}`, policy, policy.limit ?? limitOfPlan(plan, assumptions), name)] as const;
    });
    this.workspaces = new Map(named);
    const usual = policyOf(null);
    this.#others = remembering((hash) => make(`key ${hash}`, usual, usual.limit));
    this.#identify = identify;
    const workspaceOf = workspaceOfKey(workspaces);
    this.#mapped = (v2Key) => {
      const beginning = keyMap?.beginningOf?.(v2Key);
      return beginning === undefined ? undefined : workspaceOf(beginning, '')?.name;
    };
  }

  /**
   * What a translated call is for.
   * @param v2Key what v2 is shown
   * @param owner whose the client's key is
   * @param isMapped whether that is another key
   */
  purposeOf(v2Key: string, owner: KeyOwner | undefined, endpoint: V1EndpointId, isMapped = false): Purpose {
    const reader = isMapped ? `${v2Key} ${owner?.fingerprint.hash}` : v2Key;
    const account = this.#accountOf(v2Key, owner);
    return { account, endpoint, weight: account.policy.weights[endpoint] ?? usualWeight(v1Endpoints[endpoint].access), key: v2Key, reader };
  }

  /**
   * What a call to v2 is for, which nobody translates.
   * @param v2Key undefined where it shows none
   * @param owner of the v1 key that this one stands for, if any does
   */
  purposeOfPassed(
    v2Key: string | undefined,
    owner: KeyOwner | undefined,
    endpoint: V2EndpointId | undefined,
    method: string,
  ): Purpose | undefined {
    if (v2Key === undefined) return undefined;
    const account = this.#accountOf(v2Key, owner);
    const access = endpoint === undefined ? accessOf(method) : v2Endpoints[endpoint].access;
    const own = endpoint !== undefined && isV1Endpoint(endpoint) ? account.policy.weights[endpoint] : undefined;
    return { account, endpoint: undefined, weight: own ?? usualWeight(access), key: v2Key, reader: v2Key };
  }

  /** The account of a key. Its own configured workspace stands before that of the v1 key which it stands for. */
  #accountOf(v2Key: string, owner: KeyOwner | undefined): BudgetAccount {
    const own = owner?.workspace ?? null;
    const named = own === null ? undefined : this.workspaces.get(own);
    if (named !== undefined) return named;
    const { workspace, fingerprint } = this.#identify(v2Key);
    // A client that has moved in part shows its v2 key, and may not have shown its v1 key yet.
    const known = workspace ?? this.#mapped(v2Key);
    return (known == null ? undefined : this.workspaces.get(known)) ?? this.#others(fingerprint.hash);
  }
}

const usualWeight = (access: 'read' | 'write'): number => (access === 'write' ? 1 : 0);
const accessOf = (method: string): 'read' | 'write' => (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'write');
const isV1Endpoint = (id: string): id is V1EndpointId => Object.hasOwn(v1Endpoints, id);

/** What a plan is known to allow. What the kit merely assumes of the others is no reason to refuse a call; what somebody has set is. */
function limitOfPlan(plan: Plan | undefined, assumptions: Assumptions): number | undefined {
  if (plan === undefined) return undefined;
  const published: Partial<Record<Plan, number | undefined>> = v2RequestsPerHour;
  const question = Object.keys(openQuestions).find((name): name is AssumptionName => name === `v2RequestsPerHour${plan}`);
  const given = question !== undefined && assumptions[question] !== openQuestions[question].value ? assumptions[question] : undefined;
  return published[plan] ?? (typeof given === 'number' ? given : undefined);
}
