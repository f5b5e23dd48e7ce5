/** What something is for all who call the functions around it, where what is made there goes on without telling them apart. */
import { calledBy } from './call-frames.ts';
import { constructorOf } from '../classes/class-index.ts';
import type { Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { isCalling, isWithin } from '../names/named.ts';
import { mayBeCalledOtherwise } from './other-calls.ts';
import type { Frame } from './frame.ts';
import { choiceOf, nothing, optionsOf, type ParamValue, type Value } from '../values/values.ts';
import type { World } from '../program.ts';
import { type Meant, Spoken } from './spoken.ts';
import { isTest } from '../libraries/test-files.ts';
import { memoOf } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, Expression, FunctionNode, Node } from '../../syntax/tree.ts';

/** Functions that hand it on to each other further than this are not looked at. */
const maxDepth = 4;

/** What a call path costs, as `Budget.charge` counts. */
const thingsPerPath = 16;

/** Nor is what stands further in than this within objects and lists. */
const maxNested = 2;

export interface Whose {
  /** Whether nobody else calls than is seen. */
  readonly isOffered?: boolean;
  /** Whether those behind the one call that makes an instance are asked for here, too, and not with the calls of its methods. */
  readonly isWhole?: boolean;
  /** Whether the callers of a function are asked for; those of all, if it is left out. */
  readonly isOf?: (fn: FunctionNode) => boolean;
  /** Whether a call may be meant. */
  readonly isBy?: (call: Call) => boolean;
}

/** Somebody who calls, where one is seen to. */
interface Step {
  readonly owner: FunctionNode;
  readonly call: Call | undefined;
}

/** @param find what it is in a frame */
export function forAllCallers(
  ev: Evaluation,
  around: Frame | undefined,
  find: (frame: Frame | undefined) => Value,
  whose: Whose = {},
): Value {
  const { isOffered = false, isOf, isBy = () => true } = whose;
  const along = (steps: readonly Step[]): Value => {
    // Each call path is looked at, and what it gives is compared with what others give.
    ev.budget.charge(thingsPerPath);
    if (ev.budget.isExhausted) {
      ev.budget.cut();
      return nothing;
    }
    const frame = steps.reduceRight<Frame | undefined>((outer, { owner, call }) => calledBy(ev, owner, call, outer), around);
    const value = find(frame);
    const open = openIn(ev, value, whose).find(({ owner }) => !isCalling(frame, owner));
    if (open === undefined || steps.length === maxDepth) return value;
    const { owner, module } = open;
    const calls = callsOf(ev, owner);
    // Where tests alone are seen to call, others may, too.
    const isOpen =
      (!isOffered && calls.every((call) => isTest(call.module)) && (calls.length === 0 || !isTest(module))) ||
      (isOf !== undefined && mayBeCalledOtherwise(ev, owner));
    const callers = [...calls.filter(isBy), ...(isOpen ? [undefined] : [])];
    return choiceOf(callers.map((call) => along(withStep(steps, { owner, call }))));
  };
  return along([]);
}

/** Each stands before those of the functions that its call stands in, as these say what it is given. */
function withStep(steps: readonly Step[], step: Step): Step[] {
  const outer = steps.findIndex(({ owner }) => step.call !== undefined && isWithin(owner, step.call.node));
  return outer === -1 ? [...steps, step] : steps.toSpliced(outer, 0, step);
}

/** The parameters that decide a value, or what it holds. */
const openIn = (ev: Evaluation, value: Value, whose: Whose, depth = 0): ParamValue[] =>
  optionsOf(value).flatMap((option): ParamValue[] => {
    const { isOf, isWhole = isOf !== undefined } = whose;
    if (option.type === 'param') return isOf?.(option.owner) === false ? [] : [option];
    // An object may be asked for what it holds while it is found out what that is.
    const held = depth === maxNested || (isOf !== undefined && option.type === 'object') ? [] : heldBy(option);
    const found = held.flatMap((each) => openIn(ev, each, whose, depth + 1));
    // Where one call alone makes the instance, who stands behind that is asked with the calls of its methods.
    return option.type === 'instance' && !isWhole ? found.filter(({ owner }) => callsOf(ev, owner).length !== 1) : found;
  });

function heldBy(value: Value): readonly Value[] {
  if (value.type === 'object') return [...value.unknown, ...value.entries.map((entry) => entry.value())];
  if (value.type === 'instance') return value.args ?? [];
  if (value.type === 'http') return [value.base, value.url, ...value.headers].filter((each) => each !== undefined);
  if (value.type === 'text') return value.parts.flatMap((part) => ('unknownPart' in part ? [part.unknownPart] : []));
  return value.type === 'list' ? value.items : [];
}

/** A call, and where it stands. */
export interface Call {
  readonly node: CallNode;
  readonly module: SourceModule;
}

const called = new WeakMap<World, Spoken<Call>>();

/** The calls of a function, by whatever names it goes. */
export function callsOf(ev: Evaluation, fn: FunctionNode): readonly Call[] {
  const known = called.get(ev.world) ?? spokenAt(ev, callsIn(ev.world), ({ node }) => calleeOf(node));
  called.set(ev.world, known);
  return [...known.of(fn)];
}

/** What is called; of `(0, client_1.setUp)(url)`, as compilers write it, what stands last. */
const calleeOf = ({ callee }: CallNode): Expression => (callee.kind === 'binary' && callee.operator === ',' ? callee.right : callee);

const spokenAt = <Place extends { readonly module: SourceModule }>(
  ev: Evaluation,
  places: readonly Place[],
  expressionAt: (place: Place) => Expression,
): Spoken<Place> => new Spoken(ev, places, { expressionAt, meantAt: (place) => meantBy(ev, expressionAt(place), place.module) });

export const nameOf = ({ parent, name }: FunctionNode): string =>
  (parent?.kind === 'classMember' || parent?.kind === 'property'
    ? parent.name
    : parent?.kind === 'variable' && parent.target.kind === 'patternName'
      ? parent.target.name
      : name?.name) ?? '';

interface Asking {
  /** What is found out together, as one may hang on the other: what each was found to be so far. */
  readonly found: Map<Node, ReadonlySet<Node>>;
  /** Which of these were asked in this round. */
  readonly asked: Set<Node>;
  /** Whether one was found to be more in this round than in the one before. */
  isMore: boolean;
  /** What is known for good. */
  readonly known: Map<Node, Meant>;
  /** How often something was cut. */
  readonly cut: Map<Node, number>;
}

const askingOf = memoOf((_ev: Evaluation): Asking => ({
  found: new Map(),
  asked: new Set(),
  isMore: false,
  known: new Map(),
  cut: new Map(),
}));

/** How often it is tried again with the steps of another question. */
const maxCuts = 8;

/** Rounds until what hangs on each other is given up. */
const maxRounds = 4;

/**
 * What an expression speaks of. It is remembered where nothing was cut, and nothing that it hangs on is being found out; and where it was cut so often
 * that it will be again.
 */
function meantBy(ev: Evaluation, value: Expression, module: SourceModule): Meant {
  const { known, cut } = askingOf(ev);
  const before = known.get(value);
  if (before !== undefined) {
    if (before.isCut === true) ev.budget.cut(undefined, true);
    return before;
  }
  // Each of thousands of a common name would take another step.
  if (ev.budget.isExhausted) {
    ev.budget.cut();
    return { functions: new Set(), isFinal: false };
  }
  const { cuts } = ev.budget;
  const meant = meantNow(ev, value, module);
  if (meant.isFinal || ev.budget.cuts === cuts) return meant;
  const times = (cut.get(value) ?? 0) + 1;
  cut.set(value, times);
  if (times < maxCuts && !ev.budget.isUsedUp({ node: value, module })) return meant;
  const least: Meant = { functions: meant.functions, isFinal: true, isCut: true };
  known.set(value, least);
  return least;
}

/**
 * Who calls what is called, as `client` in `use(client)`, hangs on who calls, and that may hang on the same: all of it is asked once a round, until a
 * round finds no more.
 */
function meantNow(ev: Evaluation, value: Expression, module: SourceModule): Meant {
  const { found, asked, known } = askingOf(ev);
  if (asked.has(value)) return { functions: found.get(value) ?? new Set(), isFinal: false };
  const { cuts } = ev.budget;
  const options = optionsOf(ev.evaluate(value, { module, frame: undefined }));
  if (!options.some(({ type }) => type === 'param')) {
    const isFinal = ev.isResolved(value, { frame: undefined }) && ev.budget.cuts === cuts;
    const meant = { functions: functionsOf(options), isFinal };
    if (isFinal) known.set(value, meant);
    return meant;
  }
  if (asked.size > 0) return { functions: askedOnce(ev, value, module), isFinal: false };
  try {
    return settled(ev, value, module, () => ev.isIdle && ev.budget.cuts === cuts);
  } finally {
    found.clear();
    asked.clear();
  }
}

function settled(ev: Evaluation, value: Expression, module: SourceModule, isWhole: () => boolean): Meant {
  const asking = askingOf(ev);
  for (let round = 1; ; round++) {
    asking.isMore = false;
    const functions = askedOnce(ev, value, module);
    const isAgain = asking.isMore && asking.asked.size > 1;
    if (isAgain && round < maxRounds && isWhole()) asking.asked.clear();
    else {
      const isFinal = !isAgain && isWhole();
      if (isFinal) for (const [each, all] of asking.found) asking.known.set(each, { functions: all, isFinal });
      return { functions, isFinal };
    }
  }
}

function askedOnce(ev: Evaluation, value: Expression, module: SourceModule): ReadonlySet<Node> {
  const asking = askingOf(ev);
  asking.asked.add(value);
  const before = asking.found.get(value) ?? new Set();
  const given = forAllCallers(ev, undefined, (frame) => ev.evaluate(value, { module, frame }));
  const options = [ev.evaluate(value, { module, frame: undefined }), given].flatMap(optionsOf);
  const functions = new Set([...before, ...functionsOf(options)]);
  if (functions.size > before.size) asking.isMore = true;
  asking.found.set(value, functions);
  return functions;
}

const functionsOf = (options: readonly Value[]): ReadonlySet<Node> => new Set(options.flatMap((each) => functionOf(each) ?? []));

const functionOf = (value: Value): Node | undefined =>
  value.type === 'function' ? value.node : value.type === 'class' ? constructorOf(value.node) : undefined;

export interface Passed {
  readonly node: Expression;
  readonly module: SourceModule;
}

const passed = new WeakMap<World, Spoken<Passed>>();

/** Whether a function is given to something else that may call it: `app.use(authorize)`, `{ preHandler: [authorize] }`. */
export const isPassedOn = (ev: Evaluation, fn: FunctionNode): boolean => passedIn(ev).of(fn).next().done !== true;

/** Where that is. */
export const passedOn = (ev: Evaluation, fn: FunctionNode): readonly Passed[] => [...passedIn(ev).of(fn)];

function passedIn(ev: Evaluation): Spoken<Passed> {
  const { world } = ev;
  const places = (): Passed[] =>
    [...world.modules.values()].flatMap((module) =>
      [...nodesOfKind(module.tree.program, 'name'), ...nodesOfKind(module.tree.program, 'member')].flatMap((node) =>
        isGiven(node) ? { node, module } : [],
      ),
    );
  const known = passed.get(world) ?? spokenAt(ev, places(), ({ node }) => node);
  passed.set(world, known);
  return known;
}

const isGiven = (node: Node): boolean =>
  node.parent?.kind === 'call'
    ? node.parent.callee !== node
    : node.parent?.kind === 'array' || (node.parent?.kind === 'property' && node.parent.parent?.parent?.kind === 'call');

const callsIn = ({ modules }: World): readonly Call[] =>
  [...modules.values()].flatMap((module) => module.calls.map((node): Call => ({ node, module })));
