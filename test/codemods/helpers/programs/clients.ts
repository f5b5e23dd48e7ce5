/** Calls as the clients' users write them: statements that are awaited in the program's function. */
import type { Writer } from './writer.ts';

interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Expressions. */
  readonly base: string;
  readonly path: string;
  readonly headers: string;
  /** The second address, to which the same client is asked to go, in the properties about shared clients. */
  readonly other: string | undefined;
}

type Direct = (writer: Writer, ask: Pick<Ask, 'method'>) => (url: string, headers: string) => string;
type WithBase = (writer: Writer, ask: Ask) => string[];

const hasBody = ({ method }: Pick<Ask, 'method'>): boolean => method === 'POST' || method === 'PUT';
const verb = ({ method }: Pick<Ask, 'method'>): string => method.toLowerCase();
const fetchLike = (w: Writer, name: string, ask: Pick<Ask, 'method'>): ReturnType<Direct> => {
  const method = ask.method === 'GET' ? '' : `method: ${w.text(ask.method)}, `;
  const body = hasBody(ask) ? `, body: JSON.stringify({ name: ${w.text('ø')} })` : '';
  return (url, headers) => `await ${name}(${url}, { ${method}headers: ${headers}${body} })`;
};

/** Without the slash that an expression of a path begins with. */
const relative = (path: string): string => path.replace(/^(['"`])\//, '$1');

/** They take the whole address: each gives the statement for an address and headers. */
export const directClients = {
  fetch: (w, ask) => fetchLike(w, 'fetch', ask),
  'fetch of a Request':
    (w, { method }) =>
    (url, headers) =>
      `await fetch(new Request(${url}, { method: ${w.text(method)}, headers: ${headers} }))`,
  'fetch with an init':
    (w, { method }) =>
    (url, headers) => {
      const init = w.name();
      return `const ${init} = { method: ${w.text(method)}, headers: ${headers} }; await fetch(${url}, ${init})`;
    },
  'undici fetch': (w, ask) => fetchLike(w, w.member('undici', 'fetch'), ask),
  'undici request': (w, { method }) => {
    const request = w.member('undici', 'request');
    return (url, headers) => `await ${request}(${url}, { method: ${w.text(method)}, headers: ${headers} })`;
  },
  axios: (w, ask) => {
    const axios = w.package('axios');
    return (url, headers) => `await ${axios}.${verb(ask)}(${url}, ${hasBody(ask) ? '{}, ' : ''}{ headers: ${headers} })`;
  },
  'axios with a description': (w, ask) => {
    const axios = w.package('axios');
    return (url, headers) => `await ${axios}({ method: ${w.text(verb(ask))}, url: ${url}, headers: ${headers} })`;
  },
  got: (w, ask) => {
    const got = w.package('got');
    return (url, headers) => `await ${got}.${verb(ask)}(${url}, { headers: ${headers}${hasBody(ask) ? ', json: {}' : ''} })`;
  },
  ky: (w, ask) => {
    const ky = w.package('ky');
    return (url, headers) => `await ${ky}(${url}, { method: ${w.text(verb(ask))}, headers: ${headers} }).json()`;
  },
  'node:http': (w, { method }) => {
    const http = w.package('node:http');
    const end = `(answer) => answer.resume().on(${w.text('end')}, done)`;
    return (url, headers) =>
      `await new Promise((done) => ${http}.request(${url}, { method: ${w.text(method)}, headers: ${headers} }, ${end}).end())`;
  },
  superagent: (w, ask) => {
    const agent = w.package('superagent');
    return (url, headers) => `await ${agent}.${verb(ask)}(${url}).set(${headers})`;
  },
  needle: (w, ask) => {
    const needle = w.package('needle');
    return (url, headers) => `await ${needle}(${w.text(verb(ask))}, ${url}, null, { headers: ${headers} })`;
  },
  ofetch: (w, { method }) => {
    const ofetch = w.member('ofetch', 'ofetch');
    return (url, headers) => `await ${ofetch}(${url}, { method: ${w.text(method)}, headers: ${headers} })`;
  },
  wretch: (w, ask) => {
    const wretch = w.package('wretch');
    return (url, headers) => `await ${wretch}(${url}).headers(${headers}).${verb(ask)}().res()`;
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
