/** Versions that a test has beside a base of ours, among settings that it puts in the place of the program's. */
import { isTest } from '../../evaluate/test-files.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Edit, Finding } from '../../model.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node, ObjectNode, StringNode } from '../../syntax/tree.ts';
import { type Bases, matchUrl } from '../../verdict/routes.ts';

/** Of `{ url: 'https://api.example.com', version: 'v1' }` the version that stays in a test of which something else is moved: it may fail. */
export function versionsLeftInTests(modules: Iterable<SourceModule>, edits: readonly Edit[], bases: Bases): Finding[] {
  const moved = Map.groupBy(edits, ({ file }) => file);
  return [...modules].flatMap((module): Finding[] => {
    const own = moved.get(module.file);
    if (own === undefined || !isTest(module)) return [];
    const isEdited = ({ start, end }: Node): boolean => own.some((edit) => start <= edit.start && edit.end <= end);
    const versions = nodesOfKind(module.tree.program, 'object')
      .filter((object) => textsOf(object).some(({ value }) => matchUrl(value, bases).kind === 'ours'))
      .flatMap(textsOf)
      .filter(({ value }) => /^\/?v1\/?$/.test(value));
    return [...versions, ...standInsIn(module)]
      .filter((node) => !isEdited(node))
      .map(({ start, end }) => ({
        code: 'repeats-path',
        file: module.file,
        start,
        end,
        ...module.position(start),
        detail: { how: 'test' },
      }));
  });
}

/**
 * Where a program that the test starts is told to ask, at the port of a server of its own: `spawn('node', ['cli.js', '--api-url', `http://127.0.0.1:${port}/v1`])`.
 */
const standInsIn = ({ tree, text }: SourceModule): Node[] =>
  nodesOfKind(tree.program, 'template').filter(
    ({ parent, start, end }) =>
      parent?.kind === 'array' && /^`https?:\/\/(?:localhost|127\.0\.0\.1):\$\{[^{}]*\}\/v1\/?`$/.test(text.slice(start, end)),
  );

const textsOf = ({ properties }: ObjectNode): StringNode[] =>
  properties.flatMap((each) => (each.kind === 'property' && each.value.kind === 'string' ? [each.value] : []));
