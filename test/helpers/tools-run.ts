/** After a whole run, whoever reports it: which tests were skipped, and for lack of what. */
import type { TestProject } from 'vitest/node';
import { skippedLine } from './tools.ts';

export default function setup({ vitest }: TestProject): () => void {
  return () => {
    const tests = vitest.state.getTestModules().flatMap(({ children }) => [...children.allTests('skipped')]);
    const line = skippedLine(tests.flatMap((test) => [test.meta().lacks ?? []]).filter((lacks) => lacks.length > 0));
    if (line !== undefined) console.log(line);
  };
}
