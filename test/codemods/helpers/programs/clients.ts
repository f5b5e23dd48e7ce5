/** Calls as the clients' users write them: statements that are awaited in the program's function. */
import type { Writer } from './writer.ts';

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Expressions. */
  readonly url: string;
  readonly headers: string;
  /** The second address, to which the same client is asked to go, in the properties about shared clients. */
  readonly other: string | undefined;
}

export interface AskWithBase extends Omit<Ask, 'url'> {
  readonly base: string;
  readonly path: string;
}

type Direct = (writer: Writer, ask: Ask) => string[];
type WithBase = (writer: Writer, ask: AskWithBase) => string[];

const hasBody = ({ method }: Pick<Ask, 'method'>): boolean => method === 'POST' || method === 'PUT';
const verb = ({ method }: Pick<Ask, 'method'>): string => method.toLowerCase();
/** The first call, and the second with the same headers. */
const both = ({ url, other }: Ask, call: (url: string) => string): string[] => [url, ...(other === undefined ? [] : [other])].map(call);

const fetchLike = (w: Writer, name: string, ask: Ask): string[] => {
  const method = ask.method === 'GET' ? '' : `method: ${w.text(ask.method)}, `;
  const body = hasBody(ask) ? `, body: JSON.stringify({ name: ${w.text('ø')} })` : '';
  return both(ask, (url) => `await ${name}(${url}, { ${method}headers: ${ask.headers}${body} })`);
};

/** Without the slash that an expression of a path begins with. */
const relative = (path: string): string => path.replace(/^(['"`])\//, '$1');

/** They take the whole address. */
export const directClients = {
  fetch: (w, ask) => fetchLike(w, 'fetch', ask),
  'fetch of a Request': (w, ask) =>
    both(ask, (url) => `await fetch(new Request(${url}, { method: ${w.text(ask.method)}, headers: ${ask.headers} }))`),
  'fetch with an init': (w, ask) => {
    const init = w.constant(`{ method: ${w.text(ask.method)}, headers: ${ask.headers} }`);
    return both(ask, (url) => `await fetch(${url}, ${init})`);
  },
  'undici fetch': (w, ask) => fetchLike(w, w.member('undici', 'fetch'), ask),
  'undici request': (w, ask) => {
    const request = w.member('undici', 'request');
    return both(ask, (url) => `await ${request}(${url}, { method: ${w.text(ask.method)}, headers: ${ask.headers} })`);
  },
  axios: (w, ask) => {
    const axios = w.package('axios');
    return both(ask, (url) => `await ${axios}.${verb(ask)}(${url}, ${hasBody(ask) ? '{}, ' : ''}{ headers: ${ask.headers} })`);
  },
  'axios with a description': (w, ask) => {
    const axios = w.package('axios');
    return both(ask, (url) => `await ${axios}({ method: ${w.text(verb(ask))}, url: ${url}, headers: ${ask.headers} })`);
  },
  got: (w, ask) => {
    const got = w.package('got');
    return both(ask, (url) => `await ${got}.${verb(ask)}(${url}, { headers: ${ask.headers}${hasBody(ask) ? ', json: {}' : ''} })`);
  },
  ky: (w, ask) => {
    const ky = w.package('ky');
    return both(ask, (url) => `await ${ky}(${url}, { method: ${w.text(verb(ask))}, headers: ${ask.headers} }).json()`);
  },
  'node:http': (w, ask) => {
    const http = w.package('node:http');
    const options = `{ method: ${w.text(ask.method)}, headers: ${ask.headers} }`;
    return both(
      ask,
      (url) =>
        `await new Promise((done) => ${http}.request(${url}, ${options}, (answer) => answer.resume().on(${w.text('end')}, done)).end())`,
    );
  },
  superagent: (w, ask) => {
    const agent = w.package('superagent');
    return both(ask, (url) => `await ${agent}.${verb(ask)}(${url}).set(${ask.headers})`);
  },
  needle: (w, ask) => {
    const needle = w.package('needle');
    return both(ask, (url) => `await ${needle}(${w.text(verb(ask))}, ${url}, null, { headers: ${ask.headers} })`);
  },
  ofetch: (w, ask) => {
    const ofetch = w.member('ofetch', 'ofetch');
    return both(ask, (url) => `await ${ofetch}(${url}, { method: ${w.text(ask.method)}, headers: ${ask.headers} })`);
  },
  wretch: (w, ask) => {
    const wretch = w.package('wretch');
    return both(ask, (url) => `await ${wretch}(${url}).headers(${ask.headers}).${verb(ask)}().res()`);
  },
} as const satisfies Record<string, Direct>;

/** They are made for a base, and asked for a path that begins with a slash. */
export const basedClients = {
  'axios.create': (w, { base, path, headers, other, ...ask }) => {
    const api = w.constant(`${w.package('axios')}.create({ baseURL: ${base}, headers: ${headers} })`);
    return [path, ...(other === undefined ? [] : [other])].map((url) => `await ${api}.${verb(ask)}(${url})`);
  },
  'ofetch.create': (w, { base, path, headers, other, method }) => {
    const api = w.constant(`${w.member('ofetch', 'ofetch')}.create({ baseURL: ${base}, headers: ${headers} })`);
    const second = other === undefined ? [] : [`await ${api}(${w.text('/hook')}, { baseURL: ${other} })`];
    return [`await ${api}(${path}, { method: ${w.text(method)} })`, ...second];
  },
  'got.extend': (w, { base, path, headers, other, ...ask }) => {
    const api = w.constant(`${w.package('got')}.extend({ prefixUrl: ${base}, headers: ${headers} })`);
    const second = other === undefined ? [] : [`await ${api}.extend({ prefixUrl: ${other} })(${w.text('hook')})`];
    return [`await ${api}.${verb(ask)}(${relative(path)})`, ...second];
  },
  'ky.create': (w, { base, path, headers, other, ...ask }) => {
    const api = w.constant(`${w.package('ky')}.create({ prefix: ${base}, headers: ${headers} })`);
    const second = other === undefined ? [] : [`await ${api}.extend({ prefix: ${other} })(${w.text('hook')})`];
    return [`await ${api}.${verb(ask)}(${relative(path)}).json()`, ...second];
  },
  'wretch with a base': (w, { base, path, headers, other, ...ask }) => {
    const api = w.constant(`${w.package('wretch')}(${base}).headers(${headers})`);
    const second = other === undefined ? [] : [`await ${api}.url(${other}, true).get().res()`];
    return [`await ${api}.url(${path}).${verb(ask)}().res()`, ...second];
  },
} as const satisfies Record<string, WithBase>;

export type DirectName = keyof typeof directClients;
export type BasedName = keyof typeof basedClients;

/** Those that take what fetch takes for headers. */
export const likeFetch: ReadonlySet<DirectName | BasedName> = new Set<DirectName | BasedName>([
  'fetch',
  'fetch of a Request',
  'fetch with an init',
  'undici fetch',
  'ofetch',
]);
