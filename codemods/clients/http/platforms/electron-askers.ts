/**
 * Who asks for something in a program of Electron, beside the listeners of its session: what these add at an address moves only where all
 * that may ask is a call of `fetch` or `net` with an address that is written there. With any other client, or an address from elsewhere,
 * a request that stays on v1 may come past them.
 */
import type { SourceModule } from '../../../evaluate/module.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { isWithin } from '../../../syntax/link.ts';
import type { CallNode } from '../../../syntax/tree.ts';

/** What may ask for something, in pages or beside them. */
const askers =
  /\b(?:\w*fetch|axios|ky|got|superagent|XMLHttpRequest|XHR|ajax|https?Client|needle|undici|wretch|xior|redaxios|sendBeacon|EventSource)\b|\bnet\.request\(|['"](?:node:)?https?['"]/gi;
/** Where an address may come from. */
const variables = /\bprocess\.env\b|\bimport\.meta\b/;
export const askingOrAddress = new RegExp(String.raw`${askers.source}|https?:\/\/|${variables.source}`, 'i');

const called = /^(?:fetch|net\s*\.\s*(?:fetch|request))$/;
const address = /^https?:\/\/([\w.-]+)(?::\d+)?\//;

/**
 * @param hosts that listeners are for
 * @param listeners where they are added, with what they say of these hosts
 */
export const allAskersAreSeen = (
  modules: readonly SourceModule[],
  hosts: ReadonlySet<string>,
  listeners: ReadonlySet<SourceModule>,
): boolean => modules.every((module) => isTest(module) || isSeen(module, hosts, listeners.has(module)));

function isSeen({ text, calls, texts }: SourceModule, hosts: ReadonlySet<string>, isListener: boolean): boolean {
  const seen = calls.filter((call) => called.test(text.slice(call.callee.start, call.callee.end)) && isWritten(call));
  if ((text.match(askers) ?? []).length !== seen.length || (!isListener && variables.test(text))) return false;
  const addresses = seen.flatMap(({ args }) => args[0] ?? []);
  return texts.every((node) => {
    const parts = node.kind === 'string' ? [node.value] : node.texts.map(({ value }) => value ?? '');
    const isOurs = parts.some((part) => part.endsWith('://') || [...hosts].some((host) => part.includes(host)));
    return (
      !isOurs || addresses.some((each) => isWithin(each, node)) || (isListener && parts.length === 1 && parts[0]?.endsWith('*') === true)
    );
  });
}

/** `fetch('https://api.example.com/v1/messages')` */
function isWritten({ args: [first] }: CallNode): boolean {
  const text = first?.kind === 'string' ? first.value : first?.kind === 'template' ? first.texts[0]?.value : undefined;
  return address.test(text ?? '');
}
