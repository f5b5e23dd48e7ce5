/**
 * Calls that hand on the name under which a platform adds the headers that a class describes, to code of which nobody knows what it asks with them:
 * `this.helpers[verb].call(this, 'messagingApi', options)`. These headers stay until a person decides.
 */
import { aliasesOf } from '../../evaluate/names/aliases.ts';
import { firstOf } from '../../evaluate/libraries/combined.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { optionsOf } from '../../evaluate/values/values.ts';
import { variableOf } from '../../syntax/scopes.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import type { Escape } from '../escapes.ts';
import { isShowing } from '../flow/harmless-calls.ts';
import { rulesWith } from '../../evaluate/libraries/rules.ts';

export function askedByName(ev: Evaluation, sites: readonly RequestSite[], changes: ChangesByPlace): Escape[] {
  const byName = Map.groupBy(changes.all, (change) => nameOver(ev, change));
  const asked = new Set<Node>(sites.flatMap(({ request }) => [request.call, ...request.callers.map(({ node }) => node)]));
  return [...byName].flatMap(([name, [change]]): Escape[] => {
    if (name === undefined || change === undefined) return [];
    return [...ev.world.modules.values()]
      .filter((module) => !isTest(module))
      .flatMap((module) => callsNaming(ev, module, name))
      .filter(({ call, module }) => !asked.has(call) && !isBoundFor(call, module, asked) && mayAsk(ev, call, module))
      .map(({ call: node, module }) => ({ change, node, module, name, way: 'asked' }));
  });
}

/** The name for the headers of the class that a change stands in. */
function nameOver(ev: Evaluation, { module, start }: Change): string | undefined {
  if (!isScript(module)) return undefined;
  const of = module.classes.find((each) => each.start <= start && start < each.end);
  return of && firstOf(rulesWith(ev.rules, 'keysUnder'), (rule) => rule.keysUnder?.(of, { module, frame: undefined }, ev));
}

interface Naming {
  readonly call: CallNode;
  readonly module: SourceModule;
}

/** The calls that are given a name as it stands there, or by a constant. */
function callsNaming({ world }: Evaluation, module: SourceModule, name: string): Naming[] {
  return module.texts.flatMap((text) => {
    if (text.kind !== 'string' || text.value !== name) return [];
    const binding = variableOf(text, module.scopes);
    const all = binding === undefined ? [] : [{ binding, module }, ...aliasesOf(world, binding)];
    const references = all.flatMap((each) => each.binding.references.map((node) => ({ node, module: each.module })));
    return [{ node: text, module }, ...references].flatMap(({ node, module: where }) =>
      node.parent?.kind === 'call' && node.parent.callee !== node ? { call: node.parent, module: where } : [],
    );
  });
}

/** `const request = helpers.request.bind(this, 'messagingApi')`, which is nothing but called, each time for what is known. */
function isBoundFor({ callee, parent }: CallNode, { scopes }: SourceModule, asked: ReadonlySet<Node>): boolean {
  if (callee.kind !== 'member' || callee.property !== 'bind' || parent?.kind !== 'variable' || parent.target.kind !== 'patternName')
    return false;
  const references = scopes.declaredBy(parent.target)?.references ?? [];
  return references.every((each) => each.parent?.kind === 'call' && each.parent.callee === each && asked.has(each.parent));
}

/** Whether a call that is given a name may ask for anything: what only reads the credentials, compares or prints does not. */
function mayAsk(ev: Evaluation, call: CallNode, module: SourceModule): boolean {
  const { callee, args } = call;
  if (args.length < 2 || isShowing(call) || (callee.kind === 'member' && reading.test(callee.property ?? ''))) return false;
  return optionsOf(ev.evaluate(callee, { module, frame: undefined })).some(({ type }) => type !== 'function' && type !== 'class');
}

const reading = /^getCredentials/;
