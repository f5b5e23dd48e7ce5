/** What a server hands its handlers and middleware: its own answer, `(req, res, next) => { res.send = … }`, which is no client of the program. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { frameworks } from '../../clients/servers/frameworks.ts';
import type { Node, ParamNode } from '../../syntax/tree.ts';

/** Whether a name is the parameter under which a server hands over its answer: by the type that a framework gives it, or by its place behind what came in. */
export function isServersAnswer(ev: Evaluation, node: Node, module: SourceModule): boolean {
  const owner = node.kind === 'name' ? module.scopes.bindingOf(node)?.owner : undefined;
  if (owner?.kind !== 'param' || owner.parent?.kind !== 'function' || owner.target.kind !== 'patternName') return false;
  const { params, parent } = owner.parent;
  // A method of a class, and a constructor, may be handed what they please.
  if (parent?.kind === 'classMember' && parent.role === 'constructor') return false;
  if (owner.typeName !== undefined) return answerType.test(owner.typeName) && isOfServers(ev, owner.typeName, module);
  const [first, second] = params;
  return second === owner && first !== undefined && answer.test(owner.target.name) && arrived.test(nameOf(first));
}

const answerType = /(?:^|\.)(?:\w*Response|\w*Reply)$/;
const answer = /^_*(?:res|resp|response|reply|rep)$/;
const arrived = /^_*(?:req|request)$/;

const nameOf = ({ target }: ParamNode): string => (target.kind === 'patternName' ? target.name : '');

/** `import type { Response } from 'express'`: of a framework; a file of types that nobody runs may declare one of a client. */
function isOfServers(ev: Evaluation, typeName: string, module: SourceModule): boolean {
  const [root = ''] = typeName.split('.');
  const owner = module.scopes.top(root)?.owner;
  return owner?.kind === 'import' && servers.has(owner.source.value) && ev.world.resolve(module, owner.source.value) === undefined;
}

const servers = new Set([...frameworks.split(' '), 'http', 'node:http']);
