/** `cy.intercept`: which requests it stands for, and which of these an alias is given to. */
import type { RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { flat, isAbsolute, stripped } from '../../evaluate/values/text.ts';
import { type Mock, optionsOf, partsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, Expression, SpreadNode } from '../../syntax/tree.ts';
import { soughtBy } from './path-patterns.ts';
import { option, urlOf } from '../shapes.ts';

export interface Described {
  readonly url: Value | undefined;
  readonly mock: Mock;
  readonly method?: Value;
  readonly headers?: Value[];
}

/** What an intercept is given: `(url, …)`, `(method, url, …)`, `({ method, url, headers }, …)`. */
export function describedBy(call: RuleCall): Described {
  const [first, second] = call.args;
  if (first?.type === 'object') {
    const [method, headers] = [option(call, first, 'method'), option(call, first, 'headers')];
    return {
      ...addressedBy(addressIn(call, first), call),
      ...(method === undefined ? {} : { method }),
      ...(headers === undefined ? {} : { headers: [headers] }),
    };
  }
  const isMethod = first !== undefined && /^[A-Z]+$/.test(plainText(first) ?? '');
  return isMethod ? { ...addressedBy(second, call), method: first } : addressedBy(first, call);
}

/** `{ url }`, `{ pathname }`, `{ hostname, path }`: without a host, it may be any. */
function addressIn(call: RuleCall, described: Value): Value | undefined {
  const [url, host, port] = ['url', 'hostname', 'port'].map((name) => option(call, described, name));
  const path = option(call, described, 'pathname', 'path');
  if (url !== undefined && (host === undefined || optionsOf(url).some((each) => isAbsolute(flat(partsOf(each)))))) return url;
  if (host !== undefined) return urlOf({ host, port, path: stripped(path ?? url ?? { type: 'text', parts: [{ text: '/**' }] }, /^\*+/) });
  return path?.type === 'text' ? { type: 'text', parts: [{ text: '**' }, ...path.parts] } : undefined;
}

/** What stands for many has stars, or is a pattern. */
function addressedBy(url: Value | undefined, call: RuleCall): Pick<Described, 'url' | 'mock'> {
  const pattern = url?.type === 'unknown' ? soughtBy(url.node, call) : undefined;
  const isPart = url !== undefined && (pattern !== undefined || optionsOf(url).some((each) => flat(partsOf(each)).includes('*')));
  return { url: pattern ?? url, mock: isPart ? { expects: 'part' } : {} };
}

/** @returns what `@contacts` stands for in a file, or in support files beside it; undefined where nothing there says so, or no one address */
export function interceptedAs(alias: string, { module, ev }: RuleCall): Pick<Described, 'url' | 'mock'> | undefined {
  const own = givenTo(alias, module, ev);
  const supports = [...ev.world.modules.values()].filter(({ file }) => isSupportOf(module, file));
  const [first, ...others] = own.length > 0 ? own : supports.flatMap((each) => givenTo(alias, each, ev));
  const text = textOf(first);
  return text !== undefined && others.every((other) => textOf(other) === text) ? first : undefined;
}

/** Whether a file stands in the folder `support` of the same suite. */
function isSupportOf({ file }: SourceModule, support: string): boolean {
  const [suite] = /^(?:.*\/)?(?=support\/)/.exec(support) ?? [];
  return suite !== undefined && file.startsWith(suite);
}

/** What a file gives an alias to; undefined among them for what is no intercept. */
function givenTo(alias: string, module: SourceModule, ev: Evaluation): readonly (Described | undefined)[] {
  const at = { module, frame: undefined };
  const isGiven = ([arg]: readonly (Expression | SpreadNode)[]): boolean =>
    arg !== undefined && arg.kind !== 'spread' && plainText(ev.evaluate(arg, at)) === alias;
  return module.calls.flatMap(({ callee, args }) => {
    if (callee.kind !== 'member' || callee.property !== 'as' || !isGiven(args)) return [];
    const node = interceptIn(callee.object);
    return [node && describedBy({ ...at, path: ['intercept'], on: undefined, node, args: ev.args(node, at), ev })];
  });
}

function interceptIn(node: Expression): CallNode | undefined {
  if (node.kind !== 'call' || node.callee.kind !== 'member' || node.callee.property !== 'intercept') return undefined;
  const { object } = node.callee;
  return object.kind === 'name' && object.name === 'cy' ? node : undefined;
}

const textOf = (described: Described | undefined): string | undefined =>
  described?.url?.type === 'text' ? flat(described.url.parts) : undefined;
