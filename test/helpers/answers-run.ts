/** Around a whole run: answers of child processes are checked too, at its end, and a run in which none was checked proves nothing. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { check as Check, Told as Noted } from './answers-check.ts';

/** Files of which each makes sandboxes answer, or deliver, whatever else does. */
const making = { answers: 'test/sandbox/endpoints.test.ts', deliveries: 'test/sandbox/webhooks/deliveries.test.ts' } as const;
const mostShown = 20;

/** What became of all in a run. */
interface Told {
  readonly answers: number;
  readonly deliveries: number;
  readonly violations: readonly string[];
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-answers-'));
  process.env['SANDBOX_ANSWERS'] = folder;
  return () => {
    const all = told(folder);
    rmSync(folder, { recursive: true });
    const modules = project.vitest.state.getTestModules();
    const passed = (file: string): boolean =>
      modules.some(({ moduleId, children }) => moduleId.endsWith(file) && [...children.allTests('passed')].length > 0);
    const said = verdict(all, passed);
    if (said !== undefined) console.log(said);
  };
}

/**
 * What there is to say of a run, if anything.
 * @param passed whether tests of a file have passed in it
 * @throws where something was not as documented, or nothing was looked at
 */
export function verdict(all: Told, passed: (file: string) => boolean): string | undefined {
  const { answers, deliveries, violations } = all;
  if (violations.length > 0) {
    const shown = violations.slice(0, mostShown).join('\n');
    throw new Error(`${violations.length} times the sandbox did not do what its OpenAPI documents say, as in:\n${shown}`);
  }
  for (const kind of ['answers', 'deliveries'] as const) {
    if (all[kind] > 0 || !passed(making[kind])) continue;
    throw new Error(`None of the sandbox's ${kind} was checked against its OpenAPI documents; see test/helpers/answers.cjs`);
  }
  if (answers + deliveries === 0) return undefined;
  return `${answers} answers and ${deliveries} deliveries of the sandbox are as its OpenAPI documents say`;
}

/** What all processes wrote, with what they left to be checked; see answers.cjs. */
export function told(folder: string): Told {
  const files = (kind: string): string[] => readdirSync(folder).flatMap((name) => (name.endsWith(`.${kind}`) ? join(folder, name) : []));
  const lines = (kind: string): string[] => files(kind).flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'));
  const left = lines('unchecked').map((line): Noted => JSON.parse(line));
  const violations = new Set([...lines('violations'), ...violationsOf(left)]);
  const count = (kind: Noted[0]): number =>
    files(kind).reduce((sum, file) => sum + statSync(file).size, left.filter(([each]) => each === kind).length);
  return { answers: count('answers'), deliveries: count('deliveries'), violations: [...violations] };
}

function violationsOf(left: readonly Noted[]): string[] {
  if (left.length === 0) return [];
  const { check }: { readonly check: typeof Check } = createRequire(import.meta.url)('./answers-check.ts');
  return left.flatMap((each) => check(...each));
}
