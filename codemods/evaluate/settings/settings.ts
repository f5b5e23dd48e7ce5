/** Configuration that is read from the environment by way of a schema, or a platform's bindings. */
import type { CallNode, Node } from '../../syntax/tree.ts';
import { combined } from '../libraries/combined.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { isNullish, orDefault } from '../language/or-default.ts';
import { looksForV1, passed, passedAsDefault } from './schema-checks.ts';
import { Shape } from '../values/shape.ts';
import { choiceOf, type Entry, type MethodValue, type ObjectValue, optionsOf, plainText, type Value } from '../values/values.ts';

/** How people write the names of variables. */
export const variable = /^[A-Z][A-Z0-9_]*$/;

/** `env.API_URL` of what a platform hands to its functions as `env`: Workers, Pages, Hono's `c.env`. */
export function bindingIn(value: Value, name: string, node: Node, { module }: At): Value | undefined {
  if (name === 'fetch' && isEvent(value) && !hooksFetch.test(module.text)) return { type: 'external', source: '', path: ['fetch'] };
  if (!variable.test(name)) return undefined;
  return holderOf(value) === 'env' ? { type: 'env', name, node, module } : undefined;
}

/** What hooks of SvelteKit are given beside other things has a `fetch` that is called as the global one is, as events of others have: `({ event, resolve }) => …`. */
const isEvent = (value: Value): boolean =>
  value.type === 'method' && value.path.join('.') === 'event' && value.receiver.type === 'unknown' && value.receiver.node?.kind === 'param';

/** How its requests may be sent elsewhere, in the same file. */
const hooksFetch = /\bhandleFetch\b/;

const holderOf = (value: Value): string | undefined =>
  value.type === 'method' ? value.path.at(-1) : value.type === 'unknown' ? nameOf(value.node) : undefined;

function nameOf(node: Node | undefined): string | undefined {
  if (node?.kind === 'param') return node.target.kind === 'patternName' ? node.target.name : undefined;
  if (node?.kind === 'member') return node.property;
  return node?.kind === 'patternName' ? node.name : undefined;
}

/** What `schema.parse(process.env)` gives: each variable, or the default that the schema has for it. */
export function parsedBy(ev: Evaluation, schema: ObjectValue, given: Value | undefined): Value | undefined {
  const parsed = (given === undefined ? [undefined] : optionsOf(given)).map((each) => {
    if (each?.type === 'object') return filledBy(ev, schema, each);
    // Whoever calls says what it is.
    if (each?.type === 'param') return each;
    return each !== undefined && isEnvironment(each) ? variablesOf(ev, schema, prefixOf(each)) : undefined;
  });
  const known = parsed.filter((each) => each !== undefined);
  return known.length === parsed.length ? choiceOf(known) : undefined;
}

export const isEnvironment = (given: Value): boolean =>
  given.type === 'external' ? given.source.replace(/^process$/, '') === '' && given.path.at(-1) === 'env' : holderOf(given) === 'env';

/** What is given in the place of the environment or laid over it, as tests do, and defaults for the rest. */
function filledBy(ev: Evaluation, schema: ObjectValue, given: ObjectValue): ObjectValue {
  const names = new Set(given.entries.map(({ name }) => name));
  const hiddenBy = given.unknown.filter((each) => !isEnvironment(each));
  const environment = given.unknown.find(isEnvironment);
  const { entries } = environment === undefined ? schema : variablesOf(ev, schema, prefixOf(environment));
  const others = entries.filter(({ name }) => !names.has(name)).map((entry) => (hiddenBy.length === 0 ? entry : { ...entry, hiddenBy }));
  const byName = new Map(schema.entries.map((entry) => [entry.name, entry]));
  const filled = given.entries.map((entry) => withDefault(ev, entry, byName.get(entry.name)));
  return { ...schema, entries: [...others, ...filled], unknown: given.unknown };
}

/** `schema.parse({ API_URL: process.env.API_URL })`: where the variable is not set, it is what the schema says; so in the schemas that it is made of. */
function withDefault(ev: Evaluation, entry: Entry, inSchema: Entry | undefined): Entry {
  if (inSchema === undefined) return entry;
  const value = (): Value => {
    const given = passed(ev, inSchema, entry.value());
    if (given.type === 'env') return orDefault(given, defaultIn(ev, inSchema));
    // What a field of a class begins with is replaced as a whole.
    const within = inSchema.node.kind === 'classMember' ? undefined : inSchema.value();
    return (within?.type === 'object' ? parsedBy(ev, within, given) : undefined) ?? given;
  };
  return { ...entry, value };
}

/** What a schema has for a variable that is not set. */
const defaultIn = (ev: Evaluation, entry: Entry): Value =>
  passedAsDefault(ev, entry, choiceOf(optionsOf(entry.value()).filter(({ type }) => type === 'text' || type === 'literal')));

/** Methods after which schemas still give the same: `schema.superRefine(…)`, `z.string().default('…').describe('…')`, `schema.prefs({ … })`. */
const refining =
  /^(?:superRefine|refine|check|strict|strip|passthrough|loose|readonly|brand|unknown|noUnknown|partial|describe|description|meta|label|notes?|example|error|messages?|prefs|preferences|options|optional|nullish|nullable|defined|trim|min|max|url|uri|email|regex|pattern|matches|valid|allow|empty|required|as(?:Url)?String|value|valueOf|getProperties|additionalProperties)$/;
/** Methods that put the properties of another schema into one. */
const joining = /^(?:extend|merge|keys|shape)$/;
const parsing = /^(?:parse(?:Async)?|validate(?:Sync|Async)|cast)$/;
const parsingSafely = /^safeParse(?:Async)?$/;

/** Whether schemas have a method by which they look at what they are given, or get stricter. */
export const isSchemaMethod = (name: string): boolean =>
  /^(?:validate|prop|transform)$/.test(name) || [refining, joining, parsing, parsingSafely].some((each) => each.test(name));

/** How schemas are told what stands in the place of what is missing: before it is looked at, or after. */
export const isDefault = (name: string): boolean => name === 'default' || name === 'prefault';

/** `.default('https://…')`, `.default(() => 'https://…')` */
export const defaultGiven = (ev: Evaluation, given: Value | undefined, node: CallNode, at: At): Value | undefined =>
  given?.type === 'function' ? ev.apply(given, [], node, at) : given;

/** What a schema is after one more of its methods, where it is known by what it gives: an object of schemas, or a default. */
export function refined(ev: Evaluation, schema: Value, name: string, args: readonly Value[], node: CallNode, at: At): Value | undefined {
  const [arg] = args;
  if (name === 'pipe') return piped(schema, args);
  // What looks at all settings for v1 may not let them through afterwards.
  if (refining.test(name)) return schema.type === 'object' && looksForV1(ev, node, at.module) ? undefined : schema;
  if (schema.type === 'env' && isDefault(name)) {
    const given = defaultGiven(ev, arg, node, at);
    return given && orDefault(schema, given);
  }
  // What `z.string().catch('…')` gives in the place of what does not fit.
  if (schema.type === 'text' && name === 'catch' && arg !== undefined) return choiceOf([schema, arg]);
  // `z.string().default('…').parse(process.env.URL)`: no text has a method of that name.
  if (schema.type === 'text' && parsing.test(name)) return arg === undefined || isNullish(arg) ? schema : orDefault(arg, schema);
  if (name !== 'transform' || arg?.type !== 'function') return undefined;
  // What it gives of an object is known when it is known what it is given.
  if (schema.type === 'object') return { type: 'method', receiver: schema, path: [name], given: [arg] };
  const made = ev.apply(arg, [schema], node, at);
  // What the variable itself becomes is the same only where nothing but slashes at the end goes.
  const [before, after] = [schema, made].map((value) => plainText(value)?.replace(/\/+$/, ''));
  return before !== undefined && before === after ? made : undefined;
}

/** `Config.string('URL').pipe(Config.withDefault('https://…'))`: a default, for what may be missing. */
function piped(setting: Value, steps: readonly Value[]): Value | undefined {
  let made = setting;
  for (const step of steps) {
    if (step.type !== 'method' || step.isStep !== true) return undefined;
    made = orDefault(made, step.receiver);
  }
  return steps.length === 0 ? undefined : made;
}

/** `schema.parse(process.env)`, `schema.safeParse(process.env)` of zod, `schema.validate(process.env)` of Joi, and what comes before. */
export function schemaCall(
  ev: Evaluation,
  schema: ObjectValue,
  name: string,
  args: readonly Value[],
  node: CallNode,
  at: At,
): Value | undefined {
  const [first] = args;
  if (parsing.test(name)) return parsedBy(ev, schema, first);
  if (parsingSafely.test(name)) return keptIn('data', parsedBy(ev, schema, first), node, at);
  if (name === 'validate') return keptIn('value', parsedBy(ev, schema, first), node, at);
  // `S.object().prop('API_URL', S.string().default('…'))` of fluent-json-schema.
  if (name === 'prop') return withProperty(schema, args, node, at);
  if (joining.test(name) && first?.type === 'object') return joined(schema, first);
  return refined(ev, schema, name, args, node, at);
}

/** `schema.transform((settings) => …).parse(process.env)`: what the function makes of what the schema gives. */
export function transformedCall(ev: Evaluation, { receiver, path, given }: MethodValue, node: CallNode, at: At): Value | undefined {
  const [transform, name, ...more] = path;
  const [made] = given ?? [];
  if (receiver.type !== 'object' || transform !== 'transform' || made?.type !== 'function' || name === undefined || more.length > 0)
    return undefined;
  if (refining.test(name)) return { type: 'method', receiver, path: [transform], given: [made] };
  const parsed = /^(?:safeP|p)arse(?:Async)?$/.test(name) ? parsedBy(ev, receiver, ev.args(node, at)[0]) : undefined;
  if (parsed === undefined) return undefined;
  const value = ev.apply(made, [parsed], node, at);
  return name.startsWith('safe') ? keptIn('data', value, node, at) : value;
}

function joined(schema: ObjectValue, more: ObjectValue): ObjectValue {
  const shape = new Shape();
  for (const each of [schema, more]) shape.spread(each);
  return { ...schema, ...shape.end() };
}

function withProperty(schema: ObjectValue, [key, value]: readonly Value[], node: CallNode, { module }: At): ObjectValue | undefined {
  const name = key && plainText(key);
  // The call has all properties before it inside.
  const [at] = node.args;
  if (name === undefined || at === undefined) return undefined;
  const given = value ?? { type: 'unknown', node: at, module };
  return { ...schema, entries: [...schema.entries, { name, key: undefined, node: at, module, valueNode: undefined, value: () => given }] };
}

function keptIn(name: string, value: Value | undefined, node: CallNode, { module }: At): Value | undefined {
  const kept = (each: Value): Value => {
    // Whoever calls says what it is, and so what is read of it.
    if (each.type === 'param') return each;
    const entry: Entry = { name, key: undefined, node, module, valueNode: undefined, value: () => each };
    return { type: 'object', node, module, entries: [entry], unknown: [] };
  };
  return value && choiceOf(optionsOf(value).map(kept));
}

/** An object of the variables that a schema names. */
export function variablesOf(ev: Evaluation, schema: ObjectValue, prefix = ''): ObjectValue {
  return { ...schema, entries: schema.entries.map((entry) => ({ ...entry, value: () => variableOr(ev, entry, prefix) })) };
}

/** What the names of an environment's variables have before those that they are read by: see `shortened-variables.ts`. */
export const prefixOf = (environment: Value): string =>
  environment.type === 'external' ? (environment.given ?? []).map((each) => plainText(each) ?? '').join('') : '';

function variableOr(ev: Evaluation, entry: Entry, prefix: string): Value {
  const { name, node, module } = entry;
  const otherwise = defaultIn(ev, entry);
  return name === undefined ? otherwise : orDefault({ type: 'env', name: `${prefix}${name}`, node, module }, otherwise);
}

/** `config.get('API_URL', 'https://…')` of a configuration service reads the environment by name. */
export function configured(ev: Evaluation, method: string, [name, otherwise]: readonly Value[], node: CallNode, at: At): Value | undefined {
  if (!['get', 'getOrThrow', 'getString', 'required', 'env'].includes(method) || name === undefined) return undefined;
  const text = plainText(name);
  if (text === undefined) return undefined;
  const held = /^[a-z]\w*(?:\.\w+)*$/i.test(text) ? combined(ev.rules).configured(ev, text, node, at) : undefined;
  if (!variable.test(text)) return held;
  const defaults = [held, otherwise].flatMap((each) => (each === undefined ? [] : optionsOf(each).filter(({ type }) => type === 'text')));
  return orDefault({ type: 'env', name: text, node, module: at.module }, choiceOf(defaults));
}
