/**
 * Texts in properties that something is put behind: `options.path += '?' + query`, `options.path = options.path + query`. What is put there counts beside
 * the text as it was: statements are not followed in their order here, and this one may not be run.
 */
import { isAuthorization, isKeyHeader } from '../../../src/contract/auth.ts';
import { exact } from '../../syntax/lists.ts';
import type { AssignNode, Expression, MemberNode, Node } from '../../syntax/tree.ts';
import { assignmentsOf, forksOf } from '../names/assignments.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { operands } from '../language/operators.ts';
import { isSamePath } from '../names/same-path.ts';
import { concatenated, flat, literalPart } from '../values/text.ts';
import type { Contents } from '../values/shape.ts';
import { choiceOf, type Entry, type Lazy, lazily, optionsOf, unknown, type Value } from '../values/values.ts';
import { bare } from './loss.ts';

/**
 * What a write puts behind what is there; undefined where it does anything else. A header of the key is none of these: whose name is edited at one
 * place would keep its old one here.
 */
export function grownBy(ev: Evaluation, member: MemberNode, write: AssignNode, at: At): Entry | undefined {
  const { property, computed } = member;
  if (property === undefined || computed !== undefined || isAuthorization(property) || isKeyHeader(property)) return undefined;
  const rest = restOf(ev, write, at);
  if (rest === undefined) return undefined;
  const isOnce = isRunOnce(member.object, at);
  const grown = (): Value => {
    const value = rest();
    return isOnce || optionsOf(value).every(isQuery) ? value : unknown(write, at.module, 'assigned');
  };
  return { ...bare(property, write, unknown(write.value, at.module, 'assigned'), at), grown: lazily([write, at.frame], grown) };
}

/** What stands behind the property's own text in `+=`, in a sum or in a template. */
export function restOf(ev: Evaluation, write: AssignNode, at: At): Lazy | undefined {
  const { operator, value } = write;
  if (operator === '+=') return () => ev.evaluate(value, at);
  if (!isOfItself(write, at.module)) return undefined;
  const rest = (): Value[] =>
    piecesOf(value)
      .slice(1)
      .map((each) => ev.evaluate(each, at));
  if (value.kind !== 'template') return () => concatenated(rest());
  const texts = value.texts.slice(1).map((text) => literalPart(text, value, at.module));
  return () => {
    const between = rest();
    return concatenated(texts.flatMap((text, index) => [text, ...between.slice(index, index + 1)]));
  };
}

/** `options.path = options.path + query`, `` options.path = `${options.path}?${query}` `` */
export function isOfItself({ operator, target, value }: AssignNode, { scopes }: SourceModule): boolean {
  const [first] = piecesOf(value);
  return operator === '=' && first !== undefined && target.kind === 'member' && isSamePath(first, target, scopes);
}

function piecesOf(value: Expression): readonly Expression[] {
  if (value.kind === 'concat') return operands(value);
  return value.kind === 'template' && value.texts[0]?.value === '' ? value.expressions : [];
}

/** Whether a write is run at most once for each object: its name holds nothing but what is written there as one, and it stands in no loop and in no function of its own. */
function isRunOnce(object: Node, { module }: At): boolean {
  const binding = object.kind === 'name' ? module.scopes.bindingOf(object) : undefined;
  if (binding === undefined || binding.owner.kind !== 'variable') return false;
  const { init, target } = binding.owner;
  if (target.kind !== 'patternName' || (init !== undefined && init.kind !== 'object')) return false;
  const isMadeThere = assignmentsOf(binding).all.every(({ node }) => node.target.kind === 'name' && node.value.kind === 'object');
  return isMadeThere && forksOf(object, binding).every(({ kind }) => kind !== 'loop' && kind !== 'function');
}

/** What no route hangs on, however often it is put behind a path. */
const isQuery = (option: Value): boolean => option.why === 'empty' || (option.type === 'text' && /^(?:$|[?&#])/.test(flat(option.parts)));

/** What an object holds, with what is put behind its texts. A property that it never has is asked for by nobody; where anything may be there, anything is. */
export function withGrowth({ entries, unknown: open }: Contents): Contents {
  const byName = Map.groupBy(
    entries.filter(({ grown }) => grown !== undefined),
    ({ name }) => name,
  );
  if (byName.size === 0) return { entries, unknown: open };
  const held = entries.filter(({ grown }) => grown === undefined);
  const isHeld = ({ name }: Entry): boolean => open.length === 0 || held.some((entry) => entry.name === name);
  const grown = held.map((entry): Entry => {
    const { counted = [] } = entry;
    const writes = (byName.get(entry.name) ?? []).filter(({ node }) => !counted.includes(node));
    const puts = writes.flatMap((each) => each.grown ?? []);
    if (puts.length === 0) return entry;
    const value = (): Value =>
      followedBy(
        entry.value(),
        puts.map((put) => put()),
      );
    const { by } = entry.value;
    return {
      ...entry,
      counted: [...counted, ...writes.map(({ node }) => node)],
      value: by === undefined ? value : lazily(exact([...by, ...puts.flatMap((put) => put.by ?? [])]), value),
    };
  });
  return { entries: [...grown, ...[...byName.values()].flat().filter((entry) => !isHeld(entry))], unknown: open };
}

/** A text as it was, and with each of what is put behind it. Behind a query no route hangs on what comes next, so these are not multiplied. */
function followedBy(first: Value, puts: readonly Value[]): Value {
  const own = optionsOf(first);
  const start = puts.flatMap(optionsOf).find((each) => begins(each, '?'));
  const grown = (text: Value, rest: Value): Value => {
    const isOpening = begins(rest, '&') && !hasQuery(text) && start !== undefined;
    return concatenated(isOpening ? [text, start, rest] : [text, rest]);
  };
  const held = [...own];
  for (const put of puts) {
    const growing = held.filter((text) => own.includes(text) || !hasQuery(text));
    held.push(...growing.flatMap((text) => optionsOf(put).map((rest) => grown(text, rest))));
  }
  return choiceOf(held);
}

const begins = (option: Value, mark: string): boolean => option.type === 'text' && flat(option.parts).startsWith(mark);
const hasQuery = (text: Value): boolean => text.type === 'text' && flat(text.parts).includes('?');
