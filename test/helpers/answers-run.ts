/** Around a whole run: answers of child processes count too, and a run in which none was checked proves nothing. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Calls sandboxes, whatever else does. */
const calling = 'test/sandbox/endpoints.test.ts';
const mostShown = 20;

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-answers-'));
  process.env['SANDBOX_ANSWERS'] = folder;
  return () => {
    const { answers, deliveries, violations } = told(folder);
    rmSync(folder, { recursive: true });
    if (violations.length > 0) {
      const shown = violations.slice(0, mostShown).join('\n');
      throw new Error(`${violations.length} times the sandbox did not do what its OpenAPI documents say, as in:\n${shown}`);
    }
    const called = project.vitest.state.getTestModules().filter(({ moduleId }) => moduleId.endsWith(calling));
    if (answers === 0 && called.some(({ children }) => [...children.allTests('passed')].length > 0)) {
      throw new Error('No answer of the sandbox was checked against its OpenAPI documents; see test/helpers/answers.cjs');
    }
    if (answers > 0) console.log(`${answers} answers and ${deliveries} deliveries of the sandbox are as its OpenAPI documents say`);
  };
}

/** What all processes wrote; see answers.cjs. */
function told(folder: string): { readonly answers: number; readonly deliveries: number; readonly violations: readonly string[] } {
  const files = (kind: string): string[] => readdirSync(folder).flatMap((name) => (name.endsWith(`.${kind}`) ? join(folder, name) : []));
  const count = (kind: string): number => files(kind).reduce((sum, file) => sum + statSync(file).size, 0);
  const lines = files('violations').flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'));
  return { answers: count('answers'), deliveries: count('deliveries'), violations: [...new Set(lines)] };
}
