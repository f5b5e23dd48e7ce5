/** The header of v1 where it is given by a constant, `{ headers: { [API_KEY_HEADER]: key } }`, and no call is seen to send it: the constant alone says nothing of that place. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { optionsOf, plainText } from '../../evaluate/values/values.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import { setsHeader } from '../headers/hooks/given-headers.ts';
import type { Facts } from './facts.ts';
import type { Suspicious } from './suspicious.ts';

type Asked = Pick<Facts, 'ev' | 'bases' | 'consumed' | 'isOpen'>;

export const givenByConstants = (modules: readonly SourceModule[], { ev, bases, consumed, isOpen }: Asked): Suspicious[] =>
  modules.flatMap((module) => {
    if (isTest(module)) return [];
    return namedIn(module).flatMap(({ node, given, name }): Suspicious[] => {
      const at = { node, module, start: name.start, end: name.end };
      if (consumed.has(given) || !setsHeader(ev, at, bases) || !isOpen(at)) return [];
      const names = optionsOf(ev.evaluate(name, { module, frame: undefined }));
      return names.length > 0 && names.every((each) => isKeyHeader(plainText(each))) ? [at] : [];
    });
  });

interface Given {
  readonly node: Node;
  /** By what a call accounts for it. */
  readonly given: Node;
  readonly name: Node;
}

/** `{ [NAME]: key }`, `headers[NAME] = key` */
const namedIn = ({ tree: { program }, writes }: SourceModule): Given[] => [
  ...nodesOfKind(program, 'property').flatMap((node): Given[] =>
    isName(node.computed) ? [{ node, given: node, name: node.computed }] : [],
  ),
  ...writes.flatMap((given): Given[] => {
    const name = given.target.kind === 'member' ? given.target.computed : undefined;
    return isName(name) ? [{ node: name, given, name }] : [];
  }),
];

const isName = (node: Node | undefined): node is Node => node?.kind === 'name' || node?.kind === 'member';
