/**
 * What the tool knows of one library: an HTTP client, whose calls say where a request goes and with which headers, or one through
 * which clients, addresses and configuration go.
 */
import type { AmbientMark } from '../../find/modules/ambient.ts';
import type { ComparisonNode } from '../language/comparisons.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import type { Carrying } from './provided.ts';
import type { ClassValue, Entry, ExternalValue, HttpValue, Value } from '../values/values.ts';
import type {
  AssignNode,
  CallNode,
  ClassNode,
  Expression,
  FunctionNode,
  Node,
  ParamNode,
  PropertyNode,
  TaggedNode,
  UnaryNode,
} from '../../syntax/tree.ts';

/** A call of something that a rule knows. */
export interface RuleCall extends At {
  readonly node: CallNode;
  /** The names after the module, the global or the client: `['create']`; empty for the thing itself. */
  readonly path: readonly string[];
  /** The client or request whose method is called; undefined for functions of the library itself. */
  readonly on: HttpValue | undefined;
  readonly args: readonly Value[];
  readonly ev: Evaluation;
}

/**
 * Something that is done to a client or request, or to the library's global defaults, apart from where it is made; its frame is
 * the way on which it is done to it, where that is a parameter there.
 */
export type Mutation = At & {
  /** The call that made what it is done to, where a factory makes such (see factories.ts). */
  readonly of?: CallNode | undefined;
} & (
    | { readonly kind: 'call'; readonly node: CallNode; readonly path: readonly string[] }
    | {
        readonly kind: 'write';
        readonly node: AssignNode;
        /** `['defaults', 'baseURL']`; undefined for a computed name, which then is `computed`. */
        readonly path: readonly (string | undefined)[];
        /** The last name's expression, where it stands in brackets. */
        readonly computed: Expression | undefined;
        readonly value: Expression;
      }
    | {
        readonly kind: 'delete';
        readonly node: UnaryNode;
        readonly path: readonly (string | undefined)[];
        readonly computed: Expression | undefined;
      }
  );

/** What a mutation gives to what it is done to. */
export const givenBy = (mutation: Mutation): readonly Expression[] =>
  mutation.kind === 'write'
    ? [mutation.value]
    : mutation.kind === 'call'
      ? mutation.node.args.map((arg) => (arg.kind === 'spread' ? arg.argument : arg))
      : [];

/** A parameter of a function that something which a rule knows is given: `createApi({ endpoints: (build) => … })`. */
export interface Given extends At {
  readonly node: Node;
  /** Which of the function's parameters. */
  readonly index: number;
  readonly call: CallNode;
  /** As in RuleCall. */
  readonly path: readonly string[];
  readonly on: HttpValue | undefined;
  /** Which argument of the call the function stands in, and under which names: 0 and `['endpoints']`. */
  readonly argument: number;
  readonly within: readonly string[];
  readonly ev: Evaluation;
}

/** A parameter of a function that is declared by its type: `const intercept: HttpInterceptorFn = (request, next) => …`. */
export interface GivenByType extends At {
  readonly node: Node;
  readonly index: number;
  readonly typeName: string;
  readonly ev: Evaluation;
}

/** A comparison of something that a mock gets of a request: `url === '…'`, `url in answers`. */
export interface Comparison extends At {
  readonly node: ComparisonNode;
  readonly actual: Value;
  readonly actualNode: Expression;
  readonly expected: Value;
  readonly expectedNode: Expression;
  /** Whether it is asked for among the names of an object. */
  readonly isKey: boolean;
  readonly ev: Evaluation;
}

/** What mutations add to a request. */
export interface Additions {
  readonly base?: Value;
  /** Not known, and put in the place of the address: where the request goes, nobody can tell. */
  readonly moved?: Value;
  readonly headers?: readonly Value[];
  /** Beginnings of URLs that it compares the request's with: they move when the request does. */
  readonly prefixes?: readonly Value[];
}

/** What a function of a library makes of its arguments; undefined where that is not known. */
export type LibraryFunction = (ev: Evaluation, args: readonly Value[], node: CallNode, at: At) => Value | undefined;

/** A member that a class of the project has from one of a library. */
export interface Inherited extends At {
  readonly superclass: ExternalValue;
  /** The class that inherits from it. */
  readonly of: ClassValue;
  /** Whose member it is. */
  readonly self: Value;
  readonly name: string;
  readonly ev: Evaluation;
}

/** A function that a library calls in the name of the project. */
export interface Run {
  readonly fn: Value;
  readonly args: readonly Value[];
}

/** Parameters of a function that a library calls. */
export interface Receiver {
  readonly params: readonly ParamNode[];
  readonly module: SourceModule;
}

export interface StandIn {
  readonly value: Value;
  given(index: number, node: ParamNode): Value | undefined;
}

export interface ClientRule {
  /** As summaries call it. */
  readonly name: string;
  /** As people call it, where that is something else: for docs/codemods.md. */
  readonly title?: string;
  /** Whether only tests use it. */
  readonly isForTests?: boolean;
  /** Whether it sends from pages alone: whoever opens one has the key that it is given. */
  readonly isOfPages?: boolean;
  /** Whether the functions that it is given watch or answer requests of others: none of a client go through them. */
  readonly isHookless?: boolean;
  /** The library whose own client it asks by, where it is given none: what that is hooked with is asked here, too. */
  readonly asksThrough?: string;
  /** Whether requests of other libraries may go through what it makes: each `fetch` goes through a dispatcher. */
  readonly isBelowOthers?: boolean;
  /** Packages whose exports it knows, without `node:`; `@scope/x` too. */
  readonly modules?: readonly string[];
  /** Whether a file of the project is a copy that a generator made of the library, and exports this of it. */
  copiedInto?(module: SourceModule, exported: string): boolean;
  /** Global names it knows, where nothing in the file declares them. */
  readonly globals?: readonly string[];
  /** Its files that decide for others which do not import them: interceptors, proxies, defaults of a page. */
  readonly ambient?: AmbientMark | readonly AmbientMark[];
  /** Types by which frameworks inject the client, e.g. into constructors. */
  readonly types?: readonly string[];
  /** The same, by names that much else has, too: they count where they are imported from its modules. */
  readonly importedTypes?: readonly string[];
  /** Methods that a framework hands to code by name, with the name before theirs: `helpers.httpRequest`. */
  readonly methods?: readonly string[];
  /** Of these types, those whose values stand for every request: what is done to one is done to all (see `everyOf`). */
  readonly everyTypes?: readonly string[];
  /**
   * A call or `new` of one of its exports or globals, or of a method of a value that it made.
   * @returns a client, a request, a header object …; undefined where the rule does not know the call
   */
  call?(call: RuleCall): Value | undefined;
  /** Whether a call that it would know makes nothing, by what stands there: not all that it is given is looked at then. */
  isIdle?(call: Omit<RuleCall, 'args'>): boolean;
  /** What is called of it to ask, `` for itself, and by which methods the answer is read: nothing is known of that, whatever was asked. */
  readonly answers?: { readonly to: readonly string[]; readonly by: readonly string[] };
  /** Methods by which it asks or sets headers, beside those of HTTP's names and what is called after fetch, request or http. */
  readonly asksBy?: readonly string[];
  /** Names of functions that its clients have by what a file of the project says: those of the routes of a contract. */
  functionsIn?(module: SourceModule): readonly string[];
  /** The way from a client to its defaults: `['defaults', 'options']`; empty where it has them itself. */
  readonly defaults?: readonly string[];
  /** What its clients have that is a client of another library, by its name there: `api.axiosInstance`. */
  readonly clients?: Readonly<Record<string, string>>;
  /** Whether it has the names of headers there in small letters, however they are written. */
  readonly lowersHeaders?: boolean;
  /** Whether `fetch`, or what stands in its place, is given all names of headers in small letters by it. */
  readonly sendsSmallLetters?: boolean;
  /** What it calls the address that clients are made with, where that is not `baseURL` in any spelling. */
  readonly bases?: readonly string[];
  /** Whether a method or hook of this name answers from a cache what is kept there under a key, `{ queryKey }` or its first argument. */
  readonly isKeyed?: (name: string) => boolean;
  /** Packages that put themselves around its requests, and ask for nothing on their own. */
  readonly plugIns?: RegExp;
  /** What its functions make of what they are given, where that still is a client, an address or a configuration: by `module:name`, of what is global by name. */
  readonly functions?: Readonly<Record<string, LibraryFunction>>;
  /** What some of its properties give, where reading one does something: by `module:name`. */
  readonly reads?: Readonly<Record<string, (ev: Evaluation, node: Node, at: At) => Value>>;
  /** What the text of a file holds that has commands run which ask for something. */
  readonly commandsIn?: RegExp;
  /** The requests of such a command in a template, by what tags it. */
  tagged?(node: TaggedNode, at: At, ev: Evaluation): Value | undefined;
  /** Functions that tag a template and leave its text as it is, by `module:name`. */
  readonly tags?: readonly string[];
  /** Objects whose properties are variables of the environment, by `module.name`. */
  readonly environments?: readonly string[];
  /** Packages whose applications have an argument of some methods as a platform's variables: `app.request(path, init, env)`. */
  readonly binds?: { readonly packages: RegExp; readonly methods: Readonly<Record<string, number>> };
  /** Modules whose exports are variables of the environment. */
  readonly environmentModules?: RegExp;
  /** A call by which its options get variables of the environment by names that nobody writes: what these begin with, `` for all; `by` is how it is imported. */
  readonly fillsFrom?: { readonly by: RegExp; prefix(call: CallNode): string | undefined };
  /** How it keeps things under names, and hands them out to those who ask by these. */
  readonly carries?: readonly Carrying[];
  /** Functions that carry what they are given to those that ask for it by name. */
  readonly carriers?: readonly string[];
  /** Functions, or methods by their whole name, that hand what they are given to those who call others, or take a property, by the names of all. */
  readonly handed?: Readonly<Record<string, readonly string[]>>;
  /** Functions that give back what they are given, or what has its names, as schemas do: a text in it is still found by these. */
  readonly givesBack?: readonly string[];
  /** Functions that take a list of what their callback uses, which only says when to run it again. */
  readonly dependencyLists?: RegExp;
  /** Packages that hold calls back, and packages that wait between tries: on what they are tuned to, people are advised. */
  readonly throttles?: readonly string[];
  readonly retries?: readonly string[];
  /** The paths of files that a build puts others in place of, with all before the extension as the first group. */
  readonly variants?: RegExp;
  /** Whether texts of a file are code that calls with a path of v1 what the script has, as templates of components are: such a file is not read whole. */
  readonly callsInTexts?: (text: string) => boolean;
  /** How packages are imported that load all files of a folder, as if the script that names the folder imported them. */
  readonly folderLoaders?: RegExp;
  /** The same of packages that load the files which patterns mean: see `loadedByPatterns`. */
  readonly patternLoaders?: RegExp;
  /** What classes of the library have for those that inherit from them. */
  inherited?(member: Inherited): Value | undefined;
  /** The name by which requests are given the headers that a class of the project describes. */
  keysUnder?(of: ClassNode, at: At, ev: Evaluation): string | undefined;
  /** What `this` is in a function that the library calls. */
  thisIn?(ev: Evaluation, fn: FunctionNode, at: At): Value | undefined;
  /** What `yield*` gives of something in a generator that the library runs. */
  yields?(ev: Evaluation, of: Node, at: At): Value | undefined;
  /** What the library injects into a parameter that says so by a decorator. */
  injected?(ev: Evaluation, param: ParamNode, at: At): Value | undefined;
  /** What a platform hands to a function that it calls itself: nobody else need be seen to. */
  givenByPlatform?(param: ParamNode, index: number, module: SourceModule, ev: Evaluation): Value | undefined;
  /** The `fetch` that a framework gives to functions of a file that it calls itself, where that is not the global one. */
  eventFetch?(ev: Evaluation, of: Pick<SourceModule, 'file'>): Value | undefined;
  /** The parameters that an argument of a call is given to, and nobody else; undefined where that is not known. */
  handsOn?(ev: Evaluation, arg: Node, module: SourceModule): readonly Receiver[] | undefined;
  /** Whether a call that is given nothing but names of settings gives one that whoever runs the program sets. */
  givesSetting?(call: CallNode, module: SourceModule): boolean;
  /** What its configuration holds at a path: `config.get('messaging.baseUrl')`. */
  configured?(ev: Evaluation, path: string, node: Node, at: At): Value | undefined;
  /** What a variable of the environment is where it is not set, as the library writes that into the environment. */
  defaultOf?(ev: Evaluation, name: string, node: Node, at: At): Value | undefined;
  /** What an import of its package gives, where that is what files of the project say: `require('config')`. */
  settingsIn?(ev: Evaluation, specifier: string, module: SourceModule, from: SourceModule): Value | undefined;
  /** The files of the project that then say so, too, beside the one that the import leads to. */
  laidOver?(ev: Evaluation, specifier: string, module: SourceModule): readonly SourceModule[] | undefined;
  /** How calls and properties are named that take a file of the project without an import, the nearest above them, and how that ends. */
  readonly takes?: { readonly by: RegExp; readonly file: RegExp };
  /** Names of properties that describe requests without a call, in files that hold `where`: `proxy` of a development server. */
  readonly declares?: { readonly names: readonly string[]; readonly where: RegExp };
  /** The requests that such a property describes; their node is the property. */
  declared?(property: PropertyNode, at: At, ev: Evaluation): Value | undefined;
  /** The requests that a whole file describes by what it exports: `proxy.conf.json`; their nodes are its parts. */
  describedBy?(module: SourceModule, ev: Evaluation): Value | undefined;
  /** Names of methods that it adds to whatever it stands for: `client.get.mockImplementation(…)`. */
  readonly adds?: RegExp;
  /** Whether what it is given is called only where `runs` says so: of its other functions nobody knows what they do. */
  readonly runsAlone?: boolean;
  /** Methods of the project's classes that the library calls with each request: `intercept`. */
  readonly hookMethods?: readonly string[];
  /** Methods, options and functions by which it is told under which key it keeps an answer: what that is made of nobody reads. */
  readonly keyHooks?: readonly string[];
  /** What a call makes the library run, with what it hands to it: functions of the project, of packages or of clients. */
  runs?(call: RuleCall): readonly Run[];
  /** What the library hands to a function that it is given. */
  given?(given: Given): Value | undefined;
  givenByType?(given: GivenByType): Value | undefined;
  /** Whether a function of a test stands for a client, as nothing else of it says: what it is, and what it gets. */
  standIn?(fn: FunctionNode, module: SourceModule): StandIn | undefined;
  /** What a function is given that is put in the place of something: `globalThis.fetch = async (url, init) => …`. */
  givenInPlaceOf?(target: Value, index: number, at: At & { readonly node: Node }): Value | undefined;
  /** Without a file that holds this, its mocks receive nothing in a component, and no comparison there matters. */
  readonly comparesIn?: RegExp;
  /** @returns the requests that the comparison expects */
  compare?(comparison: Comparison): Value | undefined;
  /** @returns the requests that a test looks for among those that it has: `calls.find(([url]) => url.endsWith('/v1/contacts'))` */
  looksFor?(node: CallNode, at: At, ev: Evaluation): Value | undefined;
  /** What a method that only its objects of headers have sets or takes away: `headers.setAuthorization(value)`. */
  headersSetBy?(ev: Evaluation, method: string | undefined, call: CallNode, at: At): readonly Entry[];
  /** What is added later: defaults, interceptors, `setHeader`. */
  additions?(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined;
  /** Whether what is added to all that it asks for is added to a request of another library, too, as that goes through it. */
  reaches?(request: HttpValue, ev: Evaluation): boolean;
  /** Names in the path of all mutations that add something, where a package is called for much else: `$(…)`, `test(…)`. */
  readonly addsBy?: readonly string[];
  /** Whether what it exports only names or announces what it is given, so that it may move along: `makeStateKey(url)`. */
  announces?(name: string, given: Node): boolean;
  /** Functions that only show people what they are given, by `module:name`. */
  readonly shows?: readonly string[];
  /** Functions that only list for a container what it makes and hands out: by `module:name`. Who gets what of it, the rules of the container say. */
  readonly lists?: readonly string[];
  /** Names of what a client that the library makes has of its own, though it takes over all else that is set for the library: `axios.interceptors`. */
  readonly ownOfClients?: readonly string[];
}
