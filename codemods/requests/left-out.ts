/**
 * What a call certainly does not come to, as it leaves out what that is for: `if (apiKey) instance.defaults.headers.common['x-api-key'] = apiKey`, of a factory
 * that makes a client of ours with a key, and one of somebody else without any.
 */
import { calledBy } from '../evaluate/calls/call-frames.ts';
import { functionAround } from '../evaluate/calls/callees.ts';
import { type Frame, frameOf } from '../evaluate/calls/frame.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isPassedOver } from '../evaluate/language/passed-over.ts';
import { moduleAround, type SourceModule } from '../evaluate/module.ts';
import { type HttpValue, optionsOf, type Value } from '../evaluate/values/values.ts';
import { rootOf } from './mutations.ts';
import type { CallNode, Expression, FunctionNode, Node } from '../syntax/tree.ts';

/**
 * Whether a place in what makes a client, or asks by it, is certainly not come to, and nothing that another call put there counts.
 * @param frame the calls on the way to the request; of a factory that it does not go through, the one that made the client
 */
export function isLeftOut(ev: Evaluation, place: Node, module: SourceModule, http: HttpValue, frame: Frame | undefined): boolean {
  for (let at: Node | undefined = place; at !== undefined; at = functionAround(at)) {
    const fn = functionAround(at);
    const inner = fn && frameFor(ev, fn, http, frame);
    if (fn === undefined || inner === undefined || !isOfCall(ev, fn, at, { module, http, isOfMaker: inner.isOfMaker })) continue;
    if (isPassedOver(ev, at, { module, frame: inner.frame })) return true;
  }
  return false;
}

interface Called {
  readonly frame: Frame | undefined;
  /** Whether it is the call that made the client. */
  readonly isOfMaker: boolean;
}

/** The calls in which a function, or one around it, is on the way to the request, or made its client. */
function frameFor(ev: Evaluation, inner: FunctionNode, { madeBy = new Map() }: HttpValue, frame: Frame | undefined): Called | undefined {
  for (let fn: FunctionNode | undefined = inner; fn !== undefined; fn = functionAround(fn)) {
    for (const [origin, node] of madeBy) {
      const module = typeof origin !== 'string' && functionAround(origin) === fn ? moduleAround(node) : undefined;
      if (module !== undefined) return { frame: calledBy(ev, fn, { node, module }, frame), isOfMaker: true };
    }
    if (frameOf(fn, frame) !== undefined) return { frame, isOfMaker: false };
  }
  return undefined;
}

/**
 * Whether each call has what is written into for itself: `const headers = {}`, the client that it makes, or what a hook of that client is given. What outlives the
 * call, as defaults of a library do, has what other calls put there.
 */
function isOfCall(ev: Evaluation, fn: FunctionNode, place: Node, { module, http: { origins }, isOfMaker }: Written): boolean {
  let write: Node | undefined = place;
  while (write !== undefined && write.kind !== 'assign' && write.kind !== 'call') write = write.parent;
  const into = write?.kind === 'assign' ? write.target : write?.kind === 'call' ? write.callee : undefined;
  const root = into && rootOf(into);
  const owner = root?.kind === 'name' && root !== into ? module.scopes.bindingOf(root)?.owner : undefined;
  if (owner?.kind === 'param') return isOfMaker && owner.parent === fn;
  if (owner?.kind !== 'variable' || owner.declares !== 'const' || functionAround(owner) !== fn) return false;
  const { init } = owner;
  const made = init?.kind === 'await' ? init.argument : init;
  return made?.kind === 'object' || (made?.kind === 'call' && (isNewHeaders(ev, made, module) || origins.includes(made)));
}

interface Written {
  readonly module: SourceModule;
  readonly http: HttpValue;
  readonly isOfMaker: boolean;
}

/** `new Headers()` of the platform or a package that is known: a class of the project's own may keep them for all, whatever it is called. */
function isNewHeaders(ev: Evaluation, made: CallNode, module: SourceModule): boolean {
  const of = (node: Expression, type: Value['type']): boolean =>
    optionsOf(ev.evaluate(node, { module, frame: undefined })).every((each) => each.type === type);
  return made.isNew && of(made.callee, 'external') && of(made, 'object');
}
