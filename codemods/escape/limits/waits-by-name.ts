/** Waits of a minute that say themselves, or beside which is said, that too many calls were made: in a file that names neither status nor code. */
import { guardsAround } from '../../evaluate/language/guards.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type {
  CallNode,
  ConcatNode,
  ConditionalNode,
  Expression,
  FunctionNode,
  LogicalNode,
  Node,
  ParamNode,
  PatternProperty,
  PropertyNode,
} from '../../syntax/tree.ts';
import { asksForLimit, isLong, isMinute, isRetryAfter, tooManyWords as tooMany } from './waits-by-code.ts';
import { argsOf, calledBy } from './timers.ts';

/** Words one of which is in each text that may hold such a wait. */
export const mayWaitForLimit = (text: string): boolean =>
  (/(?<![\w.])60(?:_?000)?(?!\w)/.test(text) && (tooMany.test(text) || /retry[-_]?after|back_?off/i.test(text))) || ofMinute.test(text);

/** Whether the function around a place is about too many calls: `if (error.isRateLimited) …`. */
export function isNearLimit(node: Node, { text }: SourceModule): boolean {
  const fn = functionAround(node);
  return fn !== undefined && tooMany.test(text.slice(fn.start, fn.end));
}

/** Past the executor of a promise, and what a timer runs. */
function functionAround(node: Node): FunctionNode | undefined {
  let at = node.parent;
  while (at !== undefined && (at.kind !== 'function' || (at.parent?.kind === 'call' && at.parent.isNew))) at = at.parent;
  return at;
}

/** What is waited where an answer does not say how long: `headers.get('retry-after') ?? 60`, `retryAfter = 60`. */
export function isFallback(node: LogicalNode | ConditionalNode | ParamNode | PatternProperty, module: SourceModule): boolean {
  const reads = ({ start, end }: Expression): boolean => /retry[-_]?after/i.test(module.text.slice(start, end));
  switch (node.kind) {
    case 'logical':
      return node.operator !== '&&' && isLong(node.right, module) && reads(node.left);
    case 'conditional':
      return reads(node.test) && [node.whenTrue, node.whenFalse].some((each) => isLong(each, module));
    default: {
      const name = node.target.kind === 'patternName' ? node.target.name : '';
      return node.default !== undefined && isRetryAfter(name) && isLong(node.default, module);
    }
  }
}

/** `pausedUntil = Date.now() + 60_000` once there were too many. */
export function isQuietTime(node: ConcatNode, module: SourceModule): boolean {
  if (!isMinute(node.right, module) || node.left.kind !== 'call' || !/^(?:now|getTime|valueOf)$/.test(calledBy(node.left) ?? ''))
    return false;
  const { parent } = node;
  const target = parent?.kind === 'assign' ? parent.target : undefined;
  if (target !== undefined && waitingUntil.test(module.text.slice(target.start, target.end)) && isNearLimit(node, module)) return true;
  return guardsAround(node).some((guard) => asksForLimit(guard, module));
}

const waitingUntil = /until|pause|resume|retry|block|quiet|next/i;

/** `new RateLimitError(60)`. */
export const isTooMany = (node: CallNode, module: SourceModule): boolean =>
  node.isNew &&
  /too_?many|(?:rate_?limit(?:ed|exceeded)?|throttled?)(?:error|exception)?$/i.test(calledBy(node) ?? '') &&
  argsOf(node).some((arg) => isLong(arg, module));

/** `backoff: { type: 'fixed', delay: 60_000 }` of queues, which try again whatever was answered. */
export const isBackoff = ({ name = '', value, parent }: PropertyNode, module: SourceModule): boolean =>
  (name === 'backoff' || (name === 'delay' && parent?.parent?.kind === 'property' && parent.parent.name === 'backoff')) &&
  isMinute(value, module);

/** `60 calls per minute`, `60 requests / minute`, `rpm`. No word is longer: each digit of data in one piece would be held against all behind it. */
const ofMinute = /\d\s{0,4}\w{0,30}(?:\s\w{1,30})?\s{0,4}(?:\/|\bper\b|\ba\b|\beach\b)\s*min(?:ute)?\b|\brpm\b/i;
const pace = new RegExp(`(?://|/\\*|^\\s*\\*).*(?:${ofMinute.source})`, 'im');

/** `await sleep(1000); // no more than 60 calls per minute` */
export function isPaceOfMinute(node: CallNode, { text }: SourceModule): boolean {
  if (!/^(?:sleep|delay|wait|pause|setTimeout)$/.test(calledBy(node) ?? '')) return false;
  const lineStart = text.lastIndexOf('\n', node.start) + 1;
  const lineEnd = text.indexOf('\n', node.end);
  const above = text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, lineStart);
  const beside = text.slice(node.end, lineEnd === -1 ? text.length : lineEnd);
  return pace.test(beside) || (/^\s*(?:\/\/|\/?\*)/.test(above) && pace.test(above));
}
