/** What tests put in the place of the settings of the program: of a file of its own, or of Nuxt. */
import type { RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat, isAbsolute } from '../../evaluate/values/text.ts';
import { optionsOf, partsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import { isMadeUpAddress } from '../../find/words/literals.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';
import { isVersioned } from './expected/expected-request.ts';
import { stubbingOf } from './stubbing-tests.ts';
import { mockingModules } from './libraries.ts';

/** The file that a test puts something else in the place of, and what makes that: `vi.mock('../src/config', () => ({ … }))`. */
export function replacedModule({
  callee,
  args: [key, factory],
}: CallNode): { readonly specifier: string; readonly factory: Expression } | undefined {
  const verb = callee.kind === 'member' ? callee.property : undefined;
  if (!mockingModules.test(verb ?? '') || key?.kind !== 'string' || factory === undefined || factory.kind === 'spread') return undefined;
  return { specifier: key.value, factory };
}

/**
 * What the program has for settings in the test: `vi.mock('../src/config', () => ({ base: '…' }))`, and of Nuxt
 * `vi.stubGlobal('useRuntimeConfig', () => ({ … }))` and `mockNuxtImport('useRuntimeConfig', () => () => ({ … }))`.
 */
export const replacesSettings = (verb: string, { args: [key, factory] }: CallNode): boolean =>
  (mockingModules.test(verb) && factory !== undefined) ||
  (/^(?:stubGlobal|mockNuxtImport)$/.test(verb) && key?.kind === 'string' && key.value === 'useRuntimeConfig');

/** Whether it is put there by the test, and not taken over from the program: `{ ...await vi.importActual('./config'), … }`. */
const isOfTest = (text: Value): boolean =>
  partsOf(text).every((part) => !('text' in part) || part.source === undefined || isTest(part.source.module));

/** The addresses among them. */
export function settingsPutBy(call: RuleCall): Value[] {
  const { ev, args, path, node, module } = call;
  const [, settings] = args;
  const [key] = node.args;
  const isModule = mockingModules.test(path.at(-1) ?? '');
  // What is made up in the place of Nuxt's settings is known by its name there, unless too many tests do so.
  const isNamed = !isModule && stubbingOf(ev, 'useRuntimeConfig').isHad(module);
  const isMeant = (address: string): boolean => isAbsolute(address) && !(isNamed && isMadeUpAddress(address));
  const isAddress = (each: Value): boolean => isVersioned(each) && isMeant(flat(partsOf(each))) && isOfTest(each);
  const replaced = isModule && key?.kind === 'string' ? ev.world.resolve(module, key.value) : undefined;
  const own = replaced === undefined ? undefined : addressesOf(replaced);
  const isSetting = (each: Value): boolean => /\/v1\/?$/.test(flat(partsOf(each))) || own?.has(flat(partsOf(each))) === true;
  return settings === undefined ? [] : textsIn(settings, call, isSetting, undefined, new Set()).filter(isAddress);
}

/**
 * The addresses that a test has a function of a package answer with, which tells settings by their names:
 * `jest.spyOn(core, 'getInput').mockImplementation((name) => inputs[name])`.
 */
export function settingsAnsweredBy(call: RuleCall, answer: Value): Value[] {
  const { ev, node, module } = call;
  const answered = answer.type === 'function' ? ev.apply(answer, [unknown(node, module)], node, call) : answer;
  return answered === undefined ? [] : optionsOf(answered).filter(isAnswer);
}

const isAnswer = (each: Value): boolean => isAbsolute(flat(partsOf(each))) && isOfTest(each);

/** The addresses that a file writes out. */
function addressesOf(module: SourceText): ReadonlySet<string> {
  const found = addresses.get(module) ?? new Set(module.text.match(/(?<=(?<!\(\s*)['"`])https?:[^\s'"`]*(?=['"`])/g));
  addresses.set(module, found);
  return found;
}

const addresses = new WeakMap<SourceText, ReadonlySet<string>>();

/**
 * Of an object that a factory makes, with groups, and functions and mocks in it that answer with more: each once, as one that chains answers with itself.
 * @param isSetting whether an address is one in an answer, too: an object may then be what the service sends, in which one with a path is none, but
 * where the program has it itself
 * @param within whether it stands in the object, or is what something in it answers
 */
function textsIn(
  value: Value,
  call: RuleCall,
  isSetting: (text: Value) => boolean,
  within: 'object' | 'answer' | undefined,
  seen: Set<Node>,
): Value[] {
  const { ev, node } = call;
  return optionsOf(value).flatMap((each) => {
    if (each.type === 'text') return [each];
    if ((each.type !== 'object' && each.type !== 'function' && each.type !== 'http') || seen.has(each.node)) return [];
    seen.add(each.node);
    if (each.type === 'object') {
      const found = each.entries.flatMap((entry) => textsIn(entry.value(), call, isSetting, within ?? 'object', seen));
      return within === 'answer' ? found.filter(isSetting) : found;
    }
    const answer = each.type === 'function' ? ev.apply(each, [], node, call) : each.notes?.['answer'];
    return answer === undefined ? [] : textsIn(answer, call, isSetting, within && 'answer', seen);
  });
}
