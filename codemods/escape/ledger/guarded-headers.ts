/** Headers that are set where a test says that the request goes to another service: `if (url.startsWith('https://media.example.net/')) headers.set('x-api-key', …)`. */
import { guardsAround } from '../../evaluate/language/guards.ts';
import { isLoopback } from '../../verdict/bases/hosts.ts';
import { type Bases, matchUrl } from '../../verdict/bases/routes.ts';
import type { Node } from '../../syntax/tree.ts';

/** Whether a place is only come to for a host that is none of ours. */
export const isGuardedForOthers = (node: Node, bases: Bases): boolean => guardsAround(node).some((test) => saysOther(test, bases));

function saysOther(test: Node, bases: Bases): boolean {
  if (test.kind === 'logical') {
    const sides = [test.left, test.right].map((side) => saysOther(side, bases));
    return test.operator === '&&' ? sides.some(Boolean) : test.operator === '||' && sides.every(Boolean);
  }
  if (test.kind === 'call' && test.callee.kind === 'member' && test.callee.property === 'startsWith') {
    const [beginning, ...more] = test.args;
    // With its end: `https://media.example` is where others begin, too.
    return (
      more.length === 0 && beginning?.kind === 'string' && /^https?:\/\/[^/]+\//.test(beginning.value) && isOther(beginning.value, bases)
    );
  }
  if (test.kind !== 'binary' || !/^===?$/.test(test.operator)) return false;
  const [asked, said] = test.right.kind === 'string' ? [test.left, test.right] : [test.right, test.left];
  if (asked.kind !== 'member' || said.kind !== 'string') return false;
  if (asked.property === 'origin') return /^https?:\/\/[^/]+$/.test(said.value) && isOther(said.value, bases);
  return (
    /^host(?:name)?$/.test(asked.property ?? '') && /^[\w-]+(?:\.[\w-]+)+$/.test(said.value) && isOther(`https://${said.value}/`, bases)
  );
}

/** What stands on the machine itself may stand in for the service. */
const isOther = (address: string, bases: Bases): boolean =>
  bases.v1.length > 0 && matchUrl(address, bases).kind === 'foreign' && !isLoopback(URL.parse(address)?.host ?? 'localhost');
