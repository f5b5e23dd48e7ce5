/**
 * Who may ask by the `fetch` of SvelteKit's events, which goes past `handleFetch`: what that sets moves only where all who do are seen.
 * It is followed where functions of routes take it out of their event and call it with an address that is written there; handed on, kept or
 * read in any other way, anybody may ask for anything.
 */
import type { SourceModule } from '../../../evaluate/module.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { walk } from '../../../syntax/link.ts';
import type { FunctionNode, NameNode, Node, PatternName } from '../../../syntax/tree.ts';

/** Files whose functions SvelteKit gives an event. */
export const asking = /(?:^|\/)(?:\+(?:page|layout|server)(?:@[\w-]*)?(?:\.server)?|hooks\.server)\.[cm]?[jt]s$/;

const hooksFile = /(?:^|\/)hooks\.server\.[cm]?[jt]s$/;
export const isHooks = ({ file, text }: Pick<SourceModule, 'file' | 'text'>): boolean =>
  hooksFile.test(file) && text.includes('handleFetch');

export const allAskersAreSeen = (modules: readonly SourceModule[]): boolean =>
  modules.every((module) => (isTest(module) ? !module.text.includes('handleFetch') : isSeen(module)));

function isSeen(module: SourceModule): boolean {
  const mentions = (module.text.match(/\bfetch\b/g) ?? []).length;
  const ofEvents = asking.test(module.file);
  if (mentions === 0 && !ofEvents && !/\bevent\b/.test(module.text)) return true;
  let seen = 0;
  let isHandedOn = false;
  walk(module.tree.program, (node) => {
    if (node.kind === 'name' && node.name === 'fetch' && isOwnPath(node, module)) seen += 1;
    if (node.kind === 'name' && node.name === 'event' && !module.file.endsWith('.svelte')) isHandedOn ||= !isRead(node);
    if (node.kind !== 'function' || !ofEvents || !isOutermost(node)) return;
    seen += calledIn(node, module);
    isHandedOn ||= givesAll(node, module);
  });
  return !isHandedOn && seen === mentions;
}

/** The global one, for a path of the application itself: `fetch('/cart')`. */
const isOwnPath = (node: NameNode, { scopes }: SourceModule): boolean =>
  scopes.bindingOf(node) === undefined && /^\/[\w-]/.test(addressOf(node) ?? '');

/** What a call asks for begins with, where that is written in it. */
function addressOf(node: NameNode): string | undefined {
  const { parent: call } = node;
  const address = call?.kind === 'call' && call.callee === node ? call.args[0] : undefined;
  return address?.kind === 'string' ? address.value : address?.kind === 'template' ? address.texts[0]?.value : undefined;
}

/** Host and path; elsewhere anybody who has a function that asks may say for what, who gets it with the data of a page. */
const isWritten = (node: NameNode): boolean => /^(?:https?:\/\/[\w.-]+(?::\d+)?)?\/[\w-]/.test(addressOf(node) ?? '');

/** Where a function names the `fetch` of its event: as it takes it, and as it calls it. */
function calledIn({ params: [param] }: FunctionNode, { scopes, file }: SourceModule): number {
  if (param?.target.kind !== 'objectPattern') return 0;
  const target = param.target.properties.find(({ name }) => name === 'fetch')?.target;
  if (target?.kind !== 'patternName' || target.name !== 'fetch') return 0;
  const references = scopes.declaredBy(target)?.references ?? [];
  return 1 + references.filter((each) => (hooksFile.test(file) ? isCalled(each) : isWritten(each))).length;
}

/** What a hook asks for is the request that it is given: see `onlySetsHeaders`. */
const isCalled = (node: NameNode): boolean => node.parent?.kind === 'call' && node.parent.callee === node;

/** Whether somebody else may have the whole event of a function: `services(event)`, `({ locals, ...event })`. */
function givesAll({ params: [param] }: FunctionNode, { scopes }: SourceModule): boolean {
  if (param === undefined) return false;
  const { target } = param;
  const namesAlone = (name: PatternName): boolean => (scopes.declaredBy(name)?.references ?? []).every(isRead);
  if (target.kind === 'patternName') return !namesAlone(target);
  if (target.kind !== 'objectPattern' || target.rest !== undefined) return true;
  const whole = target.properties.find(({ name }) => name === 'event')?.target;
  return (
    target.properties.some(({ name }) => name === undefined) ||
    (whole !== undefined && !(whole.kind === 'patternName' && namesAlone(whole)))
  );
}

/** `event.url`, and `resolve(event)`, which SvelteKit gives to hooks. */
function isRead(node: NameNode): boolean {
  const { parent } = node;
  if (parent?.kind === 'member') return parent.object === node && parent.property !== undefined;
  return parent?.kind === 'call' && parent.callee.kind === 'name' && parent.callee.name === 'resolve';
}

/** Not within another, and not handed to a function, which may call it with anything. */
function isOutermost(fn: FunctionNode): boolean {
  if (fn.parent?.kind === 'call') return false;
  for (let at: Node | undefined = fn.parent; at !== undefined; at = at.parent) if (at.kind === 'function') return false;
  return true;
}
