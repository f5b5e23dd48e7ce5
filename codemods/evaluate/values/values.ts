/** What an expression can be, as far as it matters to a request. Each value remembers the way it came (`provenance`), by which an edit is proven. */
import { exact } from '../../syntax/lists.ts';
import type { NamedRecord } from '../libraries/named-record.ts';
import type { Proxied } from '../libraries/proxied.ts';
import type { CallNode, ClassNode, Expression, FunctionNode, Node, ParamNode } from '../../syntax/tree.ts';
import type { Frame } from '../calls/frame.ts';
import type { SourceModule } from '../module.ts';
import { joinProvenance, type Provenance, uniteProvenance } from './provenance.ts';
import { isSame, keyOf } from './same.ts';
import type { SourceText } from './source-text.ts';

/** How a client puts a base before a URL: with one slash whatever is there, with nothing between, or as RFC 3986 §5 resolves references. */
export type JoinStyle = 'slash' | 'append' | 'resolve';

interface Valued {
  /** Whoever makes values by the thousand names it at once, as undefined: put in later it takes as much memory as the rest. */
  readonly provenance?: Provenance;
  /** For messages: what it hung on, where it is not known. */
  readonly why?: Why;
  /** A list of arguments that nobody can read: it stands for as many as are asked for. */
  readonly isLaidOut?: boolean | undefined;
  /** Set for what is not known, and is left of `a || b` or `a ?? b`: of what that stands, as what is read of it is another value. */
  readonly left?: { readonly by: '||' | '??'; readonly of: unknown };
}

/** `assigned`: a statement put it there; `absent`: nobody was seen to give it; `empty`: nothing within a text; `rest`: of the path that a server is asked for; `looked up`: by an unknown name. */
type Why = 'cycle' | 'depth' | 'too many' | 'call' | 'syntax' | 'assigned' | 'absent' | 'empty' | 'rest' | 'looked up';

/** Text of one literal, or something unknown within a text. */
export type Part = TextPart | UnknownPart;
export interface TextPart {
  readonly text: string;
  /** undefined for text that a library or the language adds, such as the slash between base and path. */
  readonly source?: {
    readonly module: SourceText;
    /** Offset of the first character, inside the quotes. */
    readonly start: number;
    /** Whether source and text are the same, character by character (no escapes). */
    readonly isExact: boolean;
    readonly node: Node;
  };
  /** The number that it was made of, which is no text: see `LiteralValue`. */
  readonly number?: LiteralValue['at'];
  readonly provenance?: Provenance;
}
export interface UnknownPart {
  readonly unknownPart: Value;
  readonly provenance?: Provenance;
}

export interface TextValue extends Valued {
  readonly type: 'text';
  readonly parts: readonly Part[];
}

/** A value that is asked for when it is needed. */
export interface Lazy {
  (): Value;
  /** What it hangs on: where two have the same here, they give the same. */
  by?: readonly (Node | Frame | undefined)[];
}

/** @param by see `Lazy` */
export function lazily(by: NonNullable<Lazy['by']>, value: () => Value): Lazy {
  const lazy: Lazy = value;
  lazy.by = by;
  return lazy;
}

/** A property of an object. */
export interface Entry {
  /** undefined where the name is computed from something unknown. */
  readonly name: string | undefined;
  /** What the name is made of, where it can be edited. */
  readonly key: TextPart | undefined;
  /** The whole property, assignment or call that makes the entry. */
  readonly node: Node;
  readonly module: SourceText;
  readonly value: Lazy;
  readonly valueNode: Expression | undefined;
  /** What names it, where that stands elsewhere than in its node: `expect(headers[NAME]).toBe(key)`. */
  readonly nameNode?: Expression;
  /** Where the value is put under the name, if both stand side by side elsewhere: `{ [auth.header]: auth.value }`. Others may read the value there. */
  readonly put?: { readonly node: Node; readonly module: SourceModule };
  /** Of a header in a file that is no script: where its value begins, and how a space is written there: undefined where a shell would split it at that. */
  readonly opening?: { readonly start: number; readonly space: string | undefined };
  /** Of such a header: all that makes it a Bearer token, where that is more than its name and a scheme before its value. */
  readonly rewrite?: readonly { readonly start: number; readonly end: number; readonly text: string }[];
  /** Asks for the header by this name instead of giving it, where letter case does not count. */
  readonly isLookup?: boolean;
  /** Put where headers are that have arrived, whose names are in small letters. */
  readonly besideArrived?: 'after' | 'before';
  /** Whether it takes the place of what who asks has sent under its name. */
  readonly isOverTheirs?: true;
  /** Its name cannot be another's: it names others too, by a caller's choice or in a loop, or stands beside one that differs in case. */
  readonly isShared?: boolean;
  /** It came back into its own object by way of another: what was put in before it may still count. */
  readonly isBack?: boolean;
  /** Takes what has the name away, and gives nothing. */
  readonly isGone?: boolean;
  /** Put behind what has the name, and not in its place. */
  readonly grown?: Lazy;
  /** The writes that have put something behind it: it comes by many names, and each of them knows the same writes. */
  readonly counted?: readonly Node[];
  /** What is not known and comes after it: it may hold the same name. */
  readonly hiddenBy?: readonly Value[];
  readonly provenance?: Provenance;
}

export interface ObjectValue extends Valued {
  readonly type: 'object';
  readonly node: Node;
  readonly module: SourceModule;
  readonly entries: readonly Entry[];
  /** What is spread into it and not known. */
  readonly unknown: readonly Value[];
  /** Where `set` keeps settings: what stands for any that is not known. */
  readonly keeps?: UnknownValue;
  /** Set for what `new Map(pairs)` makes: it is asked by `get` alone. */
  readonly isMap?: true | undefined;
}

export interface ListValue extends Valued {
  readonly type: 'list';
  readonly items: readonly Value[];
  readonly nodes: readonly (Expression | undefined)[];
  readonly isOpen: boolean;
  /** Of an open one with nothing in it but what is among the items, any number of times: how many of the first stand in their places. */
  readonly placed?: number | undefined;
  /** Set for what `new Set(items)` makes. */
  readonly isSet?: true;
  /** What a caller gives, where that says what else is in it. */
  readonly given?: ParamValue;
  readonly module: SourceModule;
}

export interface FunctionValue extends Valued {
  readonly type: 'function';
  readonly node: FunctionNode;
  readonly module: SourceModule;
  readonly frame: Frame | undefined;
  readonly self?: Value;
  /** Whether `bind` says what `this` is, whatever it is taken of. */
  readonly isBound?: true;
}

export interface ClassValue extends Valued {
  readonly type: 'class';
  readonly node: ClassNode;
  readonly module: SourceModule;
  readonly frame: Frame | undefined;
}

export interface InstanceValue extends Valued {
  readonly type: 'instance';
  readonly of: ClassValue;
  /** undefined for `this` in a class that nobody was seen to make. */
  readonly args: readonly Value[] | undefined;
  /** While the constructor of this class runs, which its own inherits: what heirs put into fields is not there yet. */
  readonly during?: ClassNode;
}

/** One of several, by a condition or a missing value. */
export interface ChoiceValue extends Valued {
  readonly type: 'choice';
  readonly options: readonly Value[];
}

/** A variable of the environment. */
export interface EnvValue extends Valued {
  readonly type: 'env';
  readonly name: string;
  readonly node: Node;
  readonly module: SourceText;
  /** What stands in its place where nobody sets it, and in no other's: `env.URL ?? 'https://…'`. */
  readonly otherwise?: TextValue;
  /** Whether it is no variable, but what each of the people who use the program saved in it: `$credentials.url`. */
  readonly isStored?: true;
}

/** Something of a package or of the language: `axios.create`, the global `fetch`. */
export interface ExternalValue extends Valued {
  readonly type: 'external';
  /** The module, without `node:`; `` for a global. */
  readonly source: string;
  readonly path: readonly string[];
  /** Whether it is read of the global object: what only has its name may be declared by another script of a page. */
  readonly isOfGlobal?: boolean;
  /** What `bind` gave it: it stands before the arguments of every call; before the names of all variables of an environment that is read without it. */
  readonly given?: readonly Value[];
}

/** A parameter of a function whose caller is not chosen yet. */
export interface ParamValue extends Valued {
  readonly type: 'param';
  readonly owner: FunctionNode;
  readonly index: number;
  readonly node: ParamNode;
  readonly module: SourceModule;
}

export interface LiteralValue extends Valued {
  readonly type: 'literal';
  readonly value: number | boolean | null | undefined;
  /** Of what may be the number of a version: where it is written, in one place of several. */
  readonly at?: { readonly node: Node; readonly module: SourceModule };
}

/** All exports of one of the project's files. */
export interface NamespaceValue extends Valued {
  readonly type: 'namespace';
  readonly module: SourceModule;
}

/** What a test says of a request. */
export interface Mock {
  /** Set where other requests decide what is right: how much of one is expected, or that the value may be something else. */
  readonly expects?: 'call' | 'part' | 'value' | undefined;
  /** Whether it answers whatever the program that runs with it asks below an address. */
  readonly isOfAll?: boolean;
  /** Whether it says a whole address as a program asks for it: one beside it that has a host is of another request. */
  readonly isWhole?: boolean;
  /** Set for a key that a library keeps an answer under: given to what asks, which may read it or does not, or naming the answer again. */
  readonly cacheKey?: 'given' | 'unread' | 'named';
  /** A text of the program that is expected to be just this: where that changes, this does. */
  readonly echoes?: Value;
  /** What the client was made from whose requests it recorded, where that is one; whether it is read of that itself, and is about nobody else's. */
  readonly recordedOf?: { readonly origins: HttpValue['origins']; readonly isAlone?: boolean };
  /** The method of HTTP, in upper case, by which all was asked that it recorded, where it stands for one function of a client, and the package of that. */
  readonly recordedBy?: { readonly method: string; readonly origin: string | undefined };
  /** Which of the calls that it recorded is meant, where one is. */
  readonly record?: NamedRecord | undefined;
  /** What is certain of the address of each call that it recorded. */
  readonly kept?: NamedRecord['said'];
  /** Names of headers that a call must not have to be answered. */
  readonly denies?: readonly TextPart[];
}

/** A client or a request of one of the libraries in clients/. */
export interface HttpValue extends Valued {
  readonly type: 'http';
  /** The rule's name: `axios`. */
  readonly client: string;
  /** `client` makes requests, `request` is one. */
  readonly stage: 'client' | 'request';
  readonly node: Node;
  readonly module: SourceModule;
  /** Every node or package that it came from: what is done to one of these is done to it. */
  readonly origins: readonly (Node | string)[];
  /** Of origins in a factory the call that made this one: what is done to another call's is not done to it (see factories.ts). */
  readonly madeBy?: ReadonlyMap<Node | string, CallNode> | undefined;
  /** Put before a relative URL. */
  readonly base?: Value;
  readonly url?: Value;
  /** How base and URL are joined. */
  readonly join?: JoinStyle;
  readonly method?: Value | string;
  /** Objects or lists of headers. */
  readonly headers: readonly Value[];
  /** Set where it is no request, but what a test says of one: it need not name the key. */
  readonly mock?: Mock;
  /** Set where a mock gets it that a test hands to the program: nothing is sent. */
  readonly isAnswered?: boolean;
  /** Set where it stands for all requests below its URL. */
  readonly proxy?: Proxied;
  /** Notes of the rule to itself. */
  readonly notes?: Readonly<Record<string, Value>>;
}

/** A method of a value that rules know, not called yet. */
export interface MethodValue extends Valued {
  readonly type: 'method';
  readonly receiver: Value;
  readonly path: readonly string[];
  /** What `bind` gave it: it stands before the arguments of every call. */
  readonly given?: readonly Value[];
  /** Whether a library gives it to `pipe`: what comes out is what goes in, or else the receiver. */
  readonly isStep?: true;
}

export interface UnknownValue extends Valued {
  readonly type: 'unknown';
  readonly node: Node | undefined;
  /** undefined only where there were too many alternatives to say. */
  readonly module: SourceText | undefined;
  /** Set where whoever runs the program gives it: by what name, whether that lasts, what the program itself keeps there, and by which name a package holds it (see given.ts). */
  readonly givenAs?: string;
  readonly isStored?: true;
  readonly kept?: 'settings' | 'texts' | 'no header';
  readonly setting?: string;
}

export type Value =
  | TextValue
  | ObjectValue
  | ListValue
  | FunctionValue
  | ClassValue
  | InstanceValue
  | ChoiceValue
  | EnvValue
  | ExternalValue
  | ParamValue
  | LiteralValue
  | NamespaceValue
  | HttpValue
  | MethodValue
  | UnknownValue;

/** The most alternatives that a list, table or text has told apart; beyond, it counts as unknown. */
export const maxAlternatives = 128;
/** The most that a join keeps, and of them such as are of one place: an object as the program writes it, with other things in it each time. */
export const maxOptions = 512;
export const maxVariants = 24;

/** The same value, seen through one more node. */
export function through<V extends Value>(value: V, node: Node, module: SourceModule): V {
  return { ...value, provenance: { node, module, rest: value.provenance } };
}

/** The same value with the way of what it was taken from. */
export function after<V extends { readonly provenance?: Provenance }>(value: V, provenance: Provenance): V {
  return provenance === undefined ? value : { ...value, provenance: joinProvenance(provenance, value.provenance) };
}

/** Values of a choice, flat; any other value alone. */
export function optionsOf(value: Value): readonly Value[] {
  if (value.type !== 'choice') return [value];
  return value.provenance === undefined ? value.options : value.options.map((option) => after(option, value.provenance));
}

/** What nothing is: what a question gives that hangs on nothing but itself. The smallest of all values, as it adds nothing to a join. */
export const nothing: ChoiceValue = { type: 'choice', options: [] };

/**
 * The join: one value for several. What says the same becomes one, with the ways of all; of more than can be told apart nothing is known.
 * Choices are flat: no option of one is a choice.
 */
export function choiceOf(options: readonly Value[]): Value {
  const [first] = options;
  if (options.length === 1 && first !== undefined) return first;
  const flat = options.flatMap(optionsOf);
  const made: Value[] = [];
  const byKey = new Map<unknown, number[]>();
  for (const option of flat) {
    const key = flat.length === 1 ? undefined : keyOf(option);
    const places = byKey.get(key) ?? [];
    const place = places.find((index) => isSame(made[index] ?? nothing, option));
    if (place === undefined && places.length === maxVariants) return tooMany(flat);
    if (place === undefined) {
      byKey.set(key, [...places, made.length]);
      made.push(option);
    } else made[place] = united(made[place] ?? option, option);
  }
  const [only] = made;
  if (made.length === 1 && only !== undefined) return only;
  if (made.length > maxOptions) return tooMany(made);
  const why = made.some((option) => option.why === 'too many') ? 'too many' : undefined;
  return { type: 'choice', options: exact(made), why, provenance: undefined };
}

/** Of two values that say the same: the ways of both. */
function united(a: Value, b: Value): Value {
  if (a === b) return a;
  const provenance = uniteProvenance(a.provenance, b.provenance);
  // Which of two calls made it is not known then.
  if (a.type === 'http' && b.type === 'http' && a.madeBy !== undefined)
    return { ...a, provenance, madeBy: new Map([...a.madeBy].filter(([origin, by]) => b.madeBy?.get(origin) === by)) };
  if (a.type !== 'text' || b.type !== 'text') return provenance === a.provenance ? a : { ...a, provenance };
  const parts = a.parts.map((part, index): Part => {
    const other = uniteProvenance(part.provenance, b.parts[index]?.provenance);
    return other === part.provenance ? part : { ...part, provenance: other };
  });
  return { ...a, provenance, parts };
}

/** More alternatives than are told apart: not known, with what they came through. */
export const tooMany = (of: readonly Value[]): UnknownValue => {
  const module = of.map((value) => ('module' in value ? value.module : undefined)).find((each) => each !== undefined);
  return { type: 'unknown', node: undefined, module, why: 'too many' };
};

/** The parts of a text, or a text's worth of any other value; their provenances are whole. */
export function partsOf(value: Value): readonly Part[] {
  if (value.type === 'text') return value.parts.map((part) => ({ ...part, provenance: joinProvenance(value.provenance, part.provenance) }));
  if (value.type === 'literal' && value.value !== undefined)
    return [{ text: String(value.value), ...(value.at && { number: value.at }), provenance: value.provenance }];
  return [{ unknownPart: value, provenance: value.provenance }];
}

/** The text of a value without unknown parts. */
export function plainText(value: Value): string | undefined {
  if (value.type === 'literal') return value.value === undefined ? undefined : String(value.value);
  return value.type === 'text' && value.parts.every((part) => 'text' in part) ? value.parts.map(({ text }) => text).join('') : undefined;
}

/** Something that is not known, with what it hung on. */
export const unknown = (node: Node | undefined, module: SourceText, why?: UnknownValue['why']): UnknownValue => {
  return { type: 'unknown', node, module, why, provenance: undefined };
};
