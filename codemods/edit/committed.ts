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
