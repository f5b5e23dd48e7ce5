/**
 * Variables that something is given under its own name which nobody here is: `heroku config:set NAME=$NAME`, `ssh host "NAME=$NAME …"`, `echo "NAME=$NAME" > file`.
 * Where no program of these files reads a variable of that name, what does is another's, and goes on as it is.
 */
import type { ComponentPlan } from '../../component/analyse.ts';
import type { TextPlan } from '../../component/analyse-text.ts';
import type { HandedOver } from '../../component/texts/passed-on.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Left } from '../../uses-between-components.ts';
import type { IsOpen } from '../../verdict/directive-comments.ts';

type Code = Pick<ComponentPlan, 'variables' | 'readers' | 'namedVariables'>;
type Text = Pick<TextPlan, 'handedOver' | 'asked'>;

/** @returns the places that hand such a variable over */
export function handedToNobodyHere(components: readonly Code[], beside: readonly Text[], isOpen: IsOpen): HandedOver[] {
  if (beside.every(({ handedOver }) => handedOver.length === 0)) return [];
  const inCode = new Set(
    components.flatMap(({ variables, readers, namedVariables }) =>
      [...variables, ...readers, ...namedVariables].flatMap((use) => (isTest(use) ? [] : use.name)),
    ),
  );
  const asking = Map.groupBy(
    beside.flatMap((plan) => [...plan.asked].map((name) => ({ name, plan }))),
    ({ name }) => name,
  );
  return beside.flatMap((plan) =>
    plan.handedOver.filter(
      (use) => !inCode.has(use.name) && asking.get(use.name)?.some((each) => each.plan !== plan) !== true && isOpen(use),
    ),
  );
}

/** What would change of what they hand over. */
export const heldByThem = (uses: readonly HandedOver[]): Left[] =>
  uses.flatMap(({ held, file, line, name }) => held.map((span) => ({ ...span, by: `${file}:${line}`, why: 'setting' as const, name })));
