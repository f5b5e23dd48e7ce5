/** Versions that stay in a test of what is moved: among settings that it puts in the place of the program's, and as a segment of a path that it takes apart. */
import { v1Endpoints } from '../../../src/contract/endpoints.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import { asksOwnServer, isTest } from '../../evaluate/test-files.ts';
import type { Edit, Finding } from '../../model.ts';
import { isWithin, nodesOfKind } from '../../syntax/link.ts';
import type { NameNode, Node, ObjectNode, StringNode } from '../../syntax/tree.ts';
import { type Bases, matchUrl } from '../../verdict/routes.ts';
import { besideIn } from '../ledger/help-texts.ts';

/** What stays so in tests of what is edited: they may fail. */
export function versionsLeftInTests(world: World, edits: readonly Edit[], bases: Bases): Finding[] {
  const edited = Map.groupBy(edits, ({ file }) => file);
  const isBeside = besideIn(world, new Set(edited.keys()));
  return [...world.modules.values()].filter(isTest).flatMap((module): Finding[] => {
    const own = edited.get(module.file);
    const isEdited = ({ start, end }: Node): boolean => own?.some((edit) => start <= edit.start && edit.end <= end) === true;
    return [
      ...(own === undefined ? [] : [...settingsIn(module, bases), ...standInsIn(module)]),
      ...(isBeside(module) ? segmentsIn(module) : []),
    ]
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

/** Of `{ url: 'https://api.example.com', version: 'v1' }` the version. */
const settingsIn = ({ tree }: SourceModule, bases: Bases): Node[] =>
  nodesOfKind(tree.program, 'object')
    .filter((object) => textsOf(object).some(({ value }) => matchUrl(value, bases).kind === 'ours'))
    .flatMap(textsOf)
    .filter(({ value }) => /^\/?v1\/?$/.test(value));

const nouns: ReadonlySet<string> = new Set(Object.values(v1Endpoints).map(({ path }) => path.split('/')[2] ?? ''));

/** `expect(pathname.split('/')).toEqual(['', 'v1', 'contacts'])`, `expect(pathname.split('/')[1]).toBe('v1')` */
const segmentsIn = (module: SourceModule): Node[] =>
  asksOwnServer(module.text)
    ? []
    : nodesOfKind(module.tree.program, 'string').filter(
        (node) => node.value === 'v1' && (isAmongSegments(node) || isComparedWithSegment(node, module)),
      );

function isAmongSegments(node: StringNode): boolean {
  if (node.parent?.kind !== 'array' || node.parent.parent?.kind !== 'call') return false;
  const { elements } = node.parent;
  const next = elements[elements.indexOf(node) + 1];
  return next?.kind === 'string' && nouns.has(next.value);
}

const splits = /\.split\(\s*['"`]\//;

function isComparedWithSegment(node: StringNode, { text, tree, scopes }: SourceModule): boolean {
  const { parent } = node;
  if (parent?.kind !== 'binary' && parent?.kind !== 'call') return false;
  const isSplit = ({ start, end }: Node): boolean => splits.test(text.slice(start, end));
  const isOfSplit = (name: NameNode): boolean => {
    const owner = scopes.bindingOf(name)?.owner;
    return owner?.kind === 'variable' && owner.init !== undefined && isSplit(owner.init);
  };
  return isSplit(parent) || nodesOfKind(tree.program, 'name').some((name) => isWithin(parent, name) && isOfSplit(name));
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
