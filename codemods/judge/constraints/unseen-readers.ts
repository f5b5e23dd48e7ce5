/**
 * Variables of which only files beside the code are seen to use what would change, an example in a document, a command of a workflow, while a program may read
 * them in a way that nobody follows: by a schema of a package that no rule knows, by names that it makes itself. There a client would be given v2's address, and stay.
 */
import { posix } from 'node:path';
import type { ComponentPlan } from '../../component/analyse.ts';
import { isDataFile } from '../../find/kinds.ts';
import { isParameter } from '../../formats/parameters.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Finding } from '../../model.ts';
import type { VariableUse } from '../../uses-between-components.ts';

type Code = Pick<ComponentPlan, 'variables' | 'readers' | 'namedVariables' | 'takenVariables' | 'findings'>;

export interface UnseenReaders {
  /** What names such a variable, or takes all there are for requests of which nobody knows what they ask, and so may read it. */
  readonly named: readonly VariableUse[];
  /** Requests of which nobody knows what they ask, where nothing names it. */
  readonly asking: readonly VariableUse[];
}

/**
 * @param components what each gave, with its files
 * @param changing the variables whose value is to change
 * @param set where files beside the code set or read such
 */
export function unseenReadersOf(
  components: readonly (Code & { readonly files: readonly string[] })[],
  changing: ReadonlySet<string>,
  textIn: (file: string) => string,
  set: readonly Pick<VariableUse, 'file' | 'name'>[],
): UnseenReaders {
  // A program gets what stands in its own folder, or above that: others beside it have their own.
  const foldersOf = Map.groupBy(set, ({ name }) => name);
  const isSetAbove = ({ file, name }: VariableUse): boolean =>
    foldersOf.get(name)?.some((place) => `/${file}`.startsWith(`/${posix.dirname(place.file)}/`.replace('/./', '/'))) === true;
  const named = components.flatMap((code) => {
    const read = new Set(readIn(code));
    const taken = ofProgram(code.findings).some(isOpenCall) ? ofProgram(code.takenVariables).filter(isSetAbove) : [];
    const byName = ofProgram(code.namedVariables).filter(({ name }) => !read.has(name));
    return [...byName, ...taken].filter(({ name }) => changing.has(name));
  });
  const seen = new Set([...components.flatMap(readIn), ...named.map(({ name }) => name)]);
  const unseen = [...changing].filter((name) => !seen.has(name) && !isParameter(name));
  const open = unseen.length === 0 ? undefined : components.map((code) => openCallIn(code, textIn)).find((call) => call !== undefined);
  const asking =
    open === undefined ? [] : unseen.map((name): VariableUse => ({ ...placeOf(open), name, group: undefined, needsValue: true }));
  return { named, asking };
}

const ofProgram = <Of extends { readonly file: string }>(uses: readonly Of[]): Of[] => uses.filter((use) => !isTest(use));
const readIn = ({ variables, readers }: Code): string[] => ofProgram([...variables, ...readers]).map(({ name }) => name);

const isOpenCall = ({ code, file }: Finding): boolean => code === 'base-not-proven' && !isDataFile.test(file);

/** The files of programs with such a request. */
export const filesAskingOpenly = (
  results: readonly Pick<Code, 'findings'>[],
  components: readonly (readonly { readonly file: string }[])[],
): ReadonlySet<string> =>
  new Set(
    results.flatMap(({ findings }, index) =>
      ofProgram(findings).some(isOpenCall) ? (components[index] ?? []).map(({ file }) => file) : [],
    ),
  );

/** A request whose base nobody knows, of a program that takes variables by names which are written nowhere. */
function openCallIn(
  { findings, files }: Parameters<typeof unseenReadersOf>[0][number],
  textIn: (file: string) => string,
): Finding | undefined {
  const call = ofProgram(findings).find(isOpenCall);
  return call !== undefined && files.some((file) => !isTest({ file }) && wholeEnvironment.test(textIn(file))) ? call : undefined;
}

/** `read(process.env)`, `process.env[name]`, `Deno.env.toObject()`: not `process.env.API_URL`, nor what a program hands on to those that it starts, `env: { ...process.env }`. */
const wholeEnvironment =
  /(?<!\benv\s*:\s*(?:\{[^{}]*)?)\b(?:process|import\.meta|Bun)\.env\b(?!\??\.|\s*=(?!=)|\??\[['"])|\bDeno\.env\.toObject\b/;
const placeOf = ({ file, start, end, line, column }: Finding) => ({ file, start, end, line, column });
