/** What people put around a call, so that address and headers come to it from elsewhere. */
import type { Writer } from './writer.ts';

/** The call, as a statement, of an address and headers. */
type Make = (url: string, headers: string) => string;
/** Declares what is around it; gives the call of that. */
type Wrapper = (writer: Writer, make: Make, headers: string) => Make;

export const wrappers = {
  none: (_, make) => make,
  function: (w, make) => {
    const [name, url, headers] = [w.name(), w.name(), w.name()];
    w.line(`async function ${name}(${url}, ${headers}) { ${make(url, headers)} }`);
    return (...given) => `await ${name}(${given.join(', ')})`;
  },
  'function of an object': (w, make) => {
    const name = w.name();
    w.line(`const ${name} = async ({ address, fields }) => { ${make('address', 'fields')} }`);
    return (url, headers) => `await ${name}({ address: ${url}, fields: ${headers} })`;
  },
  'default parameter': (w, make, fields) => {
    const name = w.name();
    w.line(`async function ${name}(address, fields = ${fields}) { ${make('address', 'fields')} }`);
    return (url) => `await ${name}(${url})`;
  },
  'two functions': (w, make) => {
    const [inner, outer] = [w.name(), w.name()];
    w.line(`const ${inner} = async (address, fields) => { ${make('address', 'fields')} }`);
    w.line(`const ${outer} = (fields) => (address) => ${inner}(address, fields)`);
    return (url, headers) => `await ${outer}(${headers})(${url})`;
  },
  class: (w, make, fields) => {
    const [kind, api] = [w.name(), w.name()];
    w.line(`class ${kind} { constructor(fields) { this.fields = fields } async send(address) { ${make('address', 'this.fields')} } }`);
    w.line(`const ${api} = new ${kind}(${fields})`);
    return (url) => `await ${api}.send(${url})`;
  },
  'class with a private field': (w, make, fields) => {
    const [kind, api] = [w.name(), w.name()];
    w.line(`class ${kind} { #fields = ${fields}; async send(address) { ${make('address', 'this.#fields')} } }`);
    w.line(`const ${api} = new ${kind}()`);
    return (url) => `await ${api}.send(${url})`;
  },
  'object of methods': (w, make) => {
    const api = w.name();
    w.line(`const ${api} = { async send(address, fields) { ${make('address', 'fields')} }, stop() {} }`);
    return (url, headers) => `await ${api}.send(${url}, ${headers})`;
  },
} as const satisfies Record<string, Wrapper>;

export type WrapperName = keyof typeof wrappers;

/** Both calls of one get the same headers. */
export const sharingWrappers: ReadonlySet<WrapperName> = new Set<WrapperName>(['default parameter', 'class', 'class with a private field']);
