/** Where code reads Authorization, v2's header, of something that holds headers. */
import { isAuthorization } from '../../../../src/contract/auth.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import type { MemberNode, Node } from '../../../syntax/tree.ts';
import { receiverOf } from '../../../verdict/key-mentions.ts';

export interface AuthorizationRead {
  readonly node: Node;
  /** What holds the headers. */
  readonly of: Node;
}

/** `headers.Authorization`, `headers.get('authorization')`, `'authorization' in headers`, `headers.hasAuthorization()`, `const { authorization } = headers`. Where it is written there, or taken out, the call stays. */
export function authorizationReads({ tree: { program } }: SourceModule): AuthorizationRead[] {
  const texts = nodesOfKind(program, 'string').filter(({ value, parent }) => isAuthorization(value) && parent?.kind !== 'member');
  return [
    ...nodesOfKind(program, 'member').flatMap((node) =>
      (isAuthorization(node.property) && isRead(node)) || isOwnMethod(node) ? { node, of: node.object } : [],
    ),
    ...nodesOfKind(program, 'patternProperty').flatMap((node) => {
      const owner = isAuthorization(node.name) ? node.parent?.parent : undefined;
      return owner?.kind === 'variable' && owner.init !== undefined ? { node, of: owner.init } : [];
    }),
    ...texts.flatMap((node) => {
      const of = isAsking(node) ? receiverOf(node) : undefined;
      return of === undefined ? [] : { node, of };
    }),
  ];
}

/** `headers.getAuthorization()`, `headers.hasAuthorization()`, as AxiosHeaders has them. */
const isOwnMethod = (node: MemberNode): boolean =>
  /^(?:get|has)Authorization$/.test(node.property ?? '') && node.parent?.kind === 'call' && node.parent.callee === node;

function isAsking({ parent }: Node): boolean {
  return parent?.kind !== 'call' || (parent.callee.kind === 'member' && /^(?:get|has)$/.test(parent.callee.property ?? ''));
}

const isRead = ({ parent, ...node }: Node): boolean =>
  parent?.kind === 'assign' ? parent.target.start !== node.start : parent?.kind !== 'unary' || parent.operator !== 'delete';
