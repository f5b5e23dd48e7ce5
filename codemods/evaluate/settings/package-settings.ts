/**
 * Settings that a package or a framework holds: `functions.config().api.url || 'https://…'`. Whoever runs the program gives them, and the default says what they are for.
 */
import type { CallNode, Node } from '../../syntax/tree.ts';
import { assignmentsOf } from '../names/assignments.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { lastName } from '../libraries/given.ts';
import { isScript, type SourceModule } from '../module.ts';
import { isAbsolute } from '../values/text.ts';
import { optionsOf, plainText, type Value } from '../values/values.ts';
import { combined } from '../libraries/combined.ts';

/** A value beside its default: where that is an address or a version, and a package gives the value, a setting. */
export function asSetting(ev: Evaluation, value: Value, otherwise: Value): Value {
  if (value.type === 'method') return { ...value, receiver: asSetting(ev, value.receiver, otherwise) };
  if (value.type !== 'unknown' || value.givenAs !== undefined || value.node === undefined || value.module === undefined) return value;
  const { node, module } = value;
  if (!isScript(module) || !optionsOf(otherwise).some(saysWhatFor)) return value;
  if (!isOfFramework(ev, node, module) && !isOfPackage(ev, node, { module, frame: undefined })) return value;
  const text = module.text.slice(node.start, node.end).replaceAll(/\s+/g, ' ');
  return { ...value, givenAs: text, setting: lastName(text) };
}

/** Whether a default says what it is the default of: `https://api.example.com`, `v1`. */
export function saysWhatFor(value: Value): boolean {
  const text = plainText(value) ?? '';
  return isAbsolute(text) || /^\/?v\d+$/.test(text);
}

/**
 * Whether something is read of what a package gives, which is no client: by names alone. What is given more, or has to be awaited, may be an answer, with links of the
 * version that was asked.
 */
function isOfPackage(ev: Evaluation, node: Node, at: At): boolean {
  const seen = new Set<Node>();
  for (let inner: Node | undefined = node; inner !== undefined && !seen.has(inner); inner = originOf(inner, at)) {
    seen.add(inner);
    if (inner.parent?.kind === 'await' || asksForMore(inner)) return false;
    const value = inner.kind === 'name' || inner.kind === 'call' ? ev.evaluate(inner, at) : undefined;
    if (value?.type === 'external') return ofSettings.test(value.source) && !combined(ev.rules).modules.has(value.source);
  }
  return false;
}

/** Of what a framework gives a function, or has everywhere, by names alone. */
const isOfFramework = (ev: Evaluation, node: Node, module: SourceModule): boolean =>
  node.kind === 'call' && !asksForMore(node) && combined(ev.rules).givesSetting(node, module);

/** Whether a call is given more than names of settings. */
export const asksForMore = (node: Node): boolean =>
  node.kind === 'call' && !isRequire(node) && node.args.some((arg) => arg.kind !== 'string' || arg.value.includes('/'));

const isRequire = ({ callee }: CallNode): boolean => callee.kind === 'name' && callee.name === 'require';

/** Packages that are called by what they hold. What others give may be an answer, a job or what a page was opened with, and of either version. */
const ofSettings = /^(?:@[a-z0-9][\w.-]*\/)?(?:[a-z0-9][\w.-]*)?(?:conf|settings?|env|constants|secrets?|preferences|functions)|^rc9?$/;

/** What a value is read of: an object, what is called, the only value of a name. */
function originOf(node: Node, { module }: At): Node | undefined {
  if (node.kind === 'member') return node.object;
  if (node.kind === 'call') return node.callee;
  if (node.kind === 'logical') return node.left;
  const binding =
    node.kind === 'name' ? module.scopes.bindingOf(node) : node.kind === 'patternName' ? module.scopes.declaredBy(node) : undefined;
  const { owner } = binding ?? {};
  const isOnly = binding !== undefined && assignmentsOf(binding).all.length === 0;
  return owner?.kind === 'variable' && owner.each === undefined && isOnly ? owner.init : undefined;
}
