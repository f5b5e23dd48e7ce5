/**
 * Templates of CloudFormation and SAM, https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html: which texts
 * a function of theirs may give. `!FindInMap [Stages, !Ref Stage, Url]` gives what stands under `Url` in the map, whatever the stage is.
 */
import type { Definition } from '../variables.ts';
import { type Data, type DataMap, type Scalar, entryOf, mapOf, mapsIn } from './tree.ts';

/** In YAML a function is mostly written as a tag, which is short for a map with its name. */
export const functionOfTag: ReadonlyMap<string, string> = new Map([
  ['!FindInMap', 'Fn::FindInMap'],
  ['!If', 'Fn::If'],
  ['!Sub', 'Fn::Sub'],
  ['!Ref', 'Ref'],
]);

const name = /^(?:Fn::(?:FindInMap|If|Sub)|Ref)$/;

/** The function that a value is, and what it is given. */
function functionIn(data: Data): { readonly called: string; readonly given: Data } | undefined {
  const [only, another] = data.kind === 'map' ? data.entries : [];
  return only === undefined || another !== undefined || !name.test(only.key.value)
    ? undefined
    : { called: only.key.value, given: only.value };
}

/** What a function takes from the template, by a name of it; `*` for any entry of a map. */
function takenBy(called: string, given: Data): string | undefined {
  if (called === 'Ref') return given.kind === 'scalar' ? given.value : undefined;
  if (called !== 'Fn::FindInMap' || given.kind !== 'list' || given.items[0]?.kind !== 'scalar') return undefined;
  return `${given.items[0].value} ${given.items[2]?.kind === 'scalar' ? given.items[2].value : '*'}`;
}

/** Under which names the template gives on what its functions take: what goes to several may be read by somebody who is not seen. */
function receiversIn(root: Data): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (taken: string | undefined, receiver: string): void => {
    if (taken !== undefined) found.set(taken, (found.get(taken) ?? new Set()).add(receiver));
  };
  const visit = (data: Data, receiver: string): void => {
    if (data.kind === 'scalar') for (const [, taken] of data.value.matchAll(/\$\{(\w+)\}/g)) add(taken, receiver);
    if (data.kind === 'list') for (const item of data.items) visit(item, receiver);
    if (data.kind !== 'map') return;
    const call = functionIn(data);
    if (call !== undefined) add(takenBy(call.called, call.given), receiver);
    for (const { key, value } of data.entries) visit(value, call === undefined ? key.value : receiver);
  };
  visit(root, '');
  return found;
}

/** @returns what tells the texts that a value may be: itself, or what a function of the template gives to one name alone */
export function textsGivenIn(root: Data): (value: Data) => readonly Scalar[] {
  const receivers = receiversIn(root);
  const isShared = (taken: string | undefined): boolean => {
    const names = [taken ?? '', `${taken?.split(' ')[0]} *`].flatMap((each) => [...(receivers.get(each) ?? [])]);
    return new Set(names).size > 1;
  };
  const texts = (value: Data): readonly Scalar[] => {
    if (value.kind === 'scalar') return [value];
    const { called, given } = functionIn(value) ?? {};
    if (called === undefined || given === undefined || root.kind !== 'map' || isShared(takenBy(called, given))) return [];
    const items = given.kind === 'list' ? given.items : [];
    switch (called) {
      case 'Fn::FindInMap':
        return found(mapOf(root, /^Mappings$/), items).flatMap(texts);
      case 'Fn::If':
        return items.slice(1).flatMap(texts);
      case 'Fn::Sub':
        return (items[0] ?? given).kind === 'scalar' ? texts(items[0] ?? given) : [];
      default:
        return given.kind === 'scalar' ? defaultsIn(root, given.value) : [];
    }
  };
  return texts;
}

/** What stands in a map under some keys, of which one that the deployment chooses may be any. */
function found(from: DataMap | undefined, keys: readonly Data[]): readonly Data[] {
  if (from === undefined || keys.length < 3 || keys[0]?.kind !== 'scalar') return [];
  return keys
    .slice(0, 3)
    .reduce<readonly Data[]>(
      (all, key) =>
        all.flatMap((data) =>
          data.kind === 'map'
            ? data.entries.flatMap((entry) => (key.kind !== 'scalar' || key.value === entry.key.value ? entry.value : []))
            : [],
        ),
      [from],
    );
}

/** What a parameter is where the deployment gives nothing else. */
function defaultsIn(root: DataMap, parameter: string): readonly Scalar[] {
  const declared = mapOf(root, /^Parameters$/)?.entries.find(({ key }) => key.value === parameter)?.value;
  const value = declared?.kind === 'map' ? entryOf(declared, /^Default$/)?.value : undefined;
  return value?.kind === 'scalar' ? [value] : [];
}

/** What `${Name}` stands for in texts: parameters, and what a `!Sub` is given beside its text. */
export function substitutedIn(root: Data): Definition[] {
  if (root.kind !== 'map') return [];
  const receivers = receiversIn(root);
  const isShared = (parameter: string): boolean => (receivers.get(parameter)?.size ?? 0) > 1;
  const texts = textsGivenIn(root);
  const defined = (name: string, value: Data, isDefault: boolean): Definition[] =>
    texts(value).flatMap(({ text }) => (text === undefined ? [] : [{ name, value: text, isDefault }]));
  const parameters = (mapOf(root, /^Parameters$/)?.entries ?? []).flatMap(({ key, value }) => {
    const byDefault = value.kind === 'map' ? entryOf(value, /^Default$/) : undefined;
    return byDefault === undefined || isShared(key.value) ? [] : defined(key.value, byDefault.value, true);
  });
  const given = mapsIn(root).flatMap((map) => {
    const { called, given: list } = functionIn(map) ?? {};
    const beside = called === 'Fn::Sub' && list?.kind === 'list' ? list.items[1] : undefined;
    return beside?.kind === 'map' ? beside.entries.flatMap(({ key, value }) => defined(key.value, value, false)) : [];
  });
  return [...parameters, ...given];
}
