/** Which tests say what a file has in the place of something global. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import { none } from '../../syntax/lists.ts';

/** As many tests stub it for one file at most: what each of many files has of each of many tests would take the square of them. */
const maxTests = 16;
/** So many files are looked at for what a test leads to. */
const maxReached = 200;

interface Stubbing {
  /** The tests that stub it for a file: where they are few any, else those that lead to it by imports; none where these are many. */
  testsOf(module: SourceModule): readonly SourceModule[];
  /** Whether some file has it of a test. */
  isHad(test: SourceModule): boolean;
}

const known = new WeakMap<Evaluation, Map<string, Stubbing>>();

/** @param name what tests stub */
export function stubbingOf(ev: Evaluation, name: string): Stubbing {
  const byName = known.get(ev) ?? new Map<string, Stubbing>();
  known.set(ev, byName);
  const stubbing = byName.get(name) ?? stubbingIn(ev.world, name);
  byName.set(name, stubbing);
  return stubbing;
}

function stubbingIn(world: World, name: string): Stubbing {
  const stubbing = [...world.modules.values()].filter((module) => isTest(module) && module.text.includes(name));
  if (stubbing.length <= maxTests) return { testsOf: () => stubbing, isHad: () => true };
  const leading = new Map<SourceModule, SourceModule[]>();
  for (const test of stubbing)
    for (const reached of reachedFrom(test, world)) {
      const before = leading.get(reached) ?? [];
      before.push(test);
      leading.set(reached, before);
    }
  const testsOf = (module: SourceModule): readonly SourceModule[] => {
    const tests = leading.get(module) ?? none;
    return tests.length <= maxTests ? tests : none;
  };
  const had = new Set([...leading.keys()].flatMap((module) => (isTest(module) || !module.text.includes(name) ? [] : testsOf(module))));
  return { testsOf, isHad: (test) => had.has(test) };
}

function reachedFrom(test: SourceModule, world: World): ReadonlySet<SourceModule> {
  const reached = new Set([test]);
  // A set that grows while it is walked.
  for (const module of reached) {
    if (reached.size > maxReached) break;
    for (const specifier of specifiersOf(module)) {
      const target = world.resolve(module, specifier);
      if (target !== undefined) reached.add(target);
    }
  }
  return reached;
}

const specifiersOf = ({ tree: { program }, calls }: SourceModule): string[] => [
  ...[...nodesOfKind(program, 'import'), ...nodesOfKind(program, 'export')].flatMap(({ source }) => source?.value ?? []),
  ...calls.flatMap(({ callee, args: [first] }) =>
    callee.kind === 'name' && /^(?:require|import)$/.test(callee.name) && first?.kind === 'string' ? first.value : [],
  ),
];
