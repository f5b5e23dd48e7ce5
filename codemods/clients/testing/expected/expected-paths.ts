/** What expectations name by a path: `expect(call).toHaveProperty('headers.x-api-key', key)`, `expect(call).to.have.nested.property('headers["x-api-key"]')`. */
import { flat, sliceParts } from '../../../evaluate/values/text.ts';
import { type Entry, plainText, type Value } from '../../../evaluate/values/values.ts';
import { isHeadersKept } from './captured.ts';
import { type About, besideAddress } from './expected-request.ts';

interface NamedByPath {
  /** Names of the objects that it stands in, from the outside. */
  readonly within: readonly string[];
  /** Whether the last of them, or what is looked into, are headers by their name. */
  readonly isOfHeaders: boolean;
  readonly named: Pick<Entry, 'name' | 'key'>;
}

/** A name behind dots or in brackets, and what stands before it. */
const last = /^(?:(?<within>.*?)(?:\.|\[["'](?=[^"']*["']\]$)))?(?<name>[^.[\]"']+)(?:["']\])?$/;

/** What `toHaveProperty` or `property` is given: dots and brackets lead into objects for Jest always, for Chai where it is told. */
export function namedBy(property: Value, { call: { path, module, ev }, actualNode }: About): NamedByPath {
  // `const [, { headers }] = fetch.mock.calls[0]`
  const isKept = actualNode?.kind === 'name' && isHeadersKept(actualNode, { ev, module, frame: undefined });
  const isNested = path.includes('toHaveProperty') || path.includes('nested');
  const [within, name] = isNested ? split(property) : [[], property];
  const holder = within.at(-1) ?? (actualNode?.kind === 'member' ? actualNode.property : undefined);
  const part = name?.type === 'text' ? name.parts[0] : undefined;
  return {
    within,
    isOfHeaders: (holder === 'headers' || (isKept && within.length === 0)) && !within.some((each) => besideAddress.test(each)),
    named: { name: name && plainText(name), key: part !== undefined && 'text' in part ? part : undefined },
  };
}

function split(property: Value): [within: string[], name: Value | undefined] {
  if (property.type === 'list') return [property.items.slice(0, -1).map((each) => plainText(each) ?? ''), property.items.at(-1)];
  if (property.type !== 'text') return [[], property];
  const whole = flat(property.parts);
  const { within, name = '' } = last.exec(whole)?.groups ?? {};
  if (within === undefined) return [[], property];
  const start = whole.lastIndexOf(name);
  const parts = sliceParts(property.parts, start, start + name.length);
  return [within.split(/[.[\]]+/).filter((each) => each !== ''), { ...property, parts }];
}
