/** What a test asks the project's own server with: `app.request('/v1/notify', { headers: { 'x-api-key': 'wrong' } })` of Hono, `SELF.fetch(…)` of Workers. */
import { ownWorker } from '../../clients/settings/workers.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import { isRoute, type Suspicious } from '../ledger/suspicious.ts';
import { isOfServer } from './own-routes.ts';

const asking = /^(?:request|fetch|handle|inject)$/;

/** Whether a text of a test is of such a call. One with a path of v1 may be handed on to the service. */
export function isAskedOfOwn(ev: Evaluation, { node, module }: Pick<Suspicious, 'node' | 'module'>): boolean {
  if (!isTest(module)) return false;
  let at: Node | undefined = node.parent;
  while (at !== undefined && (at.kind === 'property' || at.kind === 'object' || (at.kind === 'call' && at.isNew))) at = at.parent;
  return at?.kind === 'call' && !at.args.some(holdsRoute) && asksOwn(ev, at, module);
}

/** Also in `new Request('https://…/v1/contacts', …)`. */
const holdsRoute = (arg: CallNode['args'][number]): boolean =>
  isRoute(arg) || (arg.kind === 'call' && arg.isNew && arg.args.some((each) => isRoute(each)));

/** Whether what is asked comes from outside of the test, which may have a stand-in for the service, too. */
function asksOwn(ev: Evaluation, { callee }: CallNode, module: SourceModule): boolean {
  if (callee.kind !== 'member' || !asking.test(callee.property ?? '') || callee.object.kind !== 'name') return false;
  const owner = module.scopes.bindingOf(callee.object)?.owner;
  if (owner?.kind !== 'import') return false;
  return owner.source.value === ownWorker.from ? callee.object.name === ownWorker.name : isOfServer(ev, callee.object, module);
}
