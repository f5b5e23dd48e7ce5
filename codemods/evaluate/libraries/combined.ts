/** What the rules of all libraries say together, put together once for all questions. */
import type { AmbientMark } from '../../find/modules/ambient.ts';
import type { ClientRule, LibraryFunction } from './client-rule.ts';
import type { SourceModule } from '../module.ts';
import type { Entry, ExternalValue } from '../values/values.ts';

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
    | 'givesSetting'
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
  readonly givingBack: ReadonlySet<string>;
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
  readonly hookMethods: ReadonlySet<string>;
  readonly keyHooks: ReadonlySet<string>;
  /** Whether a function of a package only shows people what it is given. */
  isShown(callee: Pick<ExternalValue, 'source' | 'path'>): boolean;
  /** Whether it only lists for a container what that makes and hands out. */
  isListing(callee: Pick<ExternalValue, 'source' | 'path'>): boolean;
}

/** HTTP's own methods, and names that people give to functions which ask for something, or set a header. */
const asking = String.raw`get|post|put|patch|delete|head|options|headers?|(?:set|append|with)\w*|\w*(?:fetch|request|http)\w*`;
const known = new WeakMap<readonly ClientRule[], Combined>();

type Rules = readonly ClientRule[];

export function combined(rules: Rules): Combined {
  const before = known.get(rules);
  if (before !== undefined) return before;
  const made = { ...listed(rules), ...matched(rules), ...asked(rules), ...answered(rules) };
  known.set(rules, made);
  return made;
}

/** What rules have lists of. */
function listed(rules: Rules) {
  const handed = rules.flatMap(({ handed: each = {}, modules }) => Object.entries(each).map(([name, by]) => ({ name, by, modules })));
  const shown = new Set(all(rules, ({ shows }) => shows));
  const listing = new Set(all(rules, ({ lists }) => lists));
  return {
    runners: new Set(rules.flatMap((rule) => (rule.commandsIn === undefined ? [] : (rule.modules ?? [])))),
    modules: new Set(all(rules, ({ modules }) => modules)),
    globals: new Set(all(rules, ({ globals }) => globals)),
    environments: new Set(all(rules, ({ environments }) => environments)),
    carriers: new Set(all(rules, ({ carriers }) => carriers)),
    givingBack: new Set(all(rules, ({ givesBack }) => givesBack)),
    handedBy: ({ source, path }: Pick<ExternalValue, 'source' | 'path'>): readonly string[] => {
      const names = new Set([path.at(-1) ?? '', path.join('.')]);
      return handed.flatMap(({ name, by, modules }) => (names.has(name) && modules?.includes(source) !== false ? by : []));
    },
    variants: having(rules, ({ variants }) => variants),
    folderLoaders: having(rules, ({ folderLoaders }) => folderLoaders),
    patternLoaders: having(rules, ({ patternLoaders }) => patternLoaders),
    takes: having(rules, ({ takes }) => takes),
    fillsFrom: having(rules, ({ fillsFrom }) => fillsFrom),
    ambient: all(rules, ({ ambient = [] }) => [ambient].flat()),
    functions: new Map(all(rules, ({ functions = {} }) => Object.entries(functions))),
    reads: new Map(all(rules, ({ reads = {} }) => Object.entries(reads))),
    tags: new Set(all(rules, ({ tags }) => tags)),
    hookMethods: new Set(all(rules, ({ hookMethods }) => hookMethods)),
    keyHooks: new Set(all(rules, ({ keyHooks }) => keyHooks)),
    isShown: (callee: Pick<ExternalValue, 'source' | 'path'>): boolean => shown.has(nameOf(callee)),
    isListing: (callee: Pick<ExternalValue, 'source' | 'path'>): boolean => listing.has(nameOf(callee)),
  };
}

/** `module:name` */
const nameOf = ({ source, path }: Pick<ExternalValue, 'source' | 'path'>): string =>
  `${source}:${(path[0] === 'default' ? path.slice(1) : path).join('.')}`;

/** What names and texts say to some rule. */
function matched(rules: Rules) {
  const settings = oneOf(['base_?url', ...all(rules, ({ defaults }) => defaults), ...all(rules, ({ bases }) => bases)]);
  const comparing = rules.filter((rule) => rule.compare !== undefined || rule.comparesIn !== undefined).map((rule) => rule.comparesIn);
  const calling = having(rules, ({ callsInTexts }) => callsInTexts);
  return {
    mayAsk: matching([oneOf([asking, ...all(rules, ({ asksBy }) => asksBy)])]),
    // Of what holds the defaults, what stands first is enough.
    maySet: matching([new RegExp(['headers', 'base_?url', ...all(rules, ({ defaults }) => defaults?.slice(0, 1))].join('|'), 'i')]),
    isSetting: (property: string | undefined): boolean => property !== undefined && settings.test(property),
    isPlugIn: matching(having(rules, ({ plugIns }) => plugIns)),
    isEnvironment: matching(having(rules, ({ environmentModules }) => environmentModules)),
    comparesIn: (text: string): boolean => comparing.some((pattern) => pattern === undefined || pattern.test(text)),
    commandsIn: matching(having(rules, ({ commandsIn }) => commandsIn)),
    callsInTexts: (text: string): boolean => calling.some((ask) => ask(text)),
    takesDependencies: matching(having(rules, ({ dependencyLists }) => dependencyLists)),
    throttles: matching([quoted(all(rules, ({ throttles }) => throttles))]),
    retries: matching([quoted(all(rules, ({ retries }) => retries))]),
  };
}

/** What rules themselves are asked; most often the first that knows it answers. */
function asked(rules: Rules) {
  const functionsIn = having(rules, (rule) => rule.functionsIn);
  const headersSetBy = having(rules, (rule) => rule.headersSetBy);
  const givesSetting = having(rules, (rule) => rule.givesSetting);
  return {
    functionsIn: (module: SourceModule): readonly string[] => functionsIn.flatMap((ask) => ask(module)),
    headersSetBy: (...args: Parameters<Combined['headersSetBy']>): readonly Entry[] => headersSetBy.flatMap((ask) => ask(...args)),
    givesSetting: (...args: Parameters<Combined['givesSetting']>): boolean => givesSetting.some((ask) => ask(...args)),
    copiedInto: (module: SourceModule, exported: string): string | undefined =>
      rules.find((rule) => rule.copiedInto?.(module, exported) === true)?.modules?.[0],
    thisIn: first(having(rules, (rule) => rule.thisIn)),
    yields: first(having(rules, (rule) => rule.yields)),
    injected: first(having(rules, (rule) => rule.injected)),
    givenByPlatform: first(having(rules, (rule) => rule.givenByPlatform)),
    eventFetch: first(having(rules, (rule) => rule.eventFetch)),
    handsOn: first(having(rules, (rule) => rule.handsOn)),
    inherited: first(having(rules, (rule) => rule.inherited)),
    settingsIn: first(having(rules, (rule) => rule.settingsIn)),
    laidOver: first(having(rules, (rule) => rule.laidOver)),
    standIn: first(having(rules, (rule) => rule.standIn)),
    configured: first(having(rules, (rule) => rule.configured)),
    defaultOf: first(having(rules, (rule) => rule.defaultOf)),
  };
}

/** What is called for an answer, and read of it. */
function answered(rules: Rules) {
  const answers = rules.flatMap(({ answers: each, globals = [], modules = [] }) =>
    each === undefined ? [] : [{ ...each, origins: [...modules, ...globals.map((name) => `global ${name}`)] }],
  );
  const answering = new Set(answers.flatMap(({ to, origins }) => origins.flatMap((origin) => to.map((name) => `${origin} ${name}`))));
  const reading = new Set(answers.flatMap(({ by }) => by));
  return {
    givesAnswer: ({ source, path }: ExternalValue): boolean =>
      answering.has(source === '' ? `global ${path[0]} ${path.slice(1).join('.')}` : `${source} ${path.join('.')}`),
    readsAnswer: (method: string): boolean => reading.has(method),
  };
}

const all = <Item>(rules: Rules, of: (rule: ClientRule) => readonly Item[] | undefined): Item[] => rules.flatMap((rule) => of(rule) ?? []);

const having = <Item>(rules: Rules, of: (rule: ClientRule) => Item | undefined): Item[] =>
  rules.map(of).filter((item) => item !== undefined);

/** The first answer of all who are asked. */
const first =
  <Args extends readonly unknown[], Answer>(asks: readonly ((...args: Args) => Answer | undefined)[]) =>
  (...args: Args): Answer | undefined =>
    firstOf(asks, (ask) => ask(...args));

const matching =
  (patterns: readonly RegExp[]) =>
  (text: string): boolean =>
    patterns.some((pattern) => pattern.test(text));

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
