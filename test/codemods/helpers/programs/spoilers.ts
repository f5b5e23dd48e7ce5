/** What makes a program one that must stay as it is: its base, client or headers are used for something else, too. */
import type { Writer } from './writer.ts';

/** Where a base is kept. */
export interface Holder {
  /** What reads it, and what may be written to. */
  readonly target: string;
  /** The object that it is a property of, with the property's name. */
  readonly of?: readonly [object: string, name: string];
  /** A call that sets it. */
  readonly set?: (value: string) => string;
}

/** @param isSet whether there is to be a method or setter for the base */
type HolderForm = (writer: Writer, base: string, isSet: boolean) => Holder;

export const holders = {
  variable: (w, base) => {
    const target = w.name();
    w.line(`let ${target} = ${base}`);
    return { target };
  },
  property: (w, base) => propertyOf(w.constant(`{ base: ${base} }`)),
  'nested property': (w, base) => propertyOf(`${w.constant(`{ api: { base: ${base} } }`)}.api`),
  'imported property': (w, base) => propertyOf(w.imported(`{ base: ${base} }`)),
  'object with methods': (w, base, isSet) => {
    const holder = w.constant(`{ base: ${base}, stop() {}${isSet ? ', use(value) { this.base = value }' : ''} }`);
    return { ...propertyOf(holder), set: (value) => `${holder}.use(${value})` };
  },
  'static field': (w, base) => {
    const kind = w.name();
    w.line(`class ${kind} { static base = ${base} }`);
    return propertyOf(kind);
  },
  field: (w, base, isSet) => {
    const kind = w.name();
    w.line(`class ${kind} { base = ${base};${isSet ? ' use(value) { this.base = value }' : ''} }`);
    const holder = w.constant(`new ${kind}()`);
    return { ...propertyOf(holder), set: (value) => `${holder}.use(${value})` };
  },
  'given to a class': (w, base, isSet) => {
    const kind = w.name();
    w.line(`class ${kind} { constructor(base) { this.base = base }${isSet ? ' set other(value) { this.base = value }' : ''} }`);
    const holder = w.constant(`new ${kind}(${base})`);
    return { ...propertyOf(holder), set: (value) => `${holder}.other = ${value}` };
  },
  item: (w, base) => {
    const list = w.constant(`[${base}]`);
    return { target: `${list}[0]`, of: [list, '0'] };
  },
} as const satisfies Record<string, HolderForm>;

const propertyOf = (object: string): Holder => ({ target: `${object}.base`, of: [object, 'base'] });

/** The expressions that a program has for what it sends with. */
export interface Parts {
  readonly held: Holder | undefined;
  /** The client, where it has a name … */
  readonly api?: string;
  readonly isAxios?: boolean;
  /** … and headers that are one thing however often the expression stands there. */
  readonly headers?: string | undefined;
}

/** Gives a statement; undefined where the program has not what it takes. `other` is an expression for another address. */
type Spoil = (writer: Writer, parts: Parts, other: string) => string | undefined;

const written =
  (write: (target: string, other: string, w: Writer) => string): Spoil =>
  (w, { held }, other) =>
    held && write(held.target, other, w);

const onObject =
  (write: (object: string, name: string, other: string, w: Writer) => string): Spoil =>
  (w, { held }, other) =>
    held?.of && write(held.of[0], w.text(held.of[1]), other, w);

/** Another host comes to where the base is. */
export const writes = {
  assigned: written((target, other) => `${target} = ${other}`),
  'assigned if there': written((target, other) => `if (process.env.OTHER) ${target} = ${other}`),
  'assigned or kept': written((target, other) => `${target} = process.env.OTHER ? ${other} : ${target}`),
  'assigned to both': written((target, other, w) => `${w.constant('{}')}.last = ${target} = ${other}`),
  'assigned where it is': written((target, other) => `${target} &&= ${other}`),
  // A client that was made before keeps what the variable was then: nothing is spoiled by what is appended to that later.
  appended: (w, { held, api }) => (held && (held.of ?? !api) ? `${held.target} += ${w.text('.example.org')}` : undefined),
  'of a package': written((target, _, w) => `${target} = ${w.package('some-sdk')}.discover()`),
  'in an array pattern': written((target, other) => `;[${target}] = [${other}]`),
  'in an object pattern': written((target, other) => `;({ base: ${target} } = { base: ${other} })`),
  'as a default of a pattern': written((target, other) => `;({ base: ${target} = ${other} } = {})`),
  'in a pattern in a pattern': written((target, other) => `;[{ base: ${target} }] = [{ base: ${other} }]`),
  'as a rest': written((target, other) => `;[, ...${target}] = ${other}`),
  'in the head of a loop': written((target, other) => `for (${target} of [${other}]) break`),
  'by keys': written((target, other) => `for (${target} in { [${other}]: 1 }) break`),
  'in a function': written((target, other, w) => {
    const name = w.name();
    w.line(`function ${name}(value) { ${target} = value }`);
    return `${name}(${other})`;
  }),
  'by a setter': (_, { held }, other) => held?.set?.(other),
  'by Object.assign': onObject((object, name, other) => `Object.assign(${object}, { [${name}]: ${other} })`),
  'by Object.assign of a name': onObject(
    (object, name, other, w) => `Object.assign(${object}, ${w.constant(`{ [${name}]: ${other} }`)}, { more: 1 })`,
  ),
  'by Reflect.set': onObject((object, name, other) => `Reflect.set(${object}, ${name}, ${other})`),
  'by Object.defineProperty': onObject((object, name, other) => `Object.defineProperty(${object}, ${name}, { value: ${other} })`),
  'by Object.defineProperties': onObject(
    (object, name, other) => `Object.defineProperties(${object}, { [${name}]: { get: () => ${other} } })`,
  ),
  'in brackets': onObject((object, name, other) => `${object}[${name}] = ${other}`),
  'in brackets of a name': onObject((object, name, other, w) => `${object}[${w.constant(name)}] = ${other}`),
  'under an unknown name': onObject((object, _, other) => `${object}[process.env.NAME] = ${other}`),
  'by another name': onObject((object, name, other, w) => `${w.constant(object)}[${name}] = ${other}`),
  'by a function that is given it': onObject((object, name, other, w) => {
    const set = w.name();
    w.line(`const ${set} = (target, value) => { target[${name}] = value }`);
    return `${set}(${object}, ${other})`;
  }),
} as const satisfies Record<string, Spoil>;

const onClient =
  (write: (api: string, other: string, w: Writer) => string): Spoil =>
  (w, { api, isAxios }, other) =>
    isAxios && api ? write(api, other, w) : undefined;

/** The same for the clients of axios. */
export const clientWrites = {
  defaults: onClient((api, other) => `${api}.defaults.baseURL = ${other}`),
  'defaults in brackets': onClient((api, other, w) => `${api}.defaults[${w.text('baseURL')}] = ${other}`),
  'assigned defaults': onClient((api, other) => `Object.assign(${api}.defaults, { baseURL: ${other} })`),
  'all defaults': onClient((api, other) => `${api}.defaults = { ...${api}.defaults, baseURL: ${other} }`),
  'defaults in a pattern': onClient((api, other) => `;[${api}.defaults.baseURL] = [${other}]`),
  interceptor: onClient((api, other) => `${api}.interceptors.request.use((config) => { config.baseURL = ${other}; return config })`),
  'interceptor of a copy': onClient((api, other) => `${api}.interceptors.request.use((config) => ({ ...config, baseURL: ${other} }))`),
  'interceptor that assigns': onClient(
    (api, other) => `${api}.interceptors.request.use((config) => Object.assign(config, { baseURL: ${other} }))`,
  ),
  'interceptor of addresses': onClient(
    (api, other) => `${api}.interceptors.request.use((config) => { config.url = ${other}; return config })`,
  ),
} as const satisfies Record<string, Spoil>;

const given =
  (hand: (what: string, sdk: string, w: Writer) => string): Spoil =>
  (w, { api, headers }) => {
    const what = api ?? headers;
    return what && hand(what, w.package('some-sdk'), w);
  };

/** Code that was not read gets the client or the headers. */
export const handings = {
  argument: given((what, sdk) => `${sdk}(${what})`),
  'argument of a method': given((what, sdk) => `${sdk}.register(${what})`),
  'argument of a class': given((what, sdk) => `new ${sdk}.Client(${what})`),
  'property of an argument': given((what, sdk) => `${sdk}.register({ shared: ${what} })`),
  'item of an argument': given((what, sdk) => `${sdk}.register([${what}])`),
  'result of a callback': given((what, sdk) => `${sdk}.register(() => (${what}))`),
  'spread argument': given((what, sdk) => `${sdk}.register(...[${what}])`),
  property: given((what, sdk) => `${sdk}.shared = ${what}`),
  global: given((what) => `globalThis.shared = ${what}`),
  'a promise': given((what, sdk) => `Promise.resolve(${what}).then(${sdk}.register)`),
  'each of a list': given((what, sdk) => `;[${what}].forEach(${sdk}.register)`),
  'a timer': given((what, sdk) => `setTimeout(${sdk}.register, 0, ${what})`),
  'a name': given((what, sdk, w) => `${sdk}.register(${w.constant(what)})`),
} as const satisfies Record<string, Spoil>;

/** Where the statement stands. */
export const places = {
  file: (w, statement) => {
    w.line(statement);
    return [];
  },
  function: (_, statement) => [statement],
  listener: (w, statement) => {
    w.line(`process.on(${w.text('SIGHUP')}, async () => { ${statement} })`);
    return [];
  },
} as const satisfies Record<string, (writer: Writer, statement: string) => string[]>;

const forms: Readonly<Record<string, Spoil>> = { ...writes, ...clientWrites, ...handings };

export interface Spoiler {
  /** How the base is kept; the program's own way where this does not matter. */
  readonly holder: keyof typeof holders | undefined;
  readonly form: keyof typeof writes | keyof typeof clientWrites | keyof typeof handings;
  readonly place: keyof typeof places;
}

/** Where the base of a program that may be spoiled is kept. */
export const heldBy = (w: Writer, { holder, form }: Spoiler, base: string, isSound: boolean): Holder | undefined =>
  holder && holders[holder](w, w.text(base), form === 'by a setter' && !isSound);

/** @returns the statement that spoils a program; undefined where it has nothing that can be spoiled so */
export const spoiling = (w: Writer, { form }: Spoiler, parts: Parts): string | undefined =>
  forms[form]?.(w, parts, w.text('https://api.example.net'));
