/** Programs of one call, from a grammar: client × address × header × key, in any layout that editors leave behind. */
import fc from 'fast-check';
import { v1Endpoints } from '../../../../src/contract/endpoints.ts';
import { basedClients, type BasedName, directClients, type DirectName, likeFetch } from './clients.ts';
import { fetchHeaderForms, headerForms, type HeaderFormName, keyForms, type KeyFormName, sharedHeaders } from './headers.ts';
import { baseForms, type BaseFormName, type Target, urlForms, type UrlFormName } from './urls.ts';
import { sharingWrappers, type WrapperName, wrappers } from './wrappers.ts';
import { type Dialect, type Quote, Writer } from './writer.ts';

/** What a program is made of. */
export interface Choices {
  readonly client: DirectName | BasedName;
  readonly endpoint: keyof typeof v1Endpoints;
  readonly url: UrlFormName;
  readonly base: BaseFormName;
  readonly wrapper: WrapperName;
  /** Whether a client stands in a file of its own. */
  readonly isApart: boolean;
  readonly header: HeaderFormName;
  readonly key: KeyFormName;
  readonly field: string;
  readonly quote: Quote;
  readonly dialect: Dialect;
  readonly names: readonly string[];
  readonly semicolons: boolean;
  readonly indent: string;
  /** One after the other, over and over. */
  readonly ends: readonly ('\n' | '\r\n')[];
  readonly head: '' | 'bom' | 'shebang';
  readonly isEnded: boolean;
  /** Comments that stand above the statements, one after the other; empty ones are none. */
  readonly comments: readonly string[];
}

const keysOf = <Name extends string>(table: Readonly<Record<Name, unknown>>): fc.Arbitrary<Name> =>
  // The tables have no other keys.
  fc.constantFrom(...(Object.keys(table) as Name[]));

const names = [
  'api',
  'url',
  '$',
  '_key',
  'größe',
  'v1',
  'messages',
  'ключ',
  'xApiKey',
  'data',
  'toString',
  'request2',
  'ボタン',
  'of',
  'from',
];

export const choices: fc.Arbitrary<Choices> = fc.record({
  client: fc.oneof({ weight: 3, arbitrary: keysOf(directClients) }, { weight: 2, arbitrary: keysOf(basedClients) }),
  endpoint: keysOf(v1Endpoints),
  url: keysOf(urlForms),
  base: keysOf(baseForms),
  wrapper: keysOf(wrappers),
  isApart: fc.boolean(),
  header: keysOf({ ...headerForms, ...fetchHeaderForms }),
  key: keysOf(keyForms),
  field: fc.constantFrom('x-api-key', 'X-API-Key', 'X-Api-Key', 'X-API-KEY'),
  quote: fc.constantFrom<Quote[]>("'", '"', '`'),
  dialect: fc.constantFrom<Dialect[]>('mjs', 'cjs', 'mts'),
  names: fc.shuffledSubarray(names, { minLength: names.length }),
  semicolons: fc.boolean(),
  indent: fc.constantFrom('  ', '\t', '    '),
  ends: fc.array(fc.constantFrom<('\n' | '\r\n')[]>('\n', '\r\n'), { minLength: 1, maxLength: 3 }),
  head: fc.constantFrom<Choices['head'][]>('', 'bom', 'shebang'),
  isEnded: fc.boolean(),
  comments: fc.array(fc.constantFrom('', '// 😀 v1 of the API', '/* x-api-key: naïve\u2028 */', '// 𝒳'), { minLength: 1, maxLength: 3 }),
});

export interface Program {
  readonly files: Readonly<Record<string, string>>;
  /** The file whose default export, or `module.exports`, makes the call. */
  readonly entry: string;
  readonly method: string;
  /** What is to be asked of v2. */
  readonly path: string;
}

export interface Where {
  readonly base: string;
  readonly key: string;
  /** A second address that the same client goes to. */
  readonly other?: string | undefined;
}

/** They set the field by themselves. */
const takesField: ReadonlySet<BasedName> = new Set<BasedName>(['axios with an interceptor', 'got with a hook']);

const isBased = (name: DirectName | BasedName): name is BasedName => name in basedClients;

/** The header form of a program: what only fetch takes, and what has to be awaited, becomes the plainest where that cannot be. */
function headerOf({ client, header, wrapper }: Choices): HeaderFormName {
  if (header in fetchHeaderForms && !likeFetch.has(client)) return 'inline';
  if (header === 'helper that is awaited' && (isBased(client) || sharingWrappers.has(wrapper))) return 'inline';
  return header;
}

/** Whether the same client, asked for another address, would send the very header of the first call. */
export const sharesHeader = (chosen: Choices): boolean =>
  isBased(chosen.client) || sharingWrappers.has(chosen.wrapper) || sharedHeaders.has(headerOf(chosen));

/** The program for these choices. */
export function render(chosen: Choices, { base, key, other }: Where): Program {
  const { dialect, endpoint } = chosen;
  const writer = new Writer(chosen);
  const { method, path: route } = v1Endpoints[endpoint];
  const target = { base, path: route.replace('/v1', '').replace(':id', 'm-1') };
  const others = other === undefined ? [] : [writer.text(other)];
  const body = (isBased(chosen.client) ? based : direct)(chosen, writer, { target, key, others });
  const { main, constants } = writer.finish(body);
  const second = constants.length > 0 && { [`constants.${dialect}`]: laidOut(constants, chosen) };
  return { files: { [`main.${dialect}`]: laidOut(main, chosen), ...second }, entry: `main.${dialect}`, method, path: `/v2${target.path}` };
}

interface Subject {
  readonly target: Target;
  readonly key: string;
  readonly others: readonly string[];
}

const methodOf = ({ endpoint }: Choices): (typeof v1Endpoints)[keyof typeof v1Endpoints]['method'] => v1Endpoints[endpoint].method;

function headersIn(chosen: Choices, writer: Writer, literal: string) {
  const forms = { ...headerForms, ...fetchHeaderForms };
  const key = keyForms[chosen.key](writer, literal);
  return { key, headers: () => forms[headerOf(chosen)](writer, { field: chosen.field, key }) };
}

function direct(chosen: Choices, writer: Writer, { target, key, others }: Subject): string[] {
  const { client, wrapper } = chosen;
  if (isBased(client)) return [];
  const headers = headersIn(chosen, writer, key).headers();
  const call = wrappers[wrapper](writer, directClients[client](writer, { method: methodOf(chosen) }), headers);
  return [urlForms[chosen.url](writer, target), ...others].map((url) => call(url, headers));
}

/** The client may stand in a file of its own. */
function based(chosen: Choices, writer: Writer, { target, key, others }: Subject): string[] {
  const { client, field, isApart } = chosen;
  if (!isBased(client)) return [];
  const rule = basedClients[client];
  const form = baseForms[chosen.base];
  const base = (): string => form.base(writer, target);
  const make = (): string => {
    const given = headersIn(chosen, writer, key);
    return rule.make(writer, { base, field, key: given.key, headers: takesField.has(client) ? '' : given.headers() });
  };
  const api = isApart ? writer.apart(make) : make();
  return rule.ask(writer, api, { base, path: form.path(writer, target), other: others, method: methodOf(chosen) });
}

function laidOut(lines: readonly string[], { ends, head, isEnded, comments }: Choices): string {
  const start = { '': [], bom: [], shebang: ['#!/usr/bin/env node'] }[head];
  const all = [
    ...start,
    ...lines.flatMap((line, index) => [comments[index % comments.length] ?? '', line].filter((each, at) => at === 1 || each !== '')),
  ];
  const text = all.map((line, index) => line + (index === all.length - 1 && !isEnded ? '' : ends[index % ends.length])).join('');
  return head === 'bom' ? `\uFEFF${text}` : text;
}
