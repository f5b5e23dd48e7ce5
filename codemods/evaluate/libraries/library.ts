/** Calls of packages, globals and the clients that they make: the rule that knows a call says what it makes. */
import { memoOf } from '../../once.ts';
import type { ClientRule, RuleCall, Run } from './client-rule.ts';
import type { CallNode } from '../../syntax/tree.ts';
import { builtinCall } from '../language/builtins.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { factoryCall } from '../calls/factories.ts';
import { passedMethod, type Known } from '../calls/passed-methods.ts';
import { ruleNamed } from './rules.ts';
import {
  after,
  choiceOf,
  type ExternalValue,
  type HttpValue,
  type MethodValue,
  optionsOf,
  through,
  unknown,
  type Value,
} from '../values/values.ts';

/** The name that a package or global has among the origins of what it makes. */
export const originOf = ({ source, path }: ExternalValue): string => (source === '' ? `global ${path[0] ?? ''}` : source);

/** The name of a method of a client that nobody knows: a verb, with which it may be asked for anything. */
export const anyVerb = '*';

const namesOf = ({ modules = [], globals = [] }: ClientRule): string[] => [...modules, ...globals.map((name) => `global ${name}`)];

/** The last of each name: the same rules are asked for every component. */
const bySource = memoOf(
  (rules: readonly ClientRule[]): ReadonlyMap<string, ClientRule> =>
    new Map(rules.flatMap((rule) => namesOf(rule).map((name) => [name, rule] as const))),
);

export class Library {
  readonly #ev: Evaluation;

  constructor(ev: Evaluation) {
    this.#ev = ev;
  }

  /** A call of what a package gives or made; of its `bind`, `call` and `apply`, too. */
  call(callee: ExternalValue | HttpValue | MethodValue, node: CallNode, at: At): Value {
    const known = this.#knownFor(callee);
    // What it is given matters to nobody then.
    if (known === undefined || known.rule.isIdle?.({ ...known, ...at, node, ev: this.#ev }) === true)
      return builtinCall(this.#ev, callee, node, at) ?? unknown(node, at.module, 'call');
    // What runs functions may export a `call` and `apply` of its own.
    if (callee.type !== 'http' && (known.rule.runs === undefined || callee.path.length > 1)) {
      const itself = { ...callee, path: callee.path.slice(0, -1) };
      switch (callee.path.at(-1)) {
        case 'bind': {
          const [self, ...more] = this.#ev.args(node, at);
          const bound = { ...itself, given: [...(itself.given ?? []), ...more] };
          return bound.type === 'method' && self?.type === 'http' ? { ...bound, receiver: self } : bound;
        }
        case 'call':
          return this.#made(itself, this.#ev.args(node, at).slice(1), node, at);
        case 'apply': {
          const list = this.#ev.args(node, at)[1];
          // What is asked by a list that is not known goes to whoever that says.
          const rest = list?.type === 'list' && !list.isOpen ? [] : [unknown(node, at.module, 'call')];
          return this.#made(itself, [...(list?.type === 'list' ? list.items : []), ...rest], node, at);
        }
        default:
      }
    }
    return this.#made(callee, this.#ev.args(node, at), node, at);
  }

  /** What a call makes its library run. */
  runs(callee: Value, node: CallNode, { module, frame }: At): readonly Run[] {
    const known = this.#knownFor(callee);
    if (known?.rule.runs === undefined) return [];
    return known.rule.runs({
      node,
      module,
      frame,
      path: known.path,
      on: known.on,
      args: this.#ev.args(node, { module, frame }),
      ev: this.#ev,
    });
  }

  /** The requests that functions of packages and clients make, where a library calls them. */
  #ran(runs: readonly Run[], node: CallNode, at: At): Value | undefined {
    const made = runs.flatMap(({ fn, args }) => optionsOf(fn).flatMap((each) => this.ask(each, args, node, at) ?? []));
    return made.length === 0 ? undefined : choiceOf(made);
  }

  /** Whose call it is: by the package or global, by the client, or by the method's name where nothing else is known. */
  #knownFor(callee: Value): Known | undefined {
    if (callee.type === 'method' && callee.receiver.type === 'unknown') return passedMethod(this.#ev.rules, callee);
    const on = callee.type === 'http' ? callee : callee.type === 'method' && callee.receiver.type === 'http' ? callee.receiver : undefined;
    const rule =
      on !== undefined
        ? ruleNamed(this.#ev.rules, on.client)
        : callee.type === 'external'
          ? bySource(this.#ev.rules).get(originOf(callee))
          : undefined;
    const names = callee.type === 'external' || callee.type === 'method' ? callee.path : [];
    return rule && { rule, on, path: callee.type === 'external' && callee.source === '' ? names.slice(1) : names };
  }

  #made(callee: ExternalValue | HttpValue | MethodValue, args: readonly Value[], node: CallNode, at: At): Value {
    const given = callee.type === 'http' ? [] : (callee.given ?? []);
    return this.ask(callee, [...given, ...args], node, at) ?? builtinCall(this.#ev, callee, node, at) ?? unknown(node, at.module, 'call');
  }

  /** What is asked by a verb that nobody knows: with what is sent in the place of options, or before them. */
  #askByAny<V extends ExternalValue | MethodValue>(callee: V, args: readonly Value[], node: CallNode, at: At): Value | undefined {
    const asked = ['get', 'post'].flatMap((verb) => {
      const made = this.ask({ ...callee, path: [...callee.path.slice(0, -1), verb] }, args, node, at);
      return made?.type === 'http' && made.stage === 'request' ? [{ ...made, method: unknown(node, at.module) }] : [];
    });
    return asked.length === 0 ? undefined : choiceOf(asked);
  }

  /** What the rules make of a call of something with these arguments; undefined where none knows it. */
  ask(callee: Value, args: readonly Value[], node: CallNode, { module, frame }: At): Value | undefined {
    if ((callee.type === 'external' || callee.type === 'method') && callee.path.at(-1) === anyVerb)
      return this.#askByAny(callee, args, node, { module, frame });
    const known = this.#knownFor(callee);
    const call: RuleCall | undefined = known && { node, module, frame, path: known.path, on: known.on, args, ev: this.#ev };
    const made = call && known?.rule.call?.(call);
    if (made === undefined) return call && this.#ran(known?.rule.runs?.(call) ?? [], node, call);
    // `request.set(…)` gives back the request itself.
    if (made !== undefined && made === known?.on) return after(made, callee.provenance);
    if (made.type !== 'http') return through(made, node, module);
    const from = known?.on?.origins ?? (callee.type === 'external' ? [originOf(callee)] : []);
    const by = made.stage === 'client' ? factoryCall(node, { module, frame }) : undefined;
    const before = made.madeBy ?? known?.on?.madeBy;
    const madeBy = by === undefined ? before : new Map([...(before ?? []), [node, by] as const]);
    return after({ ...made, origins: [...new Set([...from, ...made.origins, node])], madeBy }, callee.provenance);
  }
}
