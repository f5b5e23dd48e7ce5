/** Programs of one call, from a grammar: client × address × header × key, in any layout that editors leave behind. */
import fc from 'fast-check';
import { v1Endpoints } from '../../../../src/contract/endpoints.ts';
import { basedClients, type BasedName, directClients, type DirectName, likeFetch } from './clients.ts';
import { fetchHeaderForms, headerForms, type HeaderFormName, keyForms, type KeyFormName, namedHeaders, sharedHeaders } from './headers.ts';
import { clientWrites, handings, heldBy, type Holder, holders, type Parts, places, type Spoiler, spoiling, writes } from './spoilers.ts';
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

const spoilersOf = <Form extends Spoiler['form']>(
  forms: Readonly<Record<Form, unknown>>,
  holder: fc.Arbitrary<Spoiler['holder']>,
): fc.Arbitrary<Spoiler> => fc.record({ holder, form: keysOf(forms), place: keysOf(places) });

/** What must keep a program as it is. */
export const spoilers = {
  'another host is written to where its base is kept': spoilersOf(writes, keysOf(holders)),
  'another host is written to its client': spoilersOf(clientWrites, fc.constant(undefined)),
  'its client or headers are handed to code that was not read': spoilersOf(handings, fc.constant(undefined)),
};

export interface Program {
  readonly files: Readonly<Record<string, string>>;
  /** The file whose default export, or `module.exports`, makes the call. */
  readonly entry: string;
  readonly method: string;
  /** What is to be asked of v2. */
  readonly path: string;
  /** Whether the spoiler found something in it to spoil. */
  readonly isSpoiled: boolean;
}

export interface Where {
  readonly base: string;
  readonly key: string;
  /** A second address that the same client goes to. */
  readonly other?: string | undefined;
  readonly spoiler?: Spoiler;
  /** Whether the program is only made so that it could be spoiled. */
  readonly isSound?: boolean;
}

/** They set the field by themselves. */
const takesField: ReadonlySet<BasedName> = new Set<BasedName>(['axios with an interceptor', 'got with a hook']);

const isBased = (name: DirectName | BasedName): name is BasedName => name in basedClients;

/** The header form of a program: what only fetch takes, and what has to be awaited, becomes the plainest where that cannot be. */
function headerOf({ client, header, wrapper }: Choices): HeaderFormName {
  if (header in fetchHeaderForms && !likeFetch.has(client)) return 'inline';
  // The call of node:http stands in a function that is not async.
  const awaits = !isBased(client) && client !== 'node:http' && !sharingWrappers.has(wrapper);
  if (header === 'helper that is awaited' && !awaits) return 'inline';
  return header;
}

/** Whether the same client, asked for another address, would send the very header of the first call. */
export const sharesHeader = (chosen: Choices): boolean =>
  isBased(chosen.client) || sharingWrappers.has(chosen.wrapper) || sharedHeaders.has(headerOf(chosen));

/** Whether another request would have but the name of the header from the same place. */
export const sharesHeaderName = (chosen: Choices): boolean => !sharesHeader(chosen) && namedHeaders.has(headerOf(chosen));

/** The program for these choices. */
export function render(chosen: Choices, { base, key, other, spoiler, isSound = false }: Where): Program {
  const { dialect, endpoint } = chosen;
  const writer = new Writer(chosen);
  const { method, path: route } = v1Endpoints[endpoint];
  const target = { base, path: route.replace('/v1', '').replace(':id', 'm-1') };
  const others = other === undefined ? [] : [writer.text(other)];
  const held = spoiler && heldBy(writer, spoiler, base, isSound);
  const { body, ...parts } = (isBased(chosen.client) ? based : direct)(chosen, writer, { target, key, others, held });
  const statement = spoiler === undefined || isSound ? undefined : spoiling(writer, spoiler, { held, ...parts });
  const more = spoiler === undefined || statement === undefined ? [] : places[spoiler.place](writer, statement);
  const { main, constants } = writer.finish([...more, ...body]);
  const second = constants.length > 0 && { [`constants.${dialect}`]: laidOut(constants, chosen) };
  return {
    files: { [`main.${dialect}`]: laidOut(main, chosen), ...second },
    entry: `main.${dialect}`,
    method,
    path: `/v2${target.path}`,
    isSpoiled: statement !== undefined,
  };
}

interface Subject {
  readonly target: Target;
  readonly key: string;
  readonly others: readonly string[];
  /** Where the base is kept, if not where the program would keep it. */
  readonly held: Holder | undefined;
}

/** The statements, with what they send with. */
interface Sending extends Omit<Parts, 'held'> {
  readonly body: readonly string[];
}

const methodOf = ({ endpoint }: Choices): (typeof v1Endpoints)[keyof typeof v1Endpoints]['method'] => v1Endpoints[endpoint].method;

function headersIn(chosen: Choices, writer: Writer, literal: string) {
  const forms = { ...headerForms, ...fetchHeaderForms };
  const key = keyForms[chosen.key](writer, literal);
  return { key, headers: () => forms[headerOf(chosen)](writer, { field: chosen.field, key }) };
}

function direct(chosen: Choices, writer: Writer, { target, key, others, held }: Subject): Sending {
  const { client, wrapper } = chosen;
  if (isBased(client)) return { body: [] };
  const headers = headersIn(chosen, writer, key).headers();
  const call = wrappers[wrapper](writer, directClients[client](writer, { method: methodOf(chosen) }), headers);
  const url = held === undefined ? urlForms[chosen.url](writer, target) : `${held.target} + ${writer.text(`/v1${target.path}`)}`;
  const isShared = sharedHeaders.has(headerOf(chosen)) && !headers.includes('await');
  return { body: [url, ...others].map((at) => call(at, headers)), headers: isShared ? headers : undefined };
}

/** The client may stand in a file of its own. */
function based(chosen: Choices, writer: Writer, { target, key, others, held }: Subject): Sending {
  const { client, field, isApart } = chosen;
  if (!isBased(client)) return { body: [] };
  const rule = basedClients[client];
  const form = baseForms[chosen.base];
  const { base, path } =
    held === undefined
      ? { base: () => form.base(writer, target), path: () => form.path(writer, target) }
      : { base: () => held.target, path: () => writer.text(`/v1${target.path}`) };
  const make = (): string => {
    const given = headersIn(chosen, writer, key);
    return rule.make(writer, { base, field, key: given.key, headers: takesField.has(client) ? '' : given.headers() });
  };
  const api = isApart && held === undefined ? writer.apart(make) : make();
  const body = rule.ask(writer, api, { base, path: path(), other: others, method: methodOf(chosen) });
  return { body, api, isAxios: client.startsWith('axios') };
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
