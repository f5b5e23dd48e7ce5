/** Mocks that name no host and stand in files of their own: they move with the calls of their endpoint, where it is seen who makes these. */
import type { RouteUse } from '../cross-file-uses.ts';
import { isTest } from '../evaluate/test-files.ts';
import type { FoundFile } from '../find/walk.ts';
import type { LedgerEntry } from '../model.ts';
import { servesV1 } from './own-routes.ts';
import { projectsIn } from './projects.ts';

/** Packages that ask a service by themselves, as far as their names say so. */
const sdk = /"(?!@aws-sdk\/)[\w@./-]*(?<![a-z])sdk(?![a-z])[\w./-]*"\s*:/;

/** Whether a mock stands for calls that are seen. */
export type IsSeen = (mock: RouteUse, calls: readonly RouteUse[]) => boolean;

/**
 * @param ledger what became of all texts: where the program serves such a path itself, a mock may be of that
 * @param textIn the text of a file; nothing where there is none
 */
export function callsSeen(ledger: readonly LedgerEntry[], files: readonly FoundFile[], textIn: (file: string) => string): IsSeen {
  const isServed =
    ledger.some(({ reason, file }) => reason === 'own-server' && !isTest({ file })) || files.some(({ path }) => servesV1(path));
  const projectOf = projectsIn(files);
  return (mock, calls) => {
    const project = projectOf(mock.file);
    return !isServed && !sdk.test(textIn(`${project}package.json`)) && calls.some(({ file }) => projectOf(file) === project);
  };
}
