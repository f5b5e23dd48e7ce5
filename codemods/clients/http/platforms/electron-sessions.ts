/**
 * Headers that a session of Electron adds to what is asked at an address: https://www.electronjs.org/docs/latest/api/web-request. Pages go through it as `net` does.
 * It is followed where all that a program has of such hooks is one listener after another, each for one address and what begins with it.
 */
import type { Additions, Mutation } from '../../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { World } from '../../../evaluate/program.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { flat, sliceParts } from '../../../evaluate/values/text.ts';
import { type HttpValue, optionsOf, partsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import { memoOf } from '../../../once.ts';
import { walk } from '../../../syntax/link.ts';
import type { CallNode, Expression, FunctionNode } from '../../../syntax/tree.ts';
import { headersSetBy } from '../../callbacks.ts';
import { mayBegin, writtenAddress } from '../../servers/guards.ts';
import { allAskersAreSeen } from './electron-askers.ts';

const hooks = /\bonBefore(?:SendHeaders|Request)\b/g;
/** As it is written, beside nothing else that may hook a session. */
const hooking = /^session\s*\.\s*defaultSession\s*\.\s*webRequest\s*\.\s*onBeforeSendHeaders$/;
const pattern = /^https?:\/\/[\w.-]+(?::\d+)?\/[^*?]*\*$/;

/** What a program does to the requests of its sessions. */
export const sessionHooksIn = memoOf(({ modules }: World): 'none' | 'followed' | 'unknown' => {
  const hooked = [...modules.values()].filter((module) => !isTest(module) && module.text.search(hooks) !== -1);
  if (hooked.length === 0) return 'none';
  const listeners = hooked.map((module) => ({ module, urls: module.calls.flatMap((call) => followedAddress(call, module) ?? []) }));
  const isFollowed = listeners.every(({ module, urls }) => (module.text.match(hooks) ?? []).length === urls.length);
  const hosts = new Set(listeners.flatMap(({ urls }) => urls.map((url) => new URL(url).hostname)));
  return isFollowed && allAskersAreSeen([...modules.values()], hosts, new Set(hooked)) ? 'followed' : 'unknown';
});

/** `session.defaultSession.webRequest.onBeforeSendHeaders({ urls: ['https://api.example.com/v1/*'] }, (details, callback) => callback({ … }))` */
function followedAddress(call: CallNode, { text, scopes, exports }: SourceModule): string | undefined {
  const [named, listener] = call.args;
  // Under a name that nothing else mentions, which could add to it.
  const { owner, references = [] } = (named?.kind === 'name' ? scopes.bindingOf(named) : undefined) ?? {};
  const isAlone = references.length === 1 && named?.kind === 'name' && !exports.has(named.name);
  const filter = isAlone && owner?.kind === 'variable' && owner.declares === 'const' ? owner.init : named;
  if (!hooking.test(text.slice(call.callee.start, call.callee.end)) || filter?.kind !== 'object' || listener?.kind !== 'function')
    return undefined;
  const [only, ...others] = filter.properties;
  const urls = only?.kind === 'property' && only.name === 'urls' && only.value.kind === 'array' ? only.value.elements : [];
  const [url] = urls;
  const isOne = others.length === 0 && urls.length === 1 && handedBy(listener) !== undefined;
  return isOne && url?.kind === 'string' && pattern.test(url.value) ? url.value : undefined;
}

/** What a listener hands on, where it always does. */
function handedBy(listener: FunctionNode): Expression | undefined {
  const callback = listener.params[1]?.target;
  if (callback?.kind !== 'patternName') return undefined;
  const calls: CallNode[] = [];
  let mentions = 0;
  walk(listener, (node) => {
    if (node.kind === 'name' && node.name === callback.name) mentions += 1;
    if (node.kind === 'call' && node.callee.kind === 'name' && node.callee.name === callback.name) calls.push(node);
  });
  const [call] = calls;
  const [given] = call?.args ?? [];
  return calls.length === 1 && mentions === 1 && given !== undefined && given.kind !== 'spread' ? given : undefined;
}

export function addedBySession(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind !== 'call' || mutation.path.at(-1) !== 'onBeforeSendHeaders') return undefined;
  const [, listener] = mutation.node.args;
  const [filter, hook] = ev.args(mutation.node, mutation);
  const handed = listener?.kind === 'function' ? handedBy(listener) : undefined;
  if (filter === undefined || handed === undefined) return undefined;
  const urls = ev.member(filter, 'urls', mutation.node, mutation);
  const [address] = urls.type === 'list' ? urls.items : [];
  if (address === undefined) return undefined;
  const beginning = flat(partsOf(address)).slice(0, -1);
  const prefix: Value = { type: 'text', parts: sliceParts(partsOf(address), 0, beginning.length) };
  const written = writtenAddress(request.url);
  if (written === undefined ? !mayBegin(request.url, beginning) : !begins(written, beginning)) return undefined;
  const headers = headersSetBy(ev, hook, 0, ['requestHeaders'], [], [handed]);
  return {
    headers: headers === undefined ? [] : [headers],
    prefixes: [prefix],
    // Whose header that is hangs on where it goes.
    ...(written === undefined && { moved: unknown(mutation.node, mutation.module, 'assigned') }),
  };
}

const begins = (url: Value, beginning: string): boolean => optionsOf(url).some((each) => flat(partsOf(each)).startsWith(beginning));
