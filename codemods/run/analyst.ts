/** What analyses components, in this thread or in one of its own. */
import { libraryHomes } from '../clients/library-homes.ts';
import { loadEngines } from '../engines/choose.ts';
import { type Resolve, resolverOf } from '../find/modules/resolver.ts';
import type { ComponentFile } from '../component/component-file.ts';
import { analyseComponent, type Asked, type ComponentResult } from '../component/component.ts';
import { scriptReader } from '../component/texts/script-reader.ts';

/** What is the same for all components of a run: data only, as it goes to other threads. */
export interface RunContext extends Asked {
  /** Everything that can be imported. */
  readonly modules: ReadonlySet<string>;
}

export type Analyst = (files: readonly ComponentFile[]) => Promise<ComponentResult>;

/** @param resolve the run's resolver, where it is at hand: it may have looked up most already */
export async function analystOf(
  { modules, ...asked }: RunContext,
  resolve: Resolve = resolverOf(asked.cwd, modules, libraryHomes),
): Promise<Analyst> {
  const engines = await loadEngines();
  return async (files) => analyseComponent(asked, files, resolve, { engines, scriptIn: await scriptReader(files) });
}
