/** What a file runs, as far as imports say: a test expects requests of that, and of nothing else. */
import { isScript, type SourceModule } from '../evaluate/module.ts';
import type { World } from '../evaluate/program.ts';
import type { SourceText } from '../evaluate/source-text.ts';
import { nodesOfKind } from '../syntax/link.ts';

/** @returns the files that one imports, by way of any number of others, with itself */
export function reachedIn(world: World): (from: SourceText) => ReadonlySet<SourceText> {
  const known = new Map<SourceText, ReadonlySet<SourceText>>();
  return (from) => {
    const before = known.get(from);
    if (before !== undefined) return before;
    const reached = new Set<SourceText>([from]);
    // A set that grows while it is walked.
    for (const module of reached)
      for (const specifier of isScript(module) ? specifiersOf(module) : []) {
        const target = isScript(module) ? world.resolve(module, specifier) : undefined;
        if (target !== undefined) reached.add(target);
      }
    known.set(from, reached);
    return reached;
  };
}

/** Also what is imported in the middle of code, and what tests replace: any text that leads to a file counts. */
const specifiersOf = ({ tree: { program }, calls }: SourceModule): string[] => [
  ...[...nodesOfKind(program, 'import'), ...nodesOfKind(program, 'export')].flatMap(({ source }) => source?.value ?? []),
  ...calls.flatMap(({ args: [first] }) => (first?.kind === 'string' ? first.value : [])),
];
