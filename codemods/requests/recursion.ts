/** Functions that come back to themselves: what calls itself anew when an answer was 429, directly or by way of others. */
import type { CallNode, FunctionNode, Node, ParamNode } from '../syntax/tree.ts';
import { assignmentsOf } from '../evaluate/names/assignments.ts';
import { functionAround, nameOf } from '../evaluate/calls/callees.ts';
import type { Again, Caller } from '../evaluate/calls/callers.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { Frame } from '../evaluate/calls/frame.ts';

import { mentionsThis } from './mentions-this.ts';
import { ownerOfThis, thisIn } from './this-by-name.ts';

export type Callers = ReadonlyMap<Node, readonly Caller[]>;

/** The calls that lead from a function back to it: the first is one of the function, the last stands in it. */
export type Cycle = readonly { readonly of: FunctionNode; readonly caller: Caller }[];

/** A function that comes back by way of more than two others is not seen to. */
const maxLength = 3;
/** Nor is one whose callers are called by more than this, unless it calls itself. */
const maxVisited = 300;

/** The ways on which a function comes back to itself as what it was: of the same object, within the same call of what is around it. */
export function cyclesOf(callers: Callers, fn: FunctionNode): readonly Cycle[] {
  const found: Cycle[] = [];
  let visited = 0;
  const visit = (of: FunctionNode, cycle: Cycle): void => {
    for (const caller of callers.get(of) ?? []) {
      if (visited++ > maxVisited && cycle.length > 0) return;
      const around = functionsAround(caller.node);
      const next = [...cycle, { of, caller }];
      const comesFrom = around.includes(fn) ? [fn] : cycle.length + 1 < maxLength ? around.filter(isNamed) : [];
      for (const each of comesFrom) {
        if (!isOfSame(caller, of, each)) continue;
        if (each === fn && (next.length === 1 || isEntered(callers, next))) found.push(next);
        else if (each !== fn && !next.some((step) => step.of === each)) visit(each, next);
      }
    }
  };
  visit(fn, []);
  for (const caller of callers.get(fn) ?? []) if (isCopy(caller, fn)) found.push([{ of: fn, caller }]);
  return visited > maxVisited ? found.filter(({ length }) => length === 1) : found;
}

function functionsAround(node: Node): FunctionNode[] {
  const found: FunctionNode[] = [];
  for (let at = functionAround(node); at !== undefined; at = functionAround(at)) found.push(at);
  return found;
}

/** What is given to a call where it is written is part of the function around it. */
const isNamed = ({ parent }: FunctionNode): boolean => parent?.kind !== 'call';

/** Whether anybody else calls any of the functions that call each other: if nobody does, nothing says what they are given. */
function isEntered(callers: Callers, cycle: Cycle): boolean {
  const all = new Set(cycle.map(({ of }) => of));
  return cycle.some(({ of }) => (callers.get(of) ?? []).some(({ node }) => !functionsAround(node).some((fn) => all.has(fn))));
}

/** Whether a call in one function is one of another with the same `this`, and in the same call of what is around both. */
function isOfSame({ node, module, isPassed }: Caller, of: FunctionNode, within: FunctionNode): boolean {
  if (isPassed === true) return false;
  const { callee } = node;
  const self = selfOf(node, module);
  if (self !== undefined) {
    const owner = ownerOfThis(self, module);
    return owner !== undefined && (owner === ownerOfThis(within, module) || owner === keeperOf(of, module));
  }
  const name = nameOf(of);
  const isByName = callee.kind === 'name' && name !== undefined && module.scopes.bindingOf(callee)?.declaration === name;
  if (isByName) return of.isArrow || !mentionsThis(of);
  return functionAround(of) === undefined && !mentionsThis(of);
}

/** What gives a method its `this`. */
const handing: ReadonlySet<string> = new Set(['call', 'apply', 'bind']);

/** What a method is called on where that is a `this`: `self.ask()`, `self.ask.call(self)`. */
function selfOf({ callee, args: [first] }: CallNode, module: SourceModule): Node | undefined {
  if (callee.kind !== 'member') return undefined;
  const { object, property } = callee;
  const isHanded = object.kind === 'member' && handing.has(property ?? '') && first !== undefined;
  const self = thisIn(object.kind === 'member' ? object.object : object, module);
  if (!isHanded || self === undefined) return object.kind === 'member' ? undefined : self;
  const given = thisIn(first, module);
  return given !== undefined && ownerOfThis(given, module) === ownerOfThis(self, module) ? given : undefined;
}

/** The function that makes a method for its own `this`: `this.ask = function () { … }`. */
function keeperOf({ parent }: FunctionNode, module: SourceModule): Node | undefined {
  const target = parent?.kind === 'assign' && parent.target.kind === 'member' ? thisIn(parent.target.object, module) : undefined;
  return target && ownerOfThis(target, module);
}

/** `new Client(key, endpoint)` in its own constructor, and `new Client(key, this.options)` in a method: another instance, of what this one was given. */
function isCopy({ node, isPassed }: Caller, fn: FunctionNode): boolean {
  if (!node.isNew || isPassed === true) return false;
  const around = functionsAround(node);
  if (around.includes(fn)) return true;
  const member = around.find(({ parent }) => parent?.kind === 'classMember')?.parent;
  return member?.kind === 'classMember' && !member.isStatic && fn.parent?.kind === 'classMember' && fn.parent.parent === member.parent;
}

/** What a function is given on ways that lead back to it. */
export function againBy(cycle: Cycle): Again[] {
  const [first, ...others] = cycle;
  if (first === undefined) return [];
  // In which call of the others, for each call of the function.
  const inner = new WeakMap<Frame, Frame>();
  const innerOf = (frame: Frame): Frame => {
    const made = others.toReversed().reduce<Frame>((outer, { of, caller }) => {
      const self = mentionsThis(of) && frame.self !== undefined ? { self: frame.self } : {};
      return { owner: of, call: caller, ...self, outer };
    }, frame);
    inner.set(frame, made);
    return made;
  };
  return [
    {
      caller: first.caller,
      keeps: (param) => others.length === 0 && isHandedOn(first, param),
      within: (frame) => inner.get(frame) ?? innerOf(frame),
    },
  ];
}

/** Whether a call in a function gives it one of its own parameters as that came. */
function isHandedOn({ of, caller: { node, module, isPlain } }: Cycle[number], param: ParamNode): boolean {
  const index = of.params.indexOf(param);
  const arg = node.args[index];
  if (isPlain !== true || arg === undefined || node.args.slice(0, index).some(({ kind }) => kind === 'spread')) return false;
  if (param.isRest !== (arg.kind === 'spread')) return false;
  const given = arg.kind === 'spread' ? arg.argument : arg;
  if (given.kind === 'member' && given.object.kind === 'this') return isKeptAs(param, given.property, module);
  const binding = given.kind === 'name' ? module.scopes.bindingOf(given) : undefined;
  return binding?.declaration === param.target && assignmentsOf(binding).all.length === 0;
}

/** `constructor(private options)`, where nothing else writes to such a field. */
const isKeptAs = ({ target, isField }: ParamNode, name: string | undefined, { writes }: SourceModule): boolean =>
  isField &&
  target.kind === 'patternName' &&
  target.name === name &&
  !writes.some((each) => each.target.kind === 'member' && each.target.property === name);
