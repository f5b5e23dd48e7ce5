/** The address of a URL object with what is written into it: `url.pathname = path`. What it holds is a text, so nothing else can be put into it. */
import type { AssignNode } from '../../syntax/tree.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { restOf } from './grown-texts.ts';
import { leadsToWrite } from './leads-to-write.ts';
import type { Named } from '../names/named.ts';
import { namesOf } from '../names/other-names.ts';
import { isSamePath } from '../names/same-path.ts';
import { writesOf } from './property-writes.ts';
import { concatenated, flat, joinUrl, stripped, urlPart } from '../values/text.ts';
import { choiceOf, optionsOf, plainText, unknown, type Value } from '../values/values.ts';

export const isAddress = ({ type }: Value): boolean => type === 'text' || type === 'env';

/** Whether a value is an address into which something may be written by what holds it. What changes its host is looked for by itself (`overwrites.ts`). */
export const isAddressWritten = ({ world }: Evaluation, value: Value): boolean =>
  isAddress(value) && ['pathname', 'href'].some((name) => writesOf(world, name).length > 0);

/** The paths that one URL is followed with. */
const maxPaths = 16;

/** Parts of a URL that no route hangs on, and methods by which these are changed. */
const besidePath = new Set(['search', 'searchParams', 'hash']);
/** Who signs in by the address: where that is taken out, it leads where it led. */
const ofLogin = new Set(['username', 'password']);

/**
 * What is written into an address otherwise is not followed.
 * @param names places that name it
 * @param isCertain whether a write comes before all that reads it
 */
export function withPathname(ev: Evaluation, value: Value, names: readonly Named[], isCertain: (write: AssignNode) => boolean): Value {
  if (!names.some((each) => leadsToWrite(ev, each))) return value;
  const writes = namesOf(ev, names).all.flatMap(({ node, at, isCopy }) => {
    const { parent } = node;
    if (isCopy === true || parent?.kind !== 'member' || parent.object !== node || besidePath.has(parent.property ?? '')) return [];
    const write = parent.parent;
    if (write?.kind === 'assign' && ofLogin.has(parent.property ?? '') && write.value.kind === 'string' && write.value.value === '')
      return [];
    return write?.kind === 'assign' && write.target === parent ? [{ name: parent.property, write, at }] : [];
  });
  const trims = writes.filter(({ write, at }) => isTrimmed(write, at));
  if (trims.length > 0 && trims.length === writes.length) {
    const trimmed = stripped(value, /\/+$/);
    return trims.some(({ write }) => isCertain(write)) ? trimmed : choiceOf([value, trimmed]);
  }
  const [first, ...more] = writes;
  const grown =
    first !== undefined && more.length === 0 && isCertain(first.write) ? grownBy(ev, first.name, first.write, first.at) : undefined;
  if (grown !== undefined) return choiceOf(optionsOf(value).map((each) => (isAddress(each) ? withPathBehind(each, grown) : each)));
  // Each of its requests would ask for each of too many paths.
  const other = writes.find(({ name, write }) => name !== 'pathname' || write.operator !== '=') ?? writes[maxPaths];
  if (other === undefined && writes.length === 0) return value;
  const isSure = writes.some(({ write }) => isCertain(write));
  const changed = (address: Value): readonly Value[] => {
    if (!isAddress(address)) return [address];
    const path = urlPart(address, 'path');
    // Whose it is then cannot be told, but which path it asks for.
    if (other !== undefined) return [concatenated([unknown(other.write, other.at.module, 'assigned'), path ?? address])];
    const paths = writes.map(({ write, at }) => ev.evaluate(write.value, at));
    const after = joinUrl(address, choiceOf(paths), 'resolve') ?? address;
    // Without a path it is asked for nothing yet.
    return isSure || (path !== undefined && plainText(path) === '/') ? [after] : [address, after];
  };
  return choiceOf(optionsOf(value).flatMap(changed));
}

/** `url.pathname = url.pathname.replace(/\/+$/, '')` */
function isTrimmed({ operator, target, value }: AssignNode, { module }: At): boolean {
  if (operator !== '=' || value.kind !== 'call' || value.callee.kind !== 'member' || value.callee.property !== 'replace') return false;
  const [pattern, by] = value.args;
  const isSlashes = pattern?.kind === 'literal' && typeof pattern.value === 'object' && /^\\\/[+*]?\$$/.test(pattern.value?.pattern ?? '');
  return isSlashes && by?.kind === 'string' && by.value === '' && isSamePath(value.callee.object, target, module.scopes);
}

/** What is put behind the path that a URL has: `url.pathname += '/contacts'`, `` url.pathname = `${url.pathname}/contacts` ``, `url.pathname = join(url.pathname, 'contacts')`. */
function grownBy(ev: Evaluation, name: string | undefined, write: AssignNode, at: At): Grown | undefined {
  if (name !== 'pathname') return undefined;
  const { operator, target, value } = write;
  if (operator === '+=' || value.kind !== 'call') {
    const rest = restOf(ev, write, at);
    return rest === undefined ? undefined : { rest: rest(), isJoined: false };
  }
  const [first, ...more] = value.args;
  if (operator !== '=' || first === undefined || !isSamePath(first, target, at.module.scopes)) return undefined;
  return isJoin(ev.evaluate(value.callee, at))
    ? { rest: joinedTexts(more.map((each) => ev.evaluate(each, at))), isJoined: true }
    : undefined;
}

interface Grown {
  readonly rest: Value;
  /** Whether one slash stands between both, whatever they have there. */
  readonly isJoined: boolean;
}

const isJoin = (callee: Value): boolean =>
  callee.type === 'external' && /^path(?:\/posix)?$/.test(callee.source) && callee.path.at(-1) === 'join';

const joinedTexts = (texts: readonly Value[]): Value =>
  texts.reduce((before, each) => joinUrl(before, each, 'slash') ?? concatenated([before, each]));

/** An address with more behind its path, which is a slash where nobody writes one. */
function withPathBehind(address: Value, { rest, isJoined }: Grown): Value {
  if (isJoined) return joinUrl(address, rest, 'slash') ?? concatenated([address, rest]);
  const path = urlPart(address, 'pathname');
  return concatenated([
    address,
    ...(path !== undefined && plainText(path) === '/' && address.type === 'text' && !flat(address.parts).endsWith('/') ? [path] : []),
    rest,
  ]);
}
