/** Before a whole run: the command line as people get it, of the sources as they are now. */
import { bundle } from '../../.ci/bundle.ts';
import { isStale } from '../../.ci/stale.ts';
import { bin } from './build.ts';

export default async function setup(): Promise<void> {
  if (isStale(bin)) await bundle('.bundle');
}
