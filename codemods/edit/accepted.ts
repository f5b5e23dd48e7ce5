/** Which edits a person wants. */
import type { Edit, Plan } from '../model.ts';
import type { Group, MigrateOptions } from '../result.ts';

/** Asks for each group, in the order of the files; edits without a group of calls go by their own. */
export async function accepted(plan: Plan, accept: MigrateOptions['accept']): Promise<readonly Edit[]> {
  if (accept === undefined) return plan.edits;
  const calls = Map.groupBy(plan.calls, ({ group }) => group);
  const edits: Edit[] = [];
  for (const [id, own] of Map.groupBy(plan.edits, ({ group }) => group)) {
    const group: Group = { id, calls: calls.get(id) ?? [], edits: own, files: [...new Set(own.map(({ file }) => file))] };
    if (await accept(group, plan)) edits.push(...own);
  }
  return edits;
}
