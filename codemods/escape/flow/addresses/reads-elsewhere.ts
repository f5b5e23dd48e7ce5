/** Where something comes out again whose way there nobody knows: errors that the program throws and catches, and answers that it puts something onto. */
import type { Place } from '../../../evaluate/budget.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { optionsOf, type Value } from '../../../evaluate/values/values.ts';
import { memoOf } from '../../../once.ts';
import { namesIn } from '../../../syntax/scopes.ts';
import type { Node, Pattern, PatternName } from '../../../syntax/tree.ts';
import type { Change } from '../../../verdict/changes/spans.ts';
import { catchersIn } from '../functions/catchers.ts';
import type { DataflowQuery } from '../dataflow-query.ts';
import { propertyReads } from '../property-reads.ts';
import { isReadAgain } from '../functions/setters.ts';

interface Read extends Place {
  readonly name: string;
}

/** `error.request` of what is caught, and `catch ({ request })`. */
const readsOfCatchers = memoOf((ev: Evaluation): readonly Read[] => {
  const { names, handlers } = catchersIn(ev);
  const given = handlers.flatMap(({ node, module }) =>
    node.kind === 'function' ? node.params.slice(0, 1).flatMap(({ target }) => takenBy(target, module)) : [],
  );
  return [...names.flatMap(({ node, module }) => (node.kind === 'patternName' ? takenBy(node, module) : [])), ...given];
});

const takenBy = (pattern: Pattern, module: SourceModule): readonly Read[] =>
  namesIn(pattern).flatMap((name): readonly Read[] => {
    const references = module.scopes.declaredBy(name)?.references ?? [];
    if (name.parent?.kind === 'patternProperty') return references.map((node) => ({ node, module, name: nameTaken(name) }));
    return references.flatMap(({ parent }) =>
      parent?.kind === 'member' && parent.property !== undefined ? [{ node: parent, module, name: parent.property }] : [],
    );
  });

const nameTaken = ({ parent }: PatternName): string => (parent?.kind === 'patternProperty' ? parent.name : undefined) ?? '';

/** What those read who catch an error of the program's own class, where what that keeps is edited. */
export function readsOfCaught(
  query: DataflowQuery,
  thrown: readonly Value[],
): readonly { readonly place: Place; readonly carried: readonly Change[] }[] {
  const errors = thrown.flatMap(optionsOf).filter(({ type }) => type === 'instance');
  return errors.length === 0
    ? []
    : readsOfCatchers(query.ev).flatMap(({ node, module, name }) => {
        const values = errors.map((error) => query.ev.member(error, name, node, { module, frame: undefined }));
        const carried = query.carriedBy(values);
        return carried.length === 0 ? [] : [{ place: { node, module }, carried }];
      });
}

/** What a request or a client has by itself, and whoever sets it means that. */
const own: ReadonlySet<string> = new Set(['url', 'baseURL', 'method', 'headers', 'params', 'data', 'body']);

/** Where something may be read that was put onto an answer: `response.sent = headers`, `(await send(path)).sent`, `({ sent }) => …`. */
export function readsOfAnswers(ev: Evaluation, property: string | undefined): readonly Place[] {
  if (property === undefined || own.has(property)) return [];
  const isOpen = (node: Node, module: SourceModule): boolean =>
    !optionsOf(ev.evaluate(node, { module, frame: undefined })).every(isReadAgain);
  return (propertyReads(ev).get(property) ?? []).flatMap(({ node, module }): readonly Place[] => {
    if (node.kind === 'patternName')
      return (module.scopes.declaredBy(node)?.references ?? []).flatMap((each) => (isOpen(each, module) ? { node: each, module } : []));
    const isTarget = node.parent?.kind === 'assign' && node.parent.target === node;
    return isTarget || !isOpen(node.object, module) ? [] : [{ node, module }];
  });
}
