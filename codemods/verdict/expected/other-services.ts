/** What tests expect of a service that nobody here is seen to ask, as an SDK does: the host stands in the expectation, or in a question that it is behind. */
import { answersAround } from '../../evaluate/language/guards.ts';
import { isScript } from '../../evaluate/module.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, LiteralNode, Node, StringNode } from '../../syntax/tree.ts';
import { isLoopback } from '../bases/hosts.ts';
import { versionIn } from './mocked-addresses.ts';
import type { Reach } from './reached.ts';
import type { RequestSite } from '../request-sites.ts';

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
  const isOurs = (name: string): boolean => addresses.some((address) => address.includes(name));
  const said = saidAt(site).filter(({ name }) => !name.includes(unknownPart));
  const other = said.find(({ name, holds }) => (holds ? !isOurs(name) && isOther(name) : isHostOfAll(name, addresses)));
  return other === undefined ? undefined : { ...site, verdict: { kind: 'foreign', host: other.name, isMadeUp: false } };
}

/** A package of a service that is called so, or an address of its own. */
function spokenOf(name: string): RegExp {
  const word = (name.split('.').at(-2) ?? name).replaceAll(/[^\w-]/g, '');
  return new RegExp(String.raw`\b(?:from|require\(|import\(?)\s*['"](?![./])[^'"]*${word}|https?://[^'"\s/]*${word}[^'"\s/]*[/'"]`, 'i');
}

const host = /^(?:https?:)?(?:\/\/)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?::\d+)?(?=\/|$)/i;
const hostIn = (text: string): string[] => {
  const name = host.exec(text)?.[1]?.toLowerCase();
  return name === undefined || isLoopback(name) ? [] : [name];
};

/** Where what has our host is sent elsewhere, as by `else`, what is left is another's. */
const isHostOfAll = (name: string, addresses: readonly string[]): boolean =>
  name.includes('.') && addresses.every((address) => address.includes(name));

/** What an expectation says of the address that it is about. */
interface Said {
  /** A host, or a word of one. */
  readonly name: string;
  /** Whether it has that, or has not. */
  readonly holds: boolean;
}

/** The hosts that an expectation names before the version, that were asked for when its call was picked, and that it is behind a question for. */
function saidAt({ request: { url = [], call, module, record } }: RequestSite): Said[] {
  const text = flat(url);
  const version = versionIn(text);
  const before = version === undefined ? '' : text.slice(0, version.start).split('*').at(-1);
  return [
    ...hostIn(before ?? '').map((name) => ({ name, holds: true })),
    ...(record?.said ?? []).flatMap(({ text: sought, holds }) => saidOf(sought, named(sought), holds)),
    ...answersAround(call).flatMap(({ test, holds }) => saidIn(test, holds, module)),
    ...casesAround(call).map((name) => ({ name, holds: true })),
    ...askedToPick(record?.picked).flatMap((test) => saidIn(test, true, module)),
  ];
}

/** `calls.find(([url]) => url.includes('shop.example.net'))` */
function askedToPick(picked: CallNode | undefined): Node[] {
  const [fn] = picked?.args ?? [];
  if (fn?.kind !== 'function' || fn.body === undefined) return [];
  const [only, more] = fn.body.kind === 'block' ? fn.body.body : [fn.body];
  const given = only?.kind === 'return' ? only.argument : only;
  return given === undefined || more !== undefined ? [] : [given];
}

/** `case 'shop.example.net':` */
function casesAround(place: Node): string[] {
  const found: string[] = [];
  for (let at = place; at.parent !== undefined && at.kind !== 'function'; at = at.parent) {
    const [test] = at.kind === 'other' && at.what === 'CaseClause' ? at.children : [];
    if (test?.kind === 'string') found.push(...hostIn(test.value));
  }
  return found;
}

/** A host, or a word of one. */
const named = (text: string): string[] => (/^[a-z][\w-]{3,}$/i.test(text) ? [text.toLowerCase()] : hostIn(text));

const ofAddress = /^(?:url|href|host|hostname|origin)$/;

/** `url.includes('shop.example.net')`, `new URL(url).host === 'shop.example.net'`, as far as the answer to the whole says what each is. */
function saidIn(test: Node, holds: boolean, module: SourceText): Said[] {
  if (test.kind === 'unary') return test.operator === '!' ? saidIn(test.argument, !holds, module) : [];
  if (test.kind === 'logical')
    return test.operator === (holds ? '&&' : '||') ? [test.left, test.right].flatMap((each) => saidIn(each, holds, module)) : [];
  if (test.kind === 'binary' && /^[!=]==?$/.test(test.operator)) {
    const text = test.left.kind === 'string' ? test.left : test.right;
    const isSo = test.operator.startsWith('=') === holds;
    return text.kind === 'string' ? saidOf(text.value, hostIn(text.value), isSo) : [];
  }
  if (test.kind !== 'call' || test.callee.kind !== 'member') return [];
  const [text] = test.args;
  const { object, property = '' } = test.callee;
  if (property === 'test' && object.kind === 'literal') return saidOf('', hostsOfPattern(object), holds);
  if (!/^(?:includes|startsWith|endsWith)$/.test(property) || text?.kind !== 'string') return [];
  return saidOf(text.value, namedOf(text, object, module), holds);
}

/** What has not an address with a path may have another path of that host. */
const saidOf = (text: string, names: readonly string[], holds: boolean): Said[] =>
  holds || /^(?:https?:)?(?:\/\/)?[\w.:-]+\/?(?:v1\/?)?$/.test(text) ? names.map((name) => ({ name, holds })) : [];

/** `/shop\.example\.net/` */
function hostsOfPattern({ value }: LiteralNode): string[] {
  const pattern = typeof value === 'object' && value !== null ? value.pattern : '';
  return hostIn(pattern.replace(/^\^?(?:https\??:\\\/\\\/)?/, '').replaceAll('\\', ''));
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
