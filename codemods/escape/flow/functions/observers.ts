/** What packages that count, time, trace or log make: `requests.inc({ route })`, `span.setAttribute('url.path', path)`. They do nothing else with what they are given. */
import { isObserver } from '../../../clients/quiet-packages.ts';
import type { Place } from '../../../evaluate/budget.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import { optionsOf } from '../../../evaluate/values/values.ts';
import type { CallNode } from '../../../syntax/tree.ts';

/** Calls that lead from what is called to the package: `trace.getTracer('app').startSpan('GET')`. */
const maxCalls = 4;

/** What they are told by; others set them up, as with an address to ask. */
const telling =
  /^(?:inc|dec|observe|labels|startTimer|record\w*|add|increment\w*|decrement|gauge|timing|histogram|distribution|count|start(?:Active)?Span|setAttributes?|addEvent|updateName|(?:add|leave)Breadcrumb|capture[A-Z]\w*|set(?:Tags?|Extras?|Context)|info|warn|error|debug|trace|log|fatal|verbose|silly|http|noticeError|addCustomAttributes?|track[A-Z]\w*|notify)$/;

/** Whether what is called is told something that such a package shows. */
export const isTelling = (ev: Evaluation, { callee, isNew }: CallNode, module: SourceModule): boolean =>
  !isNew &&
  (callee.kind !== 'member' || callee.object.kind === 'this' || telling.test(callee.property ?? '')) &&
  isOfObserver(ev, { node: callee, module });

/** What makes a logger, a counter or the like; what wraps a function or a client gives that back. */
const making =
  /^(?:default|create[A-Z]?\w*|get[A-Z]\w*|child|labels|start(?:Active)?Span|startTimer|logger|debug|getLogger|withTag|extend|Counter|Gauge|Histogram|Summary)$/;

/** Whether what is called, or what that is called on, comes from such a package by what makes one. */
function isOfObserver(ev: Evaluation, { node, module }: Place, calls = 0): boolean {
  let root = node;
  // What a class keeps is called whatever it likes: `this.debug(…)`, `this.log.info(…)`.
  while (root.kind === 'member' && root.object.kind !== 'this') root = root.object;
  if (calls > maxCalls) return false;
  if (root.kind === 'call') return isMadeByObserver(ev, { node: root, module }, calls);
  if (root.kind !== 'name' && root.kind !== 'member') return false;
  const made = optionsOf(ev.evaluate(root, { module, frame: undefined }));
  return made.every((value) => {
    if (value.type === 'external')
      return isObserver(value.source) && (root !== node || (calls === 0 ? root.kind === 'name' : isMaker(value.path)));
    const { node: by, module: of } = value.type === 'unknown' ? value : {};
    return by?.kind === 'call' && of !== undefined && isScript(of) && isMadeByObserver(ev, { node: by, module: of }, calls);
  });
}

/** `createDebug('app')`, `new Counter({ … })`, `trace.getTracer('app')` */
function isMadeByObserver(ev: Evaluation, { node, module }: Place, calls: number): boolean {
  if (node.kind !== 'call') return false;
  const { callee, isNew } = node;
  const isMaking = isNew || callee.kind !== 'member' || making.test(callee.property ?? '');
  return isMaking && isOfObserver(ev, { node: callee, module }, calls + 1);
}

/** Of a package that is called itself, or of a function of it. */
const isMaker = (path: readonly string[]): boolean =>
  path.length === 0 || making.test(path.at(-1) ?? '') || /^[A-Z]/.test(path.at(-1) ?? '');
