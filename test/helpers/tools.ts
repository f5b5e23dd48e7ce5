/** What tests need beyond Node and may not find: without it they are skipped, and the end of the run says so. */
import { spawnSync } from 'node:child_process';

declare module 'vitest' {
  interface TaskMeta {
    /** What a test was skipped for, with where to get it. */
    lacks?: string[];
  }
}

/** Programs that a system may lack, and the Debian packages that have them. */
const packages = { bash: 'bash', curl: 'curl', git: 'git', patch: 'patch', script: 'bsdutils' } as const;
export type Tool = keyof typeof packages;

/** Other systems have a `script` with other flags. */
const isRight: Partial<Record<Tool, (version: string) => boolean>> = { script: (version) => version.includes('util-linux') };

const looked = new Map<Tool, string | undefined>();

function lackOf(tool: Tool): string | undefined {
  if (!looked.has(tool)) {
    const { status, stdout } = spawnSync(tool, ['--version'], { encoding: 'utf8' });
    const isThere = status === 0 && (isRight[tool]?.(stdout) ?? true);
    looked.set(tool, isThere ? undefined : `${tool} (apt-get install ${packages[tool]})`);
  }
  return looked.get(tool);
}

/**
 * The options of a test or a group that needs these programs.
 * @throws what is lacking, where nothing may be skipped; see `refuseSkipping`
 */
export function needs(...tools: readonly Tool[]): { readonly skip: boolean; readonly meta: { readonly lacks?: string[] } } {
  const lacks = tools.map(lackOf).filter((lack) => lack !== undefined);
  if (lacks.length === 0) return { skip: false, meta: {} };
  refuseSkipping(lacks);
  return { skip: true, meta: { lacks } };
}

/** @throws where the environment says that no test may be skipped, as .ci/run does */
export function refuseSkipping(lacks: readonly string[]): void {
  if (process.env['SKIP_NO_TESTS'] !== undefined) throw new Error(`SKIP_NO_TESTS is set, and there is no ${lacks.join(' and no ')}`);
}

/**
 * The line about skipped tests at the end of a run; undefined where there is none.
 * @param tests what each of them lacks
 */
export function skippedLine(tests: readonly (readonly string[])[]): string | undefined {
  if (tests.length === 0) return undefined;
  const counts = [...Map.groupBy(tests.flat(), (lack) => lack)].map(([lack, of]) => `${of.length} for lack of ${lack}`);
  return `${tests.length} ${tests.length === 1 ? 'test was' : 'tests were'} skipped: ${counts.join(', ')}`;
}
