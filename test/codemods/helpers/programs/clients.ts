/** Calls as the clients' users write them: statements that are awaited in the program's function. */
import type { Writer } from './writer.ts';

interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
}

/** Expressions. */
interface AskWithBase extends Ask {
  /** Where the client is not made for it. */
  base(): string;
  readonly path: string;
  /** Addresses of others that the same client is asked for, too. */
  readonly other: readonly string[];
}

/** Expressions; `headers` holds the field with the key. */
interface Making {
  base(): string;
  readonly headers: string;
  readonly field: string;
  readonly key: string;
}

type Direct = (writer: Writer, ask: Ask) => (url: string, headers: string) => string;

interface Based {
  make(writer: Writer, making: Making): string;
  ask(writer: Writer, api: string, ask: AskWithBase): string[];
}

const hasBody = ({ method }: Ask): boolean => method === 'POST' || method === 'PUT';
const verb = ({ method }: Ask): string => method.toLowerCase();
const fetchLike = (w: Writer, name: string, ask: Ask): ReturnType<Direct> => {
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

/** They are made for a base and with headers: what is made has a name, by which it then is asked for a path that begins with a slash. */
export const basedClients = {
  'axios.create': {
    make: (w, { base, headers }) => w.constant(`${w.package('axios')}.create({ baseURL: ${base()}, headers: ${headers} })`),
    ask: (_, api, { path, other, ...ask }) => [path, ...other].map((url) => `await ${api}.${verb(ask)}(${url})`),
  },
  'axios with defaults': {
    make: (w, { base, headers }) => {
      const api = w.constant(`${w.package('axios')}.create()`);
      w.line(`${api}.defaults.baseURL = ${base()}`);
      w.line(`${api}.defaults.headers.common = ${headers}`);
      return api;
    },
    ask: (w, api, { path, other, method }) =>
      [path, ...other].map((url) => `await ${api}.request({ url: ${url}, method: ${w.text(method)} })`),
  },
  'axios with an interceptor': {
    make: (w, { base, field, key }) => {
      const api = w.constant(`${w.package('axios')}.create({ baseURL: ${base()} })`);
      w.line(`${api}.interceptors.request.use((config) => { config.headers.set(${w.text(field)}, ${key}); return config })`);
      return api;
    },
    ask: (_, api, { path, other, ...ask }) => [path, ...other].map((url) => `await ${api}.${verb(ask)}(${url})`),
  },
  'ofetch.create': {
    make: (w, { base, headers }) => w.constant(`${w.member('ofetch', 'ofetch')}.create({ baseURL: ${base()}, headers: ${headers} })`),
    ask: (w, api, { path, other, method }) => [
      `await ${api}(${path}, { method: ${w.text(method)} })`,
      ...other.map((root) => `await ${api}(${w.text('/hook')}, { baseURL: ${root} })`),
    ],
  },
  'got.extend': {
    make: (w, { base, headers }) => w.constant(`${w.package('got')}.extend({ prefixUrl: ${base()}, headers: ${headers} })`),
    ask: (w, api, { path, other, ...ask }) => [
      `await ${api}.${verb(ask)}(${relative(path)})`,
      ...other.map((root) => `await ${api}.extend({ prefixUrl: ${root} })(${w.text('hook')})`),
    ],
  },
  'got with a hook': {
    make: (w, { base, field, key }) => {
      const hook = `(options) => { options.headers[${w.text(field)}] = ${key} }`;
      return w.constant(`${w.package('got')}.extend({ prefixUrl: ${base()}, hooks: { beforeRequest: [${hook}] } })`);
    },
    ask: (w, api, { path, other, ...ask }) => [
      `await ${api}.${verb(ask)}(${relative(path)})`,
      ...other.map((root) => `await ${api}.extend({ prefixUrl: ${root} })(${w.text('hook')})`),
    ],
  },
  'ky.create': {
    make: (w, { base, headers }) => w.constant(`${w.package('ky')}.create({ prefix: ${base()}, headers: ${headers} })`),
    ask: (w, api, { path, other, ...ask }) => [
      `await ${api}.${verb(ask)}(${relative(path)}).json()`,
      ...other.map((root) => `await ${api}.extend({ prefix: ${root} })(${w.text('hook')})`),
    ],
  },
  'superagent.agent': {
    make: (w, { headers }) => w.constant(`${w.package('superagent')}.agent().set(${headers})`),
    ask: (_, api, { path, base, other, ...ask }) => [`${base()} + ${path}`, ...other].map((url) => `await ${api}.${verb(ask)}(${url})`),
  },
  'wretch with a base': {
    make: (w, { base, headers }) => w.constant(`${w.package('wretch')}(${base()}).headers(${headers})`),
    ask: (_, api, { path, other, ...ask }) => [
      `await ${api}.url(${path}).${verb(ask)}().res()`,
      ...other.map((url) => `await ${api}.url(${url}, true).get().res()`),
    ],
  },
} as const satisfies Record<string, Based>;

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
