/** What git cannot give back may not be overwritten unasked. */
import { MigrateError } from '../errors.ts';
import { treeState } from './git.ts';

/**
 * @param paths what would be written within
 * @throws MigrateError where git knows of changes there that are not committed
 */
export async function refuseUncommitted({ cwd, paths }: { readonly cwd: string; readonly paths: readonly string[] }): Promise<void> {
  const { dirty } = await treeState(cwd, paths);
  const [first, ...more] = dirty;
  if (first === undefined) return;
  const names = more.length === 0 ? `${first} has` : `${first} and ${more.length} more have`;
  throw new MigrateError('UNCOMMITTED', `${names} changes that are not committed: commit or stash them, or go on with --force`);
}

/** Given paths that are in no repository, or of which git cannot tell. */
export type Unversioned = Awaited<ReturnType<typeof treeState>>['unversioned'];

/**
 * @param paths what is about to be written within
 * @param confirm asks somebody whether to go on
 * @throws MigrateError where git could not give back what is changed there, and nobody says that it need not
 */
export async function refuseUnversioned(
  { cwd, paths }: { readonly cwd: string; readonly paths: readonly string[] },
  confirm: ((unversioned: Unversioned) => Promise<boolean>) | undefined,
): Promise<void> {
  const { unversioned } = await treeState(cwd, paths);
  const [first] = unversioned;
  if (first === undefined || (await confirm?.(unversioned)) === true) return;
  throw new MigrateError(
    'UNVERSIONED',
    `${first.path} is not under version control (${first.reason}), so nothing would bring back what is changed: see it with --dry-run --diff, and go on with --force`,
  );
}
