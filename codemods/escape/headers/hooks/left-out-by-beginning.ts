/**
 * Hooks that take headers out of a request by how their names begin, `if (name.startsWith('x-')) delete headers[name]`: v1's header went with these, and whoever was asked
 * without it would get the key as a Bearer token.
 */
import { v1Auth } from '../../../../src/contract/auth.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { functionsAround } from '../../../requests/left-to-default.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import type { FunctionNode, LiteralNode, Node, StringNode } from '../../../syntax/tree.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import type { Escape } from '../../escapes.ts';
import { calledByHooks, getsAnswers } from '../../flow/functions/hooks.ts';
import { sentThrough } from '../../paths/sent-through.ts';
import { matchesFieldAlone } from '../hiding/redactions.ts';

/** What such functions take something out by, or keep the rest by. */
const takingOut = /\bdelete\b|\b(?:omit|pick|filter|reject|remove|clear|reduce)\w*\(/;

const isTaking = (fn: FunctionNode, { text }: SourceModule): boolean => takingOut.test(text.slice(fn.start, fn.end)) && !getsAnswers(fn);

export function leftOutByBeginning(ev: Evaluation, real: readonly RequestSite[]): Escape[] {
  const hooked = calledByHooks(ev);
  return [...ev.world.modules.values()].flatMap((module) =>
    isTest(module) || !takingOut.test(module.text)
      ? []
      : beginningsIn(module).flatMap((node) => {
          const hooks = [...functionsAround(node)].filter((fn) => isTaking(fn, module));
          const clients = hooks.flatMap((fn) => hooked(fn, module));
          return sentThrough(clients, real).map((change): Escape => ({ change, node, module, name: v1Auth.field, way: 'read' }));
        }),
  );
}

const beginningsIn = ({ tree: { program } }: SourceModule): Node[] => [
  ...nodesOfKind(program, 'string').filter(isBeginning),
  ...nodesOfKind(program, 'literal').filter(fitsOnlyV1),
];

/** `name.startsWith('x-')`, `name.slice(0, 2) === 'x-'` */
const isBeginning = ({ value, parent }: StringNode): boolean =>
  /^x-/i.test(value) &&
  value.length < v1Auth.field.length &&
  v1Auth.field.startsWith(value.toLowerCase()) &&
  (parent?.kind === 'call' || parent?.kind === 'binary');

/** `/^x-/i`, `/api-?key/` */
const fitsOnlyV1 = (node: LiteralNode): boolean =>
  typeof node.value === 'object' && node.value !== null && /x-|key/i.test(node.value.pattern) && matchesFieldAlone(node);
