/** What tests expect of a service that nobody here is seen to ask, as an SDK does: the host stands in the expectation, or in a question that it is behind. */
import { guardsAround } from '../evaluate/guards.ts';
import { isScript } from '../evaluate/module.ts';
import type { SourceText } from '../evaluate/source-text.ts';
import { isTest } from '../evaluate/test-files.ts';
import { flat, unknownPart } from '../evaluate/text.ts';
import { walk } from '../syntax/link.ts';
import type { CallNode, Node, StringNode } from '../syntax/tree.ts';
import { isLoopback, isNobodys } from './hosts.ts';
import { versionIn } from './mocked-addresses.ts';
import type { Reach } from './reached.ts';
import type { RequestSite } from './request-sites.ts';

/**
 * @param asked requests of ours, which it would be about otherwise
 * @param reach what its test runs
 * @returns the expectation as one of the other host that it names; undefined where it names none
 */
export function asOfOther(site: RequestSite, asked: readonly RequestSite[], reach: Reach): RequestSite | undefined {
  // A mock answers whoever asks for its address.
  const isMock = site.request.url !== undefined && site.request.expects === undefined;
  if (site.verdict.kind !== 'unproven' || isMock) return undefined;
  const addresses = asked.map(({ request: { url = [] } }) => flat(url).toLowerCase());
  // A host that is not known may have that name.
  if (addresses.length === 0 || addresses.some((address) => /^(?:https?:\/\/)?[^/?#]*\0/.test(address))) return undefined;
  // Where somebody may set the host, a test may, too, and a word may be one of a query.
  const isSet = asked.some(({ byDefault, variable }) => byDefault.length > 0 || variable !== undefined);
  const isSpokenOf = (name: string): boolean =>
    [...reach.byFile(site.request.module)].some((module) => !isTest(module) && spokenOf(name).test(module.text));
  const isOther = (name: string): boolean => (name.includes('.') && !isSet) || isSpokenOf(name);
  const other = namesAt(site).find((name) => !addresses.some((address) => address.includes(name)) && isOther(name));
  return other === undefined ? undefined : { ...site, verdict: { kind: 'foreign', host: other, isMadeUp: false } };
}

/** A package of a service that is called so, or an address of its own. */
function spokenOf(name: string): RegExp {
  const word = (name.split('.').at(-2) ?? name).replaceAll(/[^\w-]/g, '');
  return new RegExp(String.raw`\b(?:from|require\(|import\(?)\s*['"](?![./])[^'"]*${word}|https?://[^'"\s/]*${word}[^'"\s/]*[/'"]`, 'i');
}

const host = /^(?:https?:)?(?:\/\/)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?::\d+)?(?=\/|$)/i;
const hostIn = (text: string): string[] => {
  const name = host.exec(text)?.[1]?.toLowerCase();
  return name === undefined || isLoopback(name) || isNobodys(name) ? [] : [name];
};

/** The hosts that an expectation names before the version, that were asked for when its call was picked, and that it is behind a question for. */
function namesAt({ request: { url = [], call, module, record } }: RequestSite): string[] {
  const text = flat(url);
  const version = versionIn(text);
  const before = version === undefined ? '' : text.slice(0, version.start).split('*').at(-1);
  return [
    ...hostIn(before ?? ''),
    ...(record?.said ?? []).flatMap(({ text: sought, holds }) => (holds ? named(sought) : [])),
    ...[...guardsAround(call), ...askedToPick(record?.picked)].flatMap((test) => textsAskedIn(test, module)),
  ].filter((name) => !name.includes(unknownPart));
}

/** `calls.find(([url]) => url.includes('shop.example.net'))` */
function askedToPick(picked: CallNode | undefined): Node[] {
  const [fn] = picked?.args ?? [];
  return fn?.kind === 'function' && fn.body !== undefined && fn.body.kind !== 'block' ? [fn.body] : [];
}

/** A host, or a word of one. */
const named = (text: string): string[] => (/^[a-z][\w-]{3,}$/i.test(text) ? [text.toLowerCase()] : hostIn(text));

const ofAddress = /^(?:url|href|host|hostname|origin)$/;

/** `url.includes('shop.example.net')`, `new URL(url).host === 'shop.example.net'`, where both have to hold for all that they stand in. */
function textsAskedIn(test: Node, module: SourceText): string[] {
  if (test.kind === 'logical')
    return test.operator === '&&' ? [...textsAskedIn(test.left, module), ...textsAskedIn(test.right, module)] : [];
  if (test.kind === 'binary' && /^===?$/.test(test.operator)) {
    const text = test.left.kind === 'string' ? test.left : test.right;
    return text.kind === 'string' ? hostIn(text.value) : [];
  }
  if (test.kind !== 'call' || test.callee.kind !== 'member') return [];
  const [text] = test.args;
  const isAsked = /^(?:includes|startsWith|endsWith)$/.test(test.callee.property ?? '');
  return isAsked && text?.kind === 'string' ? namedOf(text, test.callee.object, module) : [];
}

/** A host says by itself that something is an address. */
const namedOf = ({ value }: StringNode, asked: Node, module: SourceText): string[] => {
  const hosts = hostIn(value);
  return hosts.length > 0 ? hosts : isOfAddress(asked, module) ? named(value) : [];
};

/** Whether something is part of an address, or made of what a function gets first, as what stands in the place of `fetch` gets that. */
function isOfAddress(node: Node, module: SourceText): boolean {
  let found = false;
  walk(node, (each) => {
    found ||= each.kind === 'member' && ofAddress.test(each.property ?? '');
    const owner = each.kind === 'name' && isScript(module) ? module.scopes.bindingOf(each)?.owner : undefined;
    found ||= owner?.kind === 'param' && owner.parent?.kind === 'function' && owner.parent.params[0] === owner;
    return !found && each.kind !== 'function';
  });
  return found;
}
