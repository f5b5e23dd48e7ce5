/**
 * What a function puts in the place of what is there only where it is given something: `this.base = options.base || this.base`, `if (url) base = url`. What is
 * there is the default of that, as the one of a constructor's option, while nobody in the program calls the function.
 */
import { escaped } from '../../find/words/literals.ts';
import type { AssignNode, Expression, FunctionNode, Node } from '../../syntax/tree.ts';
import { callsOf, nameOf } from '../calls/all-callers.ts';
import { functionAround } from '../calls/callees.ts';
import type { Evaluation } from '../evaluation.ts';
import { answersAround } from '../language/guards.ts';
import type { SourceModule } from '../module.ts';
import { mayBeCalledOtherwise } from '../calls/other-calls.ts';
import type { World } from '../program.ts';
import { isTest } from '../libraries/test-files.ts';

/** Whether the address that is there before speaks for what is put there. */
export function isSetIfGiven(ev: Evaluation, write: AssignNode, module: SourceModule): boolean {
  const fn = functionAround(write);
  const given = givenBy(write, module);
  return fn !== undefined && given !== undefined && isGivenTo(fn, given, module) && isHandedOut(fn, module) && isUncalled(ev, fn, module);
}

/** What is put there, where that is not missing. */
function givenBy(write: AssignNode, { text }: SourceModule): Expression | undefined {
  const { operator, target, value } = write;
  if (operator !== '=') return undefined;
  // `options?.base` and `options!.base` are `options.base`.
  const said = ({ start, end }: Node): string => text.slice(start, end).replaceAll(/\?(?=\.)|!(?=\.|$)/g, '');
  if (value.kind === 'logical') return value.operator !== '&&' && said(value.right) === said(target) ? value.left : undefined;
  if (value.kind === 'conditional')
    return said(value.whenFalse) === said(target) && said(value.whenTrue) === said(value.test) ? value.test : undefined;
  const isAsked = answersAround(write).some(({ test, holds }) => {
    const asked = holds ? test : test.kind === 'unary' && test.operator === '!' ? test.argument : undefined;
    return asked !== undefined && said(cleaned(value)) === said(asked);
  });
  return isAsked ? value : undefined;
}

/** `url` of `url.trim().replace(/\/$/, '')` */
function cleaned(value: Expression): Expression {
  let at = value;
  while (at.kind === 'call' && at.callee.kind === 'member') at = at.callee.object;
  return at;
}

/** Whether it is a parameter of the function, or taken out of one. */
function isGivenTo(fn: FunctionNode, given: Node, { scopes }: SourceModule): boolean {
  let root = given;
  while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
  const owner = root.kind === 'name' ? scopes.bindingOf(root)?.owner : undefined;
  return owner?.kind === 'param' && owner.parent === fn;
}

/** Others have it, who may call it or not. What a template calls, people do. */
function isHandedOut(fn: FunctionNode, { exports }: SourceModule): boolean {
  if (fn.parent?.kind !== 'classMember') return exports.has(nameOf(fn));
  return fn.parent.parent?.kind === 'class' && fn.parent.parent.decorators.length === 0;
}

const isUncalled = (ev: Evaluation, fn: FunctionNode, module: SourceModule): boolean =>
  !isSpokenOf(ev.world, fn, module) && callsOf(ev, fn).every((call) => isTest(call.module)) && !mayBeCalledOtherwise(ev, fn);

/**
 * Whether its name stands anywhere in the program, but where it is declared and handed out under the same name: what it is called on may not be known, it
 * may be called by another name (`then(({ configure: set }) => set(options))`), and not all of a file is parsed.
 */
function isSpokenOf({ modules }: World, fn: FunctionNode, of: SourceModule): boolean {
  const name = escaped(nameOf(fn));
  const spoken = new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g');
  const renamed = new RegExp(`(?<![\\w$])${name}\\s+as\\s`);
  const head = { start: (fn.parent?.kind === 'classMember' ? fn.parent : fn).start, end: fn.body?.start ?? fn.end };
  const isDeclaration = ({ index }: RegExpExecArray): boolean => head.start <= index && index < head.end;
  return [...modules.values()].some((module) => {
    if (isTest(module)) return false;
    const text = module.text.replaceAll(handedOut, (exported) => (renamed.test(exported) ? exported : ' '.repeat(exported.length)));
    return [...text.matchAll(spoken)].some((found) => module !== of || !isDeclaration(found));
  });
}

/** `export { Client, configure } from './client.js'` */
const handedOut = /(?<![\w$])export\s*\{[^{}]*\}/g;
