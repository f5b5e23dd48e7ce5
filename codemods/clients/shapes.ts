/** What most clients have in common, for their rules. */
import type { HttpValue, JoinStyle, Value } from '../identify/values.ts';
import type { RuleCall } from './rule.ts';

/** An option of an options object; undefined where it is certainly not there. */
export function option(call: RuleCall, options: Value | undefined, ...names: readonly string[]): Value | undefined {
  if (options === undefined) return undefined;
  for (const name of names) {
    const value = call.ev.member(options, name, call.node, call);
    if (!(value.type === 'literal' && value.value === undefined)) return value;
  }
  return undefined;
}

export interface Described {
  readonly base?: Value | undefined;
  readonly url?: Value | undefined;
  readonly join?: JoinStyle | undefined;
  readonly method?: Value | string | undefined;
  /** In the order in which later ones win. */
  readonly headers?: readonly (Value | undefined)[];
}

/** A client, or a request, that a call makes; what it is made from counts on. */
export function made(client: string, stage: HttpValue['stage'], call: RuleCall, described: Described): HttpValue {
  const { on } = call;
  const base = described.base ?? on?.base;
  const url = described.url ?? on?.url;
  const method = described.method ?? on?.method;
  const join = described.join ?? on?.join;
  return {
    type: 'http',
    client,
    stage,
    node: call.node,
    module: call.module,
    origins: [],
    headers: [...(on?.headers ?? []), ...(described.headers ?? []).filter((each) => each !== undefined)],
    ...(base === undefined ? {} : { base }),
    ...(url === undefined ? {} : { url }),
    ...(method === undefined ? {} : { method }),
    ...(join === undefined ? {} : { join }),
    ...(on?.notes === undefined ? {} : { notes: on.notes }),
    ...(on?.trail === undefined ? {} : { trail: on.trail }),
  };
}

/** Methods named after HTTP's. */
export const verbs: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);
