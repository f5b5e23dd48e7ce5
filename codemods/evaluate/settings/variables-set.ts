/** What code sets variables of the environment to, as tests do it. */
import { memo } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Expression, Node } from '../../syntax/tree.ts';
import type { Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { forAllCallers } from '../calls/all-callers.ts';
import { flat } from '../values/text.ts';
import { optionsOf, type TextValue } from '../values/values.ts';

export interface SetVariable {
  readonly name: string;
  readonly node: Node;
  readonly value: TextValue;
}

/** What a text is set as: `process.env.NAME = '…'`, `{ NAME: '…' }` and `vi.stubEnv('NAME', '…')`. */
export function settingOf(node: Node): string | undefined {
  const { parent } = node;
  if (parent?.kind === 'assign' && parent.value === node && parent.target.kind === 'member') {
    const { property, computed } = parent.target;
    return property ?? (computed?.kind === 'string' ? computed.value : undefined);
  }
  if (parent?.kind === 'property') return parent.name;
  const [first, second] = parent?.kind === 'call' ? parent.args : [];
  return second === node && first?.kind === 'string' ? first.value : undefined;
}

/** The option that a text is given for: `main(['--api-url', url])`. */
function optionOf(node: Node): string | undefined {
  const { parent } = node;
  const before = parent?.kind === 'array' ? parent.elements[parent.elements.findIndex((each) => each === node) - 1] : undefined;
  return before?.kind === 'string' && isOption(before.value) ? before.value : undefined;
}

export const isOption = (name: string): boolean => /^--[\w-]+$/.test(name);

/** Whether the list that an option stands in goes to a function of the project, and not to some other program. */
function isGivenToProgram(ev: Evaluation, { parent: list }: Node, module: SourceModule): boolean {
  const call = list?.parent;
  if (call?.kind !== 'call' || call.callee === list) return false;
  return optionsOf(ev.evaluate(call.callee, { module, frame: undefined })).every(({ type }) => type === 'function');
}

const known = new WeakMap<SourceModule, ReadonlyMap<string | undefined, readonly Expression[]>>();

function placesIn(module: SourceModule): ReadonlyMap<string | undefined, readonly Expression[]> {
  const { program } = module.tree;
  const places =
    known.get(module) ??
    Map.groupBy<string | undefined, Expression>(
      [...module.texts, ...nodesOfKind(program, 'concat'), ...nodesOfKind(program, 'name'), ...nodesOfKind(program, 'member')],
      (node) => settingOf(node) ?? optionOf(node),
    );
  known.set(module, places);
  return places;
}

/** The texts that a file sets some variables to. */
export function variablesSetIn(ev: Evaluation, module: SourceModule, names: Iterable<string>): readonly SetVariable[] {
  const places = placesIn(module);
  return Array.from(names).flatMap((name) =>
    (places.get(name) ?? []).flatMap((node) => {
      if (isOption(name) && !isGivenToProgram(ev, node, module)) return [];
      const found = isOption(name)
        ? forAllCallers(ev, undefined, (frame) => ev.evaluate(node, { module, frame }))
        : ev.evaluate(node, { module, frame: undefined });
      const [value, more] = optionsOf(found);
      return value?.type === 'text' && more === undefined ? [{ name, node, value }] : [];
    }),
  );
}

/** … and where it is one of several, as of a table of tests: `it.each([…])('asks %s', (base) => { process.env.API_URL = base; … })`. */
export function textsSetIn(ev: Evaluation, module: SourceModule, names: Iterable<string>): readonly SetVariable[] {
  const places = placesIn(module);
  return Array.from(names).flatMap((name) =>
    (isOption(name) ? [] : (places.get(name) ?? [])).flatMap((node) => {
      const values = optionsOf(forAllCallers(ev, undefined, (frame) => ev.evaluate(node, { module, frame })));
      return values.length < 2 ? [] : values.flatMap((value) => (value.type === 'text' ? [{ name, node, value }] : []));
    }),
  );
}

const texts = new WeakMap<Evaluation, (module: SourceModule) => (name: string) => ReadonlyMap<string, TextValue>>();

/** What a file sets a variable to, where it is a certain text. */
export function setTo(ev: Evaluation, module: SourceModule, name: string, text: string): TextValue | undefined {
  const found =
    texts.get(ev) ??
    memo((of: SourceModule) =>
      memo((variable) => new Map(variablesSetIn(ev, of, [variable]).map(({ value }) => [flat(value.parts), value]))),
    );
  texts.set(ev, found);
  return found(module)(name).get(text);
}
