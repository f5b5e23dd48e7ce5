/** What a server of one's own says of itself: where it listens, once it does, and by which header it is asked in its description. */
import type { SourceModule } from '../../evaluate/module.ts';
import { memoOf } from '../../once.ts';
import type { Node, ObjectNode } from '../../syntax/tree.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { isLogged } from '../ledger/help-texts.ts';

/** Tells of a text or name that it is about such a server, where none of the user's bases is on this machine, and the file has no address of ours. */
export const isToldOfOwn = (node: Node, module: SourceModule, bases: Bases): boolean =>
  !isOurs(bases)(module) &&
  ((isLogged(node) && loopback.test(module.text.slice(node.start, node.end).replace(/^[`'"]/, ''))) || isScheme(node));

const isOurs = memoOf(({ v1 }: Bases) => memoOf(({ text }: SourceModule) => v1.some((base) => text.includes(base) || loopback.test(base))));

const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?=[:/])/;

/** `securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } }` */
function isScheme({ parent: property }: Node): boolean {
  const scheme = property?.kind === 'property' && property.name === 'name' ? property.parent : undefined;
  const schemes = scheme?.parent?.parent?.parent;
  return (
    scheme?.kind === 'object' && hasText(scheme, 'type', 'apiKey') && schemes?.kind === 'property' && schemes.name === 'securitySchemes'
  );
}

const hasText = ({ properties }: ObjectNode, name: string, text: string): boolean =>
  properties.some((each) => each.kind === 'property' && each.name === name && each.value.kind === 'string' && each.value.value === text);
