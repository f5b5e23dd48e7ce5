/**
 * Hooks that take v1's header out of some of a client's requests, `if (!isOurs(config.url)) delete config.headers['x-api-key']`: whom these ask gets no key, and would get
 * it as a Bearer token behind the edit, though nobody in these files may ask there. What is only done to a copy that is shown takes nothing out.
 */
import { isKeyHeader, v1Auth } from '../../../src/contract/auth.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/test-files.ts';
import { functionsAround } from '../../requests/left-to-default.ts';
import { nodesOfKind, walk } from '../../syntax/link.ts';
import type { FunctionNode, Node } from '../../syntax/tree.ts';
import { mentionsIn, receiverOf } from '../../verdict/key-mentions.ts';
import { placesOf, type RequestSite } from '../../verdict/request-sites.ts';
import type { Escape } from '../escapes.ts';
import { getsAnswers, hookedIn } from '../flow/hooks.ts';
import { sentThrough } from '../paths/path-decisions.ts';
import { hidesOfFinished } from './finished-requests.ts';
import { redactedBy } from './hiding.ts';
import { hiddenByName } from './name-tests.ts';

export function leftOutByHooks(ev: Evaluation, real: readonly RequestSite[]): Escape[] {
  const hooked = hookedIn(ev);
  const used = new Set<Node | undefined>(real.flatMap((site) => placesOf(site).map(({ node }) => node)));
  return [...ev.world.modules.values()].flatMap((module) =>
    isTest(module)
      ? []
      : namesIn(module).flatMap((node): Escape[] => {
          if (used.has(node) || used.has(node.parent) || hidesOfFinished(node, module)) return [];
          const hooks = [...functionsAround(node)].filter((fn) => !getsAnswers(fn));
          if (!hooks.some((fn) => takesOut(ev, node, fn, module))) return [];
          const changes = sentThrough(
            hooks.flatMap((fn) => hooked(fn, module)),
            real,
          );
          return changes.map((change): Escape => ({ change, node, module, name: v1Auth.field, way: 'read' }));
        }),
  );
}

const namesIn = (module: SourceModule): Node[] => [
  ...mentionsIn(module).map(({ node }) => node),
  ...nodesOfKind(module.tree.program, 'patternProperty').filter(({ name }) => isKeyHeader(name)),
];

function takesOut(ev: Evaluation, node: Node, fn: FunctionNode, module: SourceModule): boolean {
  if (redactedBy(node, module) === undefined && hiddenByName(ev, node, module) === undefined) return false;
  const receiver = receiverOf(node);
  return receiver === undefined || receiver.kind === 'array' ? givesHeaders(fn) : isGiven(receiver, fn, module);
}

/** Whether what a header is deleted from is the function's own parameter, or of it. */
function isGiven(receiver: Node, fn: FunctionNode, module: SourceModule): boolean {
  let root = receiver;
  while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
  const owner = root.kind === 'name' ? module.scopes.bindingOf(root)?.owner : undefined;
  return owner?.kind === 'param' && owner.parent === fn;
}

/** Whether a function puts headers into what it is given, or into what it gives back. */
function givesHeaders(fn: FunctionNode): boolean {
  let isFound = false;
  walk(fn, (node) => {
    isFound ||= node.kind === 'assign' && node.target.kind === 'member' && node.target.property === 'headers';
    isFound ||= node.kind === 'property' && node.name === 'headers';
    return !isFound;
  });
  return isFound;
}
