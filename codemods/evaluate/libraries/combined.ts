/** What the rules of all libraries say together, put together once for all questions. */
import type { AmbientMark } from '../../find/modules/ambient.ts';
import type { ClientRule, LibraryFunction } from './client-rule.ts';
import type { SourceModule } from '../module.ts';
import type { ExternalValue } from '../values/values.ts';

export interface Combined extends Required<
  Pick<
    ClientRule,
    | 'thisIn'
    | 'yields'
    | 'injected'
    | 'givenByPlatform'
    | 'eventFetch'
    | 'handsOn'
    | 'configured'
    | 'defaultOf'
    | 'inherited'
    | 'settingsIn'
    | 'laidOver'
    | 'standIn'
    | 'headersSetBy'
  >
> {
  /** Whether a method of this name may make a request, or set its headers: what else is called on a parameter makes none. */
  mayAsk(method: string): boolean;
  /** The names of functions that clients have by what a file says. */
  functionsIn(module: SourceModule): readonly string[];
  /** Whether the text of what is written to may be a setting of a client, or of a request. */
  maySet(target: string): boolean;
  /** Whether a property of this name may hold a client's base, or its defaults. */
  isSetting(property: string | undefined): boolean;
  /** Whether a package only puts itself around the requests of a client. */
  isPlugIn(source: string): boolean;
  /** Whether all exports of a module are variables of the environment. */
  isEnvironment(source: string): boolean;
  /** Whether a file may hold functions of mocks, which compare what they receive. */
  comparesIn(text: string): boolean;
  /** Whether a file may have commands run that ask for something. */
  commandsIn(text: string): boolean;
  /** Whether what a package or a global has gives an answer where it is called … */
  givesAnswer(callee: ExternalValue): boolean;
  /** … and whether such a method of it reads that. */
  readsAnswer(method: string): boolean;
  /** Packages that run commands. */
  readonly runners: ReadonlySet<string>;
  /** The package that a file of the project is a copy of, where it exports this of it. */
  copiedInto(module: SourceModule, exported: string): string | undefined;
  /** The packages and the global names that rules know. */
  readonly modules: ReadonlySet<string>;
  readonly globals: ReadonlySet<string>;
  readonly environments: ReadonlySet<string>;
  readonly carriers: ReadonlySet<string>;
  /** By which names others get what a function of a module is given; a rule that has modules speaks of these alone. */
  handedBy(callee: Pick<ExternalValue, 'source' | 'path'>): readonly string[];
  readonly variants: readonly RegExp[];
  readonly callsInTexts: (text: string) => boolean;
  readonly folderLoaders: readonly RegExp[];
  readonly patternLoaders: readonly RegExp[];
  readonly takes: readonly NonNullable<ClientRule['takes']>[];
  readonly fillsFrom: readonly NonNullable<ClientRule['fillsFrom']>[];
  readonly ambient: readonly AmbientMark[];
  /** Whether a call of this name is given a list that says when to run again. */
  takesDependencies(callee: string): boolean;
  /** Whether a text names a package that holds calls back. */
  throttles(text: string): boolean;
  /** Whether a text names a package that waits between tries. */
  retries(text: string): boolean;
  readonly functions: ReadonlyMap<string, LibraryFunction>;
  readonly reads: ReadonlyMap<string, NonNullable<ClientRule['reads']>[string]>;
  readonly tags: ReadonlySet<string>;
  /** Whether a function of a package only shows people what it is given. */
  isShown(callee: Pick<ExternalValue, 'source' | 'path'>): boolean;
}

/** HTTP's own methods, and names that people give to functions which ask for something, or set a header. */
const asking = String.raw`get|post|put|patch|delete|head|options|headers?|(?:set|append|with)\w*|\w*(?:fetch|request|http)\w*`;
const known = new WeakMap<readonly ClientRule[], Combined>();

export function combined(rules: readonly ClientRule[]): Combined {
  const before = known.get(rules);
  if (before !== undefined) return before;
  const made = combine(rules);
  known.set(rules, made);
  return made;
}

function combine(rules: readonly ClientRule[]): Combined {
  const all = <Item>(of: (rule: ClientRule) => readonly Item[] | undefined): Item[] => rules.flatMap((rule) => of(rule) ?? []);
  const mayAsk = oneOf([asking, ...all(({ asksBy }) => asksBy)]);
  const functionsIn = rules.filter((rule) => rule.functionsIn !== undefined);
  // Of what holds the defaults, what stands first is enough.
  const maySet = new RegExp(['headers', 'base_?url', ...all(({ defaults }) => defaults?.slice(0, 1))].join('|'), 'i');
  const settings = oneOf(['base_?url', ...all(({ defaults }) => defaults), ...all(({ bases }) => bases)]);
  const plugIns = all(({ plugIns }) => plugIns && [plugIns]);
  const environments = all(({ environmentModules }) => environmentModules && [environmentModules]);
  const dependencyLists = all(({ dependencyLists }) => dependencyLists && [dependencyLists]);
  const throttles = quoted(all((rule) => rule.throttles));
  const retries = quoted(all((rule) => rule.retries));
  const comparesIn = rules.filter((rule) => rule.compare !== undefined || rule.comparesIn !== undefined).map((rule) => rule.comparesIn);
  const commandsIn = all((rule) => rule.commandsIn && [rule.commandsIn]);
  const answers = rules.flatMap(({ answers: each, globals = [], modules = [] }) =>
    each === undefined ? [] : [{ ...each, origins: [...modules, ...globals.map((name) => `global ${name}`)] }],
  );
  const answering = new Set(answers.flatMap(({ to, origins }) => origins.flatMap((origin) => to.map((name) => `${origin} ${name}`))));
  const reading = new Set(answers.flatMap(({ by }) => by));
  const handed = rules.flatMap(({ handed: each = {}, modules }) => Object.entries(each).map(([name, by]) => ({ name, by, modules })));
  const thisIn = all((rule) => rule.thisIn && [rule.thisIn]);
  const yields = all((rule) => rule.yields && [rule.yields]);
  const injected = all((rule) => rule.injected && [rule.injected]);
  const givenByPlatform = all((rule) => rule.givenByPlatform && [rule.givenByPlatform]);
  const eventFetch = all((rule) => rule.eventFetch && [rule.eventFetch]);
  const handsOn = all((rule) => rule.handsOn && [rule.handsOn]);
  const inherited = all((rule) => rule.inherited && [rule.inherited]);
  const settingsIn = all((rule) => rule.settingsIn && [rule.settingsIn]);
  const laidOver = all((rule) => rule.laidOver && [rule.laidOver]);
  const standIn = all((rule) => rule.standIn && [rule.standIn]);
  const headersSetBy = all((rule) => rule.headersSetBy && [rule.headersSetBy]);
  const shown = new Set(all((rule) => rule.shows));
  const callsInTexts = all((rule) => rule.callsInTexts && [rule.callsInTexts]);
  const configured = all((rule) => rule.configured && [rule.configured]);
  const defaultOf = all((rule) => rule.defaultOf && [rule.defaultOf]);
  return {
    mayAsk: (method) => mayAsk.test(method),
    functionsIn: (module) => functionsIn.flatMap((rule) => rule.functionsIn?.(module) ?? []),
    maySet: (target) => maySet.test(target),
    isSetting: (property) => property !== undefined && settings.test(property),
    isPlugIn: (source) => plugIns.some((pattern) => pattern.test(source)),
    isEnvironment: (source) => environments.some((pattern) => pattern.test(source)),
    comparesIn: (text) => comparesIn.some((pattern) => pattern === undefined || pattern.test(text)),
    givesAnswer: ({ source, path }) =>
      answering.has(source === '' ? `global ${path[0]} ${path.slice(1).join('.')}` : `${source} ${path.join('.')}`),
    readsAnswer: (method) => reading.has(method),
    runners: new Set(rules.flatMap((rule) => (rule.commandsIn === undefined ? [] : (rule.modules ?? [])))),
    commandsIn: (text) => commandsIn.some((pattern) => pattern.test(text)),
    modules: new Set(all((rule) => rule.modules)),
    globals: new Set(all((rule) => rule.globals)),
    environments: new Set(all((rule) => rule.environments)),
    carriers: new Set(all((rule) => rule.carriers)),
    handedBy: ({ source, path }) => {
      const names = new Set([path.at(-1) ?? '', path.join('.')]);
      return handed.flatMap(({ name, by, modules }) => (names.has(name) && modules?.includes(source) !== false ? by : []));
    },
    variants: all(({ variants }) => variants && [variants]),
    callsInTexts: (text) => callsInTexts.some((ask) => ask(text)),
    folderLoaders: all(({ folderLoaders }) => folderLoaders && [folderLoaders]),
    patternLoaders: all(({ patternLoaders }) => patternLoaders && [patternLoaders]),
    takes: all(({ takes }) => takes && [takes]),
    fillsFrom: all(({ fillsFrom }) => fillsFrom && [fillsFrom]),
    ambient: all(({ ambient = [] }) => [ambient].flat()),
    takesDependencies: (callee) => dependencyLists.some((pattern) => pattern.test(callee)),
    throttles: (text) => throttles.test(text),
    retries: (text) => retries.test(text),
    functions: new Map(all((rule) => Object.entries(rule.functions ?? {}))),
    reads: new Map(all((rule) => Object.entries(rule.reads ?? {}))),
    tags: new Set(all((rule) => rule.tags)),
    isShown: ({ source, path }) => shown.has(`${source}:${(path[0] === 'default' ? path.slice(1) : path).join('.')}`),
    thisIn: (...args) => firstOf(thisIn, (ask) => ask(...args)),
    yields: (...args) => firstOf(yields, (ask) => ask(...args)),
    injected: (...args) => firstOf(injected, (ask) => ask(...args)),
    givenByPlatform: (...args) => firstOf(givenByPlatform, (ask) => ask(...args)),
    eventFetch: (...args) => firstOf(eventFetch, (ask) => ask(...args)),
    handsOn: (...args) => firstOf(handsOn, (ask) => ask(...args)),
    inherited: (...args) => firstOf(inherited, (ask) => ask(...args)),
    copiedInto: (module, exported) => rules.find((rule) => rule.copiedInto?.(module, exported) === true)?.modules?.[0],
    settingsIn: (...args) => firstOf(settingsIn, (ask) => ask(...args)),
    laidOver: (...args) => firstOf(laidOver, (ask) => ask(...args)),
    headersSetBy: (...args) => headersSetBy.flatMap((ask) => ask(...args)),
    standIn: (...args) => firstOf(standIn, (ask) => ask(...args)),
    configured: (...args) => firstOf(configured, (ask) => ask(...args)),
    defaultOf: (...args) => firstOf(defaultOf, (ask) => ask(...args)),
  };
}

const oneOf = (names: readonly string[]): RegExp => new RegExp(`^(?:${[...new Set(names)].join('|')})$`, 'i');

const quoted = (packages: readonly string[]): RegExp => new RegExp(`['"](?:${packages.join('|')})['"]`);

/** The first answer that there is. */
export function firstOf<T, R>(items: readonly T[], ask: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = ask(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
