/**
 * Classes of Backbone's that the scripts of a page have by names of the page: `App.Models.Contact`. No import says who takes one there, and makes another of it
 * that is elsewhere, with the key of its `sync`: what has its name may be it, and so may what nobody knows.
 */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { World } from '../../../evaluate/program.ts';
import { optionsOf } from '../../../evaluate/values/values.ts';
import type { AmbientMark } from '../../../find/modules/ambient.ts';
import { memoOf } from '../../../once.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import type { CallNode, MemberNode, Node } from '../../../syntax/tree.ts';
import { backboneItself, isMadeWithOptions } from './backbone-program.ts';
import { jqueryItself } from './jquery.ts';

/** Where classes get their names: `App.Contact = Backbone.Model.extend(…)`, `{ Contact: … }`. */
const declared = /(?<![\w$])([\w$]+)\s*[=:]\s*[\w$.]+\.extend\(/g;

/** Who takes such a class for more than an instance of it: inherits from it, changes it, hands it on. */
function takenBy(text: string): RegExp | undefined {
  const names = Array.from(new Set(Array.from(text.matchAll(declared), ([, name = '']) => name.replaceAll('$', String.raw`\$`))));
  return names.length === 0 ? undefined : new RegExp(String.raw`(?<![\w$'"/-])(?:${names.join('|')})(?![\w$'"/-])(?!\s*[(:=])`);
}

/** What is done to all that Backbone asks. */
const hooking =
  /\bBackbone\.(?:sync|ajax|\$|emulateHTTP|emulateJSON)\s*=(?!=)|\bBackbone\.(?:Model|Collection)\.prototype\b|\bajax(?:Setup|Prefilter|Send|Transport)\b/;

/** What tells one of its instances an address. */
const telling = new RegExp(
  [
    String.raw`\.(?:fetch|save|create|destroy|sync)\([^;]{0,300}?\burl(?:Root)?\s*:`,
    String.raw`\bnew\s+[\w$.]+\([^;]{0,300}?\burl(?:Root)?\s*:`,
    String.raw`\b(?!(?:this|self|that|options|opts|settings|config|params|req|request|res|response|xhr)\b)[\w$]+\.url(?:Root)?\s*=(?!=)`,
  ].join('|'),
);

/** Libraries as they are published, which know nothing of the instances of a program. */
const published = /^\s*(?:\/\/[^\n]*\n\s*)*\/\*(?:!|\*?\s*@license)|^\s*\/\/\s+[\w.-]+\.js v?\d+\.\d/;
const reached = /\bBackbone\b/;
const itself = new RegExp(`${jqueryItself.source}|${backboneItself.source}`);

export const ambientMarks: readonly AmbientMark[] = [
  { mark: /\bBackbone(?:\.\w+){1,3}\.extend\(/, reached: takenBy, itself },
  { mark: hooking, reached, itself, isSilent: true },
  { mark: telling, reached, itself: new RegExp(`${itself.source}|${published.source}`), isSilent: true },
];

/** All names under which the scripts of a page may have such classes: those that they are put under, and what is made of these. */
const namesIn = memoOf((world: World): ReadonlySet<string> => {
  const named = [...world.modules.values()].flatMap((module) => (isTest(module) ? [] : namedIn(module)));
  const names = new Set<string>();
  // What is made of what has a name comes up later than that: each round ends a chain of names.
  for (let before = -1; before < names.size;) {
    before = names.size;
    for (const { name, of } of named) if (of === 'Model' || of === 'Collection' || names.has(of)) names.add(name);
  }
  return names;
});

interface Naming {
  readonly name: string;
  readonly of: string;
}

/** `App.Contacts = Contacts`, `{ Contacts }`, `var Contacts = App.Base.extend(…)`: what it is called, and of what it is made. */
const namedIn = ({ tree: { program } }: SourceModule): readonly Naming[] => [
  ...nodesOfKind(program, 'assign').flatMap(({ target, value }) => namingOf(lastName(target), value)),
  ...nodesOfKind(program, 'property').flatMap(({ name, value }) => namingOf(name, value)),
  ...nodesOfKind(program, 'variable').flatMap(({ target, init }) => (target.kind === 'patternName' ? namingOf(target.name, init) : [])),
];

function namingOf(name: string | undefined, value: Node | undefined): Naming[] {
  const of = lastName(value?.kind === 'call' && isExtending(value.callee) ? value.callee.object : value);
  return name === undefined || of === undefined ? [] : [{ name, of }];
}

const isExtending = (node: Node): node is MemberNode => node.kind === 'member' && node.property === 'extend';

const lastName = (node: Node | undefined): string | undefined =>
  node?.kind === 'name' ? node.name : node?.kind === 'member' ? node.property : undefined;

const isClass = (ev: Evaluation, node: Node, module: SourceModule): boolean =>
  optionsOf(ev.evaluate(node, { module, frame: undefined })).some((each) => each.type === 'http' && each.client === 'backbone');

/** Whether what nobody knows may be such a class: by its name, where it is one of the page's, and else by what it may be given. */
function mayBeClass(ev: Evaluation, node: Node, module: SourceModule): boolean {
  const isKnown = optionsOf(ev.evaluate(node, { module, frame: undefined })).every(
    (each) => each.type !== 'unknown' && each.type !== 'param' && !(each.type === 'external' && each.source === ''),
  );
  if (isKnown) return false;
  if (node.kind === 'member') return namesIn(ev.world).has(node.property ?? '');
  if (node.kind !== 'name') return false;
  const owner = module.scopes.bindingOf(node)?.owner;
  return owner === undefined ? namesIn(ev.world).has(node.name) : owner.kind !== 'import';
}

const own: ReadonlySet<string> = new Set(['url', 'urlRoot', 'sync', 'ajax', 'fetch', 'save', 'create', 'destroy']);

/** Whether what may be one is made another of, which is somewhere else or asks in another way; is changed, or is handed to who may do so. */
export const areTakenOpenly = memoOf((ev: Evaluation): boolean =>
  [...ev.world.modules.values()].some(
    (module) =>
      (!isTest(module) && module.calls.some((call) => takesOpenly(ev, call, module))) ||
      module.classes.some(({ superclass }) => superclass !== undefined && mayBeClass(ev, superclass, module)),
  ),
);

function takesOpenly(ev: Evaluation, call: CallNode, module: SourceModule): boolean {
  const { callee, args, isNew } = call;
  if (isMadeWithOptions(call)) return isClass(ev, callee, module) || mayBeClass(ev, callee, module);
  if (isExtending(callee) && args.some((each) => !saysNoAddress(each)) && mayBeClass(ev, callee.object, module)) return true;
  return !isNew && args.some((each) => namesIn(ev.world).has(lastName(each) ?? '') && isOfPage(each, module));
}

const saysNoAddress = (node: Node): boolean =>
  node.kind === 'object' && node.properties.every((each) => each.kind === 'property' && each.name !== undefined && !own.has(each.name));

/** Whether it is something of the page, by its name. */
function isOfPage(node: Node, { scopes }: SourceModule): boolean {
  let at = node;
  while (at.kind === 'member') at = at.object;
  return at.kind === 'name' && scopes.bindingOf(at) === undefined;
}
