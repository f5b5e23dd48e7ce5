/**
 * What programs tell each other by messages goes by names of their own: `chrome.runtime.onMessage.addListener((message) => message.type === 'v1/messages/send' …)`.
 * Such a name may look like a path of v1, and is none that a request asks for: who sends it keeps it, and one that is made of a path which moves escapes there.
 */
import type { SourceModule } from '../../evaluate/module.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import { comparedWith } from './moving-guards.ts';

/** Whether a text is compared with what a listener for messages was given. */
export function isOfMessage(node: Node, { scopes }: SourceModule): boolean {
  let subject = node.kind === 'string' ? comparedWith(node) : undefined;
  while (subject?.kind === 'member') subject = subject.object;
  const binding = subject?.kind === 'name' ? scopes.bindingOf(subject) : undefined;
  if (binding?.owner.kind !== 'param') return false;
  const listener = binding.owner.parent;
  const call = listener?.kind === 'function' && listener.params[0] === binding.owner ? listener.parent : undefined;
  const isListener = call?.kind === 'call' && call.args.some((each) => each === listener) && listensToMessages(call);
  return isListener && !binding.references.some(isWritten);
}

/** Whether something else is put there, in the name or in what it has. */
function isWritten(name: Node): boolean {
  let at = name;
  while (at.parent?.kind === 'member' && at.parent.object === at) at = at.parent;
  return at.parent?.kind === 'assign' && at.parent.target === at;
}

/** `chrome.runtime.onMessage.addListener(…)`, `port.onMessage.addListener(…)`, `self.addEventListener('message', …)`. */
function listensToMessages({ callee, args: [first] }: CallNode): boolean {
  if (callee.kind !== 'member') return false;
  if (callee.property === 'addListener')
    return callee.object.kind === 'member' && /^onMessage(?:External)?$/.test(callee.object.property ?? '');
  return callee.property === 'addEventListener' && first?.kind === 'string' && first.value === 'message';
}
