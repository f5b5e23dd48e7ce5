/** Mocks and expectations in files that do not import the calls they stand for: whose calls these may be. */
import { basename } from 'node:path/posix';
import { requiresSdk } from '../../clients/quiet-packages.ts';
import type { ComponentFile } from '../../component/component-file.ts';
import type { RouteUse, Use } from '../../uses-between-components.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { LedgerEntry } from '../../model.ts';
import { servesV1 } from '../own-routes.ts';
import { pagesOfOthers } from '../../find/words/pages-of-others.ts';
import { projectsIn } from '../../find/packages/projects.ts';
import { positionsOf } from '../../syntax/position.ts';

/** What mocks may stand for. */
export interface Asked {
  /** Whether it is seen who makes the calls that a mock of any host stands for. */
  isSeen(mock: RouteUse, calls: readonly RouteUse[]): boolean;
  /** Of the calls of its endpoint those that it may be about: the proven ones, and what else its own package asks. */
  about(mock: RouteUse, calls: readonly RouteUse[]): readonly RouteUse[];
  /** What stays on v1 in a program or a page that the mock's file names, as where it runs that in a context of its own or imports it by a text put together. */
  leftWhereNamed(mock: RouteUse): Use | undefined;
}

/**
 * @param components the files that hang together by imports
 * @param ledger what became of all texts: where the program serves such a path itself, a mock may be of that
 * @param textIn the text of a file; nothing where there is none
 */
export function askedBy(
  components: readonly (readonly ComponentFile[])[],
  ledger: readonly LedgerEntry[],
  files: readonly FoundFile[],
  textIn: (file: string) => string,
): Asked {
  const isServed =
    ledger.some(({ reason, file }) => reason === 'own-server' && !isTest({ file })) || files.some(({ path }) => servesV1(path));
  const projectOf = projectsIn(files);
  // A path of which nobody knows who asks or answers for it.
  const open = ledger.filter(({ file, reason }) => reason === 'no-call' && !isTest({ file }) && !/\.mdx?$/.test(file));
  const isOpen = ({ name }: RouteUse): boolean =>
    open.some(({ file, start, end }) => textIn(file).slice(start, end).includes(name.replace(/\/:.*/, '')));
  const named = new Map<string, Use | undefined>();
  const ofOthers = pagesOfOthers(
    files.map(({ path }) => path),
    textIn,
  );
  return {
    isSeen(mock, calls) {
      const project = projectOf(mock.file);
      return (
        !isServed &&
        !isOpen(mock) &&
        !requiresSdk.test(textIn(`${project}package.json`)) &&
        calls.some(({ file }) => projectOf(file) === project)
      );
    },
    about(mock, calls) {
      const project = projectOf(mock.file);
      const own = calls.filter(({ isOurs, file }) => isOurs || projectOf(file) === project);
      return own.length > 0 ? own : calls;
    },
    leftWhereNamed({ name, file }) {
      if (!named.has(file)) {
        const names = new Set(Array.from(textIn(file).matchAll(fileName), ([, each]) => each));
        const project = projectOf(file);
        const isNamed = (each: ComponentFile): boolean => names.has(basename(each.file)) && projectOf(each.file) === project;
        const run = components.filter((each) => !each.some((one) => one.file === file) && each.some(isNamed));
        const loaded = new Set(run.flatMap((each) => each.map((one) => one.file)));
        const left = ledger.find((each) => each.state === 'person' && !isSpoken.has(each.reason) && loaded.has(each.file) && !isTest(each));
        const script = left === undefined ? ofOthers(file) : undefined;
        const page = script && { ...script, ...positionsOf(textIn(script.file))(script.start) };
        const found = left ?? page;
        named.set(file, found && { ...found, name, group: undefined });
      }
      return named.get(file);
    },
  };
}

/** The name of a script at the end of a text: `vm.runInContext(readFileSync(dir + '/api.js'))`, `import(new URL('./api.js', …).href)`. */
const fileName = /([\w.-]+\.(?:[cm]?[jt]sx?|gs))['"`]/g;

/** What is not asked of anybody. */
const isSpoken: ReadonlySet<string> = new Set(['mentioned', 'redacts-header', 'old-type']);
