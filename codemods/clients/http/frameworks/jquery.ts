/** jQuery: https://api.jquery.com/category/ajax. Settings, short forms, defaults of the page and callbacks before each request. */
import { headersSetBy } from '../../callbacks.ts';
import type { Additions, ClientRule, Given, Mutation, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { isOptions, made, option } from '../../shapes.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { nameFor } from '../../../syntax/scopes.ts';
import type { CallNode, Node } from '../../../syntax/tree.ts';
import { choiceOf, type HttpValue, plainText, unknown, type Value } from '../../../evaluate/values/values.ts';

const name = 'jquery';
const globals = ['$', 'jQuery'];
/** Defaults are one thing for the page, whatever name a file has for jQuery. */
export const jqueryOrigins = [name, ...globals.map((each) => `global ${each}`)];
/** What jQuery begins with as it is published. */
export const jqueryItself = /^\s*\/\*!\s*\*\s*jQuery JavaScript Library v\d/;
const jqueryModules = [name, 'jquery/slim'];
const ready = 'ready';
const [setup, prefilter] = ['ajaxSetup', 'ajaxPrefilter'];
const shortForms: Readonly<Record<string, string>> = { get: 'GET', getJSON: 'GET', getScript: 'GET', post: 'POST' };

/** What a selection has beside what the page's own elements do: `$('#list').load('https://…')`, `$('#table').DataTable({ ajax: 'https://…' })`. */
const selection = 'fn';
/** What plugins hand to `$.ajax` by this name: DataTables, Select2. */
const settingsOfPlugins = 'ajax';
/** How others call the address of what they show: whether they ask for it by jQuery, with what headers of their own, only they know. */
const addresses = ['url', 'source', 'serviceUrl'];
/** What gives the selection, or another, so that something is called of that: `$('#list').empty().load('https://…')`. */
const chained =
  /^(?:empty|hide|show|find|closest|children|parents?|siblings|first|last|eq|next|prev|filter|not|end|stop|delay|each|on|off|one|trigger|css|(?:add|remove|toggle)Class|addBack|remove(?:Attr|Data)?|append|prepend|after|before|fade\w+|slide\w+)$/;
/** What gives it back once it is given as much as it sets, and else what it has: `.html('…')`, `.attr('id', 'list')`. */
const setting: ReadonlyMap<string, number> = new Map([
  ...['html', 'text', 'val'].map((each) => [each, 1] as const),
  ...['attr', 'prop', 'data'].map((each) => [each, 2] as const),
]);
/** What keeps or shows what it is given, and asks for nothing: `.data({ url })`. */
const keeping = /^(?:add|after|append|attr|before|css|data|html|off|on|one|prop|remove|text|toggle|trigger|val)\w*$/;

function call(call: RuleCall): Value | undefined {
  const { path, args, ev } = call;
  const [verb, ...more] = path;
  if (verb === undefined) return selected(call);
  if (verb === selection && more.length === 1) return asked(call);
  if (more.length > 0) return undefined;
  const isShort = Object.hasOwn(shortForms, verb);
  if (!isShort && verb !== 'ajax') return undefined;
  const isText = args[0] !== undefined && !isOptions(args[0]);
  const settings = isText ? (isShort ? undefined : args[1]) : args[0];
  const request = made(name, 'request', call, {
    url: isText ? args[0] : option(call, settings, 'url'),
    method: shortForms[verb] ?? option(call, settings, 'method', 'type') ?? 'GET',
    headers: headersIn(ev, settings, (each) => option(call, settings, each)),
  });
  return { ...request, origins: jqueryOrigins };
}

/** A selection of which something is called that may ask, or that has a name: of all else that one has nothing is known. */
function selected({ node, args: [of], ev, ...at }: RuleCall): Value | undefined {
  if (node.isNew || of === undefined || of.type === 'function' || !(isCalledOf(node) || node.parent?.kind === 'variable')) return undefined;
  const jquery = ev.evaluate(node.callee, at);
  return jquery.type === 'external' ? { ...jquery, path: [...jquery.path, selection] } : undefined;
}

const isChained = (method: string, args: readonly Value[]): boolean =>
  chained.test(method) || args.length >= (setting.get(method) ?? Infinity) || (setting.has(method) && args[0]?.type === 'object');

const isCalledOf = ({ parent }: CallNode): boolean =>
  parent?.kind === 'member' && parent.parent?.kind === 'call' && parent.parent.callee === parent;

/** Addresses that a table is given later on, which it asks with the same settings: `table.ajax.url('https://…').load()`, `$('#table').DataTable().ajax.url(…)`. */
function givenLater({ node, ev, ...at }: RuleCall): Value[] {
  const { calls, scopes } = at.module;
  const binding = nameFor(node, scopes);
  const selector = selectorOf(node);
  const isSame = (table: Node): boolean =>
    table === node ||
    (table.kind === 'name' && binding?.references.includes(table) === true) ||
    (selector !== undefined && selector === selectorOf(table));
  return calls.flatMap(({ callee, args: [address] }) => {
    const ajax = callee.kind === 'member' && callee.property === 'url' ? callee.object : undefined;
    if (ajax?.kind !== 'member' || ajax.property !== settingsOfPlugins || address === undefined || address.kind === 'spread') return [];
    return isSame(ajax.object) ? ev.evaluate(address, at) : [];
  });
}

/** `'#table'` of `$('#table').DataTable()` */
function selectorOf(node: Node): string | undefined {
  const made = node.kind === 'call' && node.callee.kind === 'member' ? node.callee.object : undefined;
  const [selector] = made?.kind === 'call' ? made.args : [];
  return selector?.kind === 'string' ? selector.value : undefined;
}

/** What it asks for: jQuery does that, with the defaults of the page. */
function asked(call: RuleCall): Value | undefined {
  const { path, args, ev, node, module } = call;
  const [given] = args;
  const method = path[1] ?? '';
  if (isChained(method, args) && isCalledOf(node) && node.callee.kind === 'member') return ev.evaluate(node.callee.object, call);
  if (given === undefined || keeping.test(method)) return undefined;
  const isOfPlugin = method !== 'load';
  const settings = isOfPlugin ? option(call, given, settingsOfPlugins) : given;
  if (settings === undefined || settings.type === 'literal' || settings.type === 'function') {
    const url = addresses.flatMap((each) => option(call, given, each) ?? []).find(({ type }) => type !== 'literal' && type !== 'function');
    if (!isOfPlugin || url === undefined) return undefined;
    const isOfPage = url.type === 'text' && /^\/(?!\/)/.test(plainText(url) ?? '');
    return {
      ...made(name, 'request', call, { url: isOfPage ? url : unknown(node, module), method: 'GET', headers: [] }),
      origins: jqueryOrigins,
    };
  }
  const isWhole = settings.type === 'object';
  const request = made(name, 'request', call, {
    url: choiceOf([(isWhole ? option(call, settings, 'url') : settings) ?? unknown(node, module), ...givenLater(call)]),
    method: isWhole ? (option(call, settings, 'method', 'type') ?? 'GET') : 'GET',
    headers: isWhole ? headersIn(ev, settings, (each) => option(call, settings, each)) : [],
  });
  return { ...request, origins: jqueryOrigins };
}

const headersIn = (ev: Evaluation, settings: Value | undefined, get: (name: string) => Value | undefined): (Value | undefined)[] =>
  settings === undefined ? [] : [get('headers'), headersSetBy(ev, get('beforeSend'), 0, [], ['setRequestHeader'])];

function additions(mutation: Mutation, _request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind !== 'call') return undefined;
  const args = ev.args(mutation.node, mutation);
  const [verb] = mutation.path;
  const [settings] = args;
  if (verb === setup && settings !== undefined) {
    const get = (each: string): Value => ev.member(settings, each, mutation.node, mutation);
    return { headers: headersIn(ev, settings, get).filter((each) => each !== undefined) };
  }
  if (verb !== prefilter) return undefined;
  // ajaxPrefilter(dataTypes?, (options, original, xhr) => …)
  const callback = args.findLast(({ type }) => type === 'function');
  const set = [headersSetBy(ev, callback, 0, ['headers']), headersSetBy(ev, callback, 2, [], ['setRequestHeader'])];
  return { headers: set.filter((each) => each !== undefined) };
}

/** `jQuery(function ($) {…})`, `jQuery(document).ready(function ($) {…})`: https://api.jquery.com/ready/. What runs when the page is there is given jQuery itself. */
function readied({ ev, index, call: { callee, isNew }, argument, within, ...at }: Given): Value | undefined {
  if (index !== 0 || argument !== 0 || within.length > 0 || isNew) return undefined;
  const isReady = callee.kind === 'member' && callee.property === ready;
  if (!isReady) return itself(ev.evaluate(callee, at));
  return callee.object.kind === 'call' ? itself(ev.evaluate(callee.object.callee, at)) : undefined;
}

/** jQuery, and nothing of it: `$.each(list, function (item) {…})`. */
function itself(value: Value): Value | undefined {
  if (value.type !== 'external') return undefined;
  const [first, ...more] = value.path;
  const isWhole =
    value.source === '' ? first !== undefined && globals.includes(first) : jqueryModules.includes(value.source) && first === 'default';
  return (isWhole && more.length === 0) || (value.path.length === 0 && jqueryModules.includes(value.source)) ? value : undefined;
}

export const jqueryRule: ClientRule = {
  name,
  title: 'jQuery',
  isOfPages: true,
  modules: jqueryModules,
  globals,
  call,
  additions,
  adds: /^ready$/,
  given: readied,
  addsBy: [setup, prefilter],
  ambient: {
    mark: /\bajax(?:Setup|Prefilter|Send)\b/,
    reached: /\$(?:\.(?:ajax|get|post)|\[)|\w\[[\w.]+\]\(|\bjQuery\b|\$\([^)]*\)\.load\(|\bajax\s*:/,
    itself: jqueryItself,
    isSilent: true,
  },
  asksBy: ['ajax'],
};
