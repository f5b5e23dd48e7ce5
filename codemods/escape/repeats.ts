/** Texts that say once more what is asked for: compared, looked for, replaced or signed, beside the call that is moved. */
import { walk } from '../syntax/link.ts';
import type { CallNode, NameNode, Node } from '../syntax/tree.ts';

const lookers = /^(?:includes|startsWith|endsWith|indexOf|match|matchAll|test|exec|has|replace|replaceAll|split|search)$/;
const signers = /^(?:update|sign\w*|hmac\w*|hash|digest)$/i;

/** What arrives at a server of the user's own has that server's paths. */
const incoming = new Set(['req', 'request', 'ctx', 'context', 'event', 'location', 'router']);

/** Whether a text or regular expression is compared with something, or signed. */
export function isRepeated(node: Node): boolean {
  const whole = wholeOf(node);
  const { parent } = whole;
  if (parent?.kind === 'binary') return /^[!=]==?$/.test(parent.operator) && !isIncoming(parent);
  if (parent?.kind === 'other') return parent.what === 'CaseClause';
  if (parent?.kind === 'call') return parent.args.some((arg) => arg === whole) && isAsked(parent);
  const isReceiver = parent?.kind === 'member' && parent.object === whole && lookers.test(parent.property ?? '');
  return isReceiver && parent.parent?.kind === 'call' && !isIncoming(parent.parent);
}

/** The text that it is a part of. */
function wholeOf(node: Node): Node {
  const { parent } = node;
  if (parent === undefined) return node;
  if (parent.kind === 'concat' || parent.kind === 'template' || parent.kind === 'array') return wholeOf(parent);
  const isJoined = parent.kind === 'member' && parent.object === node && parent.property === 'join';
  return isJoined && parent.parent?.kind === 'call' ? wholeOf(parent.parent) : node;
}

function isAsked(call: CallNode): boolean {
  const { callee } = call;
  if (callee.kind === 'name') return signers.test(callee.name);
  if (callee.kind !== 'member' || callee.property === undefined) return false;
  return signers.test(callee.property) || (lookers.test(callee.property) && !isIncoming(call));
}

function isIncoming(node: Node): boolean {
  let found = false;
  walk(node, (each) => {
    found ||= each.kind === 'name' && (incoming.has(each.name) || isMadeOfIncoming(each));
    return !found;
  });
  return found;
}

/** `const url = new URL(request.url)` in the function around it. */
function isMadeOfIncoming(name: NameNode): boolean {
  let around: Node | undefined = name;
  while (around !== undefined && around.kind !== 'function') around = around.parent;
  let found = false;
  if (around === undefined) return found;
  walk(around, (each) => {
    const isDeclared = each.kind === 'variable' && each.target.kind === 'patternName' && each.target.name === name.name;
    if (isDeclared && each.init !== undefined) walk(each.init, (part) => void (found ||= part.kind === 'name' && incoming.has(part.name)));
    return !found;
  });
  return found;
}
