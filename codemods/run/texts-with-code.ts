/** What the code proves of variables counts for the files beside it. */
import type { ComponentResult } from '../component/component.ts';
import type { TextPlan } from '../component/analyse-text.ts';
import type { EnvironmentUse } from '../verdict/environment.ts';
import type { Bases } from '../verdict/routes.ts';
import type { Surroundings } from './surroundings.ts';

type Components = readonly Pick<ComponentResult, 'variables' | 'unreadBlocks'>[];

const usedIn = (components: readonly Pick<ComponentResult, 'variables'>[]): EnvironmentUse[] =>
  components.flatMap(({ variables }) => variables.filter(({ isOurs, isGiven }) => isOurs && isGiven !== true));

/** The variables that code takes our bases from. */
export const provenBy = (components: readonly Pick<ComponentResult, 'variables'>[]): string[] =>
  usedIn(components).flatMap(({ name, isVersion }) => (isVersion === true ? [] : name));

/** @param bases those that the user named */
export function analysedWith(components: Components, { named, analyseTexts }: Surroundings, bases: Bases): readonly TextPlan[] {
  const versions = usedIn(components).flatMap(({ name, isVersion, group }) => (isVersion === true && group !== undefined ? name : []));
  const unread = Map.groupBy(
    components.flatMap(({ unreadBlocks }) => unreadBlocks),
    ({ file }) => file,
  );
  return analyseTexts(
    { ...named, env: new Set([...named.env, ...provenBy(components)]), versions: new Set(versions) },
    bases.env,
    new Map(Array.from(unread, ([file, blocks]) => [file, new Set(blocks.map(({ block }) => block))])),
  );
}
