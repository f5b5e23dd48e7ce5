/**
 * Hooks that take v1's header out of some of a client's requests, `if (!isOurs(config.url)) delete config.headers['x-api-key']`: whom these ask gets no key, and would get
 * it as a Bearer token behind the edit, though nobody in these files may ask there. What is only done to a copy that is shown takes nothing out.
 */
import { isKeyHeader, v1Auth } from '../../../../src/contract/auth.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { plainText } from '../../../evaluate/values/values.ts';
import { functionsAround } from '../../../requests/left-to-default.ts';
import { nodesOfKind, walk } from '../../../syntax/link.ts';
import type { Binding } from '../../../syntax/scopes.ts';
import type { FunctionNode, Node } from '../../../syntax/tree.ts';
import { mentionsIn, receiverOf } from '../../../verdict/key-mentions.ts';
import { placesOf, type RequestSite } from '../../../verdict/request-sites.ts';
import type { Escape } from '../../escapes.ts';
import { getsAnswers, hookedIn } from '../../flow/functions/hooks.ts';
import { sentThrough } from '../../paths/sent-through.ts';
import { hidesOfFinished } from '../reads/finished-requests.ts';
import { redactedBy } from '../hiding/hiding.ts';
import { hiddenByName } from '../hiding/name-tests.ts';

export function leftOutByHooks(ev: Evaluation, real: readonly RequestSite[]): Escape[] {
  const hooked = hookedIn(ev);
  const used = new Set<Node | undefined>(real.flatMap((site) => placesOf(site).map(({ node }) => node)));
  return [...ev.world.modules.values()].flatMap((module) =>
    isTest(module)
      ? []
      : namesIn(ev, module).flatMap((node): Escape[] => {
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

const namesIn = (ev: Evaluation, module: SourceModule): Node[] => [
  ...mentionsIn(module).map(({ node }) => node),
  ...nodesOfKind(module.tree.program, 'patternProperty').filter(({ name }) => isKeyHeader(name)),
  // `delete config.headers[KEY_HEADER]`
  ...nodesOfKind(module.tree.program, 'unary').flatMap(({ operator, argument }) => {
    const name = operator === 'delete' && argument.kind === 'member' && argument.computed?.kind === 'name' ? argument.computed : undefined;
    return name !== undefined && isKeyHeader(plainText(ev.evaluate(name, { module, frame: undefined }))) ? name : [];
  }),
];

function takesOut(ev: Evaluation, node: Node, fn: FunctionNode, module: SourceModule): boolean {
  if (redactedBy(node, module) === undefined && hiddenByName(ev, node, module) === undefined) return false;
  const receiver = receiverOf(node);
  return receiver === undefined || receiver.kind === 'array' ? givesHeaders(fn) : isGiven(receiver, fn, module);
}

/** Whether what a header is deleted from is the function's own parameter, or of it, by whatever names; or a copy that takes the place of its headers. */
function isGiven(receiver: Node, fn: FunctionNode, module: SourceModule): boolean {
  const { scopes } = module;
  const seen = new Set<Node>();
  for (let at: Node | undefined = receiver; at !== undefined && !seen.has(at);) {
    seen.add(at);
    while (at.kind === 'member' || at.kind === 'call') at = at.kind === 'member' ? at.object : at.callee;
    const binding: Binding | undefined = at.kind === 'name' ? scopes.bindingOf(at) : undefined;
    if (binding?.owner.kind === 'param') return binding.owner.parent === fn;
    if (binding?.owner.kind !== 'variable') return false;
    const init: Node | undefined = binding.owner.init;
    if (init?.kind === 'object')
      return isSentAs(binding) && init.properties.some((each) => each.kind === 'spread' && isGiven(each.argument, fn, module));
    at = init;
  }
  return false;
}

/** `return { ...config, headers }`, `config.headers = headers` */
const isSentAs = ({ references }: Binding): boolean =>
  references.some(
    ({ parent }) =>
      (parent?.kind === 'property' && parent.name === 'headers') ||
      (parent?.kind === 'assign' && parent.target.kind === 'member' && parent.target.property === 'headers'),
  );

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
