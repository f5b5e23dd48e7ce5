/** What awilix registers by itself: each file that a pattern means, under the name of the file, https://github.com/jeffijoe/awilix#auto-loading-modules. */
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { commonJsName, type SourceModule } from '../../evaluate/module.ts';
import type { Put } from '../../evaluate/libraries/provided.ts';
import { plainText, unknown, type Value } from '../../evaluate/values/values.ts';
import { patternsIn } from '../../find/modules/loaded-patterns.ts';
import type { AssignNode, CallNode, ExportDeclarationNode, Node } from '../../syntax/tree.ts';
import { lastName } from '../names.ts';
import { madeBy } from './injection.ts';

/** How something is given what it asks for: by the names of its parameters, by one object that has all, or by whoever registers it. */
export type Mode = 'names' | 'cradle' | 'beside';

/** A file may be loaded under either of the names that awilix gives by what it is called: which of them says who loads it. */
export function ofLoadedFile(space: string, node: AssignNode | ExportDeclarationNode, module: SourceModule): readonly Put[] {
  const made = exportedBy(node);
  if (made === undefined) return [];
  const names = namesOf(module.file);
  return [...new Set([names.plain, names.camelCase])].flatMap((key): Put[] =>
    key === undefined
      ? []
      : [
          {
            space,
            key,
            node: made,
            isFor: (ev) => isLoadedAs(ev, module, key),
            value: (ev, at) => registeredOf(ev, module, made, at),
          },
        ],
  );
}

/** What is made of what a file exports; of an object nothing is registered. */
function registeredOf(ev: Evaluation, module: SourceModule, node: Node, at: At): Value {
  const exported = exportOf(ev, module);
  return exported.type === 'object' ? { type: 'literal', value: undefined } : madeBy(ev, exported, node, at);
}

const exportedBy = (node: AssignNode | ExportDeclarationNode): Node | undefined =>
  node.kind === 'assign'
    ? commonJsName(node.target) === '*'
      ? node.value
      : undefined
    : node.isDefault || node.isAssignment
      ? node.declarations[0]
      : undefined;

/** What a file is registered by, unless it says so itself: `[RESOLVER]: { name: 'client' }`. */
const exportOf = (ev: Evaluation, module: SourceModule): Value =>
  (module.text.includes('RESOLVER') ? undefined : ev.exported(module, 'default')) ?? unknown(undefined, module);

/** `contact-store.js` is `contactStore`, where names are asked for in that way; those with more than words in them are left. */
function namesOf(file: string): { readonly plain: string; readonly camelCase: string | undefined } {
  const plain = (file.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
  const words = plain.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/);
  const isPlain = words.every((word) => /^[A-Za-z][a-z0-9]*$/.test(word));
  return { plain, camelCase: isPlain ? words.map(capitalized).join('').replace(/^./, lowered) : undefined };
}

const capitalized = (word: string): string => word.replace(/^./, (letter) => letter.toUpperCase());
const lowered = (letter: string): string => letter.toLowerCase();

/** `container.loadModules([…], { formatName: 'camelCase' })`; controllers are made, and have no names: `loadControllers('routes/*.js')`. */
interface Loading {
  readonly loaded: ReadonlySet<SourceModule>;
  /** How names are made: as files are called where nothing is said; undefined where only the program knows. */
  readonly format: 'plain' | 'camelCase' | undefined;
  /** How what is loaded is given what it asks for, where that is said there. */
  readonly how: Mode | undefined;
}

const known = new WeakMap<Evaluation, readonly Loading[]>();

function loadingsIn(ev: Evaluation): readonly Loading[] {
  const before = known.get(ev);
  if (before !== undefined) return before;
  const found = [...ev.world.modules.values()].flatMap((module) => {
    const loaded = new Set(ev.world.loads?.(module));
    const calls = loaded.size === 0 ? [] : module.calls.filter((call) => /^load(?:Modules|Controllers)$/.test(lastName(call.callee)));
    return calls.map((call): Loading => ({ loaded, ...optionsOfLoading(ev, call, module) }));
  });
  known.set(ev, found);
  return found;
}

function optionsOfLoading(ev: Evaluation, call: CallNode, module: SourceModule): Omit<Loading, 'loaded'> {
  const [, options] = call.args;
  if (lastName(call.callee) === 'loadControllers') return { format: undefined, how: undefined };
  if (options === undefined) return { format: 'plain', how: undefined };
  if (options.kind === 'spread') return { format: undefined, how: 'beside' };
  const at = { module, frame: undefined };
  const given = ev.evaluate(options, at);
  const format = ev.member(given, 'formatName', options, at);
  const resolving = ev.member(given, 'resolverOptions', options, at);
  const isSaid = plainText(format);
  return {
    format: isSaid === 'camelCase' ? isSaid : isNothing(format) ? 'plain' : undefined,
    how: isNothing(resolving) ? undefined : modeSaidBy(ev, resolving, options, at),
  };
}

/** What options say of a resolver; what it is, is decided elsewhere, but a value is no function that is called. */
function modeSaidBy(ev: Evaluation, options: Value, node: Node, at: At): Mode | undefined {
  const [register, injector, mode] = ['register', 'injector', 'injectionMode'].map((name) => ev.member(options, name, node, at));
  const isCalled = register === undefined || isNothing(register) || /^as(?:Class|Function)$/.test(nameOf(register) ?? '');
  if (!isCalled || (injector !== undefined && !isNothing(injector))) return 'beside';
  return mode === undefined || isNothing(mode) ? undefined : modeCalled(nameOf(mode));
}

/** `InjectionMode.CLASSIC` */
export const nameOf = (value: Value): string | undefined => (value.type === 'external' ? value.path.at(-1) : plainText(value));

export function modeCalled(name: string | undefined): Mode {
  if (name === 'CLASSIC') return 'names';
  return name === 'PROXY' ? 'cradle' : 'beside';
}

const isNothing = (value: Value): boolean => value.type === 'literal' && value.value === undefined;

const isLoadedAs = (ev: Evaluation, module: SourceModule, name: string): boolean =>
  loadingsIn(ev).some(({ loaded, format }) => loaded.has(module) && format !== undefined && namesOf(module.file)[format] === name);

/** Whether a call may register something under any name: of patterns that are not written, or by names that only the program makes. */
export function loadsUnknown({ args: [, options] }: CallNode, { text }: SourceModule): boolean {
  if (!patternsIn(text).isWhole) return true;
  if (options === undefined) return false;
  if (options.kind !== 'object') return true;
  return options.properties.some((each) => each.kind === 'spread' || (each.name === 'formatName' && each.value.kind !== 'string'));
}

/** What files are registered by that a container loads. */
export const loadedExports = (ev: Evaluation): readonly { readonly value: Value; readonly how: Mode | undefined }[] =>
  loadingsIn(ev).flatMap(({ loaded, how }) => [...loaded].map((module) => ({ value: exportOf(ev, module), how })));
