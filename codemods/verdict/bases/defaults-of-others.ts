/** Defaults beside what another caller gives: `new Client({ key })` and `new Client({ key: env.PARTNER_KEY, base: env.PARTNER_URL })`. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { givenIn } from '../../evaluate/libraries/given.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { optionsOf, type Part, type Value } from '../../evaluate/values/values.ts';
import type { Request } from '../../requests/requests.ts';
import type { Judged } from './unseen-callers.ts';
import { hasOwnDefault } from './follows-default.ts';
import { openBase } from '../verdicts.ts';

type IsOfOthers = (request: Request, proven: Request) => boolean;

/**
 * Whether what a request has in the place of a default says nothing of it: who leaves the base to the default has another key, so who gives both
 * may ask another service. With the same key it is this one, wherever that stands.
 */
export function defaultsOfOthers(judged: readonly Judged[], pathOf: (request: Request) => string): IsOfOthers {
  const ofProgram = judged.filter(({ request }) => !request.callers.some(({ module }) => isTest(module)));
  const open = new Set(ofProgram.flatMap(({ request }) => (openBase(request) === undefined ? [] : pathOf(request))));
  const left = ofProgram.filter(({ request, verdict }) => verdict.kind === 'ours' && !open.has(pathOf(request)));
  const keys = new Map<string, Set<string>>();
  for (const { request } of left) {
    const base = placeOf(request);
    if (base === undefined) continue;
    const known = keys.get(base) ?? new Set();
    keys.set(base, known);
    for (const key of keysOf(request)) known.add(key);
  }
  return (request, proven) => {
    const others = keys.get(placeOf(proven) ?? '');
    const value = openBase(request)?.value;
    if (others === undefined || value === undefined || hasOwnDefault(value)) return false;
    // What code outside of these files may give is told beside the calls that move.
    const isRead = value.type === 'env' || givenIn(value) !== undefined;
    const own = isRead && open.has(pathOf(request)) ? keysOf(request) : [];
    const isOther = (key: string): boolean => !others.has(key);
    // Of a copy that both keys were put into, the other variable is enough: `Object.assign({}, client, { key: env.PARTNER_KEY })`.
    return own.length > 0 && (own.every(isOther) || own.some((key) => key.startsWith(ofVariable) && isOther(key)));
  };
}

/** Where the literal stands that an address begins with. */
function placeOf({ url: [first] = [] }: Request): string | undefined {
  const source = first !== undefined && 'text' in first ? first.source : undefined;
  return source && `${source.module.file} ${source.start}`;
}

const keysOf = ({ headers }: Request): string[] =>
  headers.filter(({ name }) => isKeyHeader(name)).flatMap(({ value }) => optionsOf(value()).map(keyText));

const ofVariable = '\0env ';

/** The same for the same variable or text, wherever that is read; where neither is known, for what is written the same. */
const keyText = (value: Value): string => (value.type === 'text' ? value.parts.map(partText).join('') : textAt(value));

const partText = (part: Part): string => ('text' in part ? part.text : textAt(part.unknownPart));

function textAt(value: Value): string {
  if (value.type === 'env') return `${ofVariable}${value.name}`;
  if (!('node' in value) || !('module' in value) || value.node === undefined || value.module === undefined) return `\0${value.type}`;
  const { node, module } = value;
  // Parameters of two functions have nothing in common but their name.
  return node.kind === 'param' ? `\0${module.file} ${node.start}` : `\0${module.text.slice(node.start, node.end)}`;
}
