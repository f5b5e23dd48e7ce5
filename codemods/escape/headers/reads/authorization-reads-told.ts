/**
 * Code that reads Authorization among the headers of our calls: `if (!headers.Authorization) …`, `log(config.headers.Authorization)`. None was there while their
 * key had a header of its own; where it is there now, such code takes the key for a session, or shows it. Hooks in which something hangs on it hold their client
 * (see authorization-reads-holding.ts).
 */
import { v2Auth } from '../../../../src/contract/auth.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { optionsOf, type Value } from '../../../evaluate/values/values.ts';
import type { Edit, Finding } from '../../../model.ts';
import type { Callers } from '../../../requests/recursion.ts';
import { functionsAround } from '../../../requests/left-to-default.ts';
import type { Node } from '../../../syntax/tree.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import { getsAnswers, hookedIn } from '../../flow/functions/hooks.ts';
import { valuesAt } from '../../flow/functions/passed-values.ts';
import { sentThrough } from '../../paths/sent-through.ts';
import { authorizationReads } from './authorization-reads.ts';

const named = new RegExp(String.raw`${v2Auth.field}\b`, 'i');

/**
 * @param moved the sites whose key moves
 * @param edits all that is changed
 */
export function authorizationReadsTold(ev: Evaluation, callers: Callers, moved: readonly RequestSite[], edits: readonly Edit[]): Finding[] {
  const names = Map.groupBy(
    edits.filter(({ what }) => what === 'header name'),
    ({ file }) => file,
  );
  if (names.size === 0) return [];
  const isRenamed = ({ file }: SourceModule, start: number, end: number): boolean =>
    names.get(file)?.some((edit) => start - 1 <= edit.start && edit.end <= end + 1) === true;
  const hasKey = (value: Value): boolean =>
    value.type === 'object' &&
    value.entries.some((entry) => {
      const source = entry.key?.source;
      return (
        source !== undefined &&
        isScript(source.module) &&
        isRenamed(source.module, source.start, source.start + (entry.key?.text.length ?? 0))
      );
    });
  const isGiven = (node: Node, module: SourceModule): boolean =>
    ev.budget
      .question({ node, module }, () => valuesAt(ev, callers, { node, module }))
      .value.flatMap(optionsOf)
      .some(hasKey);
  return [...ev.world.modules.values()].flatMap((module) => {
    if (isTest(module) || !named.test(module.text)) return [];
    const asked = authorizationReads(module).filter(({ of }) => isOfHook(ev, moved, of, module) || isGiven(wrappedIn(of, module), module));
    return asked.map(({ node: { start, end } }): Finding => {
      return { code: 'reads-header', file: module.file, start, end, ...module.position(start), detail: { how: 'asked' } };
    });
  });
}

/** What `new Headers(…)` is made of, also by a name of the file. */
function wrappedIn(of: Node, module: SourceModule): Node {
  const owner = of.kind === 'name' ? module.scopes.bindingOf(of)?.owner : undefined;
  const made = owner?.kind === 'variable' ? owner.init : of;
  const [given] = made?.kind === 'call' && made.isNew && made.callee.kind === 'name' && made.callee.name === 'Headers' ? made.args : [];
  return given ?? of;
}

/** `config.headers` of what a client of ours gives to a function before it asks. */
function isOfHook(ev: Evaluation, moved: readonly RequestSite[], of: Node, module: SourceModule): boolean {
  let root = of;
  while (root.kind === 'member') root = root.object;
  const owner = root.kind === 'name' ? module.scopes.bindingOf(root)?.owner : undefined;
  if (owner?.kind !== 'param') return false;
  const clients = [...functionsAround(of)]
    .filter((fn) => fn.params.includes(owner) && !getsAnswers(fn))
    .flatMap((fn) => hookedIn(ev)(fn, module));
  return sentThrough(clients, moved).length > 0;
}
