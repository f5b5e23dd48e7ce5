/**
 * Texts in properties that a query is put behind: `options.path += '?' + query`, `options.path = options.path + query`. It counts beside
 * the text as it was: statements are not followed in their order here, and this one may not be run.
 */
import { isAuthorization, isKeyHeader } from '../../../src/contract/auth.ts';
import { exact } from '../../syntax/lists.ts';
import type { AssignNode, Expression, MemberNode } from '../../syntax/tree.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { operands } from '../language/operators.ts';
import { isOfItself } from '../names/same-path.ts';
import { concatenated, flat, literalPart } from '../values/text.ts';
import type { Contents } from '../values/shape.ts';
import { choiceOf, type Entry, type Lazy, lazily, optionsOf, partsOf, unknown, type Value } from '../values/values.ts';
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
  return { ...bare(property, write, unknown(write.value, at.module, 'assigned'), at), grown: lazily([write, at.frame], rest) };
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

function piecesOf(value: Expression): readonly Expression[] {
  if (value.kind === 'concat') return operands(value);
  return value.kind === 'template' && value.texts[0]?.value === '' ? value.expressions : [];
}

/** What no route hangs on, however often it is put behind a path; what a caller decides is found out once one is chosen. */
const isQuery = (option: Value): boolean =>
  option.why === 'empty' || option.type === 'param' || (option.type === 'text' && /^(?:$|[?&#])/.test(flat(option.parts)));

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
    if (writes.length === 0) return entry;
    const value = (): Value => followedBy(entry.value(), writes);
    const { by } = entry.value;
    return {
      ...entry,
      counted: [...counted, ...writes.map(({ node }) => node)],
      value: by === undefined ? value : lazily(exact([...by, ...writes.flatMap(({ grown: put }) => put?.by ?? [])]), value),
    };
  });
  return { entries: [...grown, ...[...byName.values()].flat().filter((entry) => !isHeld(entry))], unknown: open };
}

/**
 * A text as it was, and with each query that is put behind it: behind one no route hangs on what comes next, so these are not multiplied. Anything else
 * makes it what nobody knows, as it may be put there any number of times.
 */
function followedBy(first: Value, writes: readonly Entry[]): Value {
  const own = optionsOf(first);
  const rests = writes.map(({ grown, value }) => {
    const rest = grown?.() ?? value();
    return optionsOf(rest).every(isQuery) ? { queries: optionsOf(rest), open: [] } : { queries: [], open: [value()] };
  });
  const start = rests.flatMap((each) => each.queries).find((each) => begins(each, '?'));
  const grown = (text: Value, query: Value): Value =>
    concatenated(begins(query, '&') && !hasQuery(text) && start !== undefined ? [text, start, query] : [text, query]);
  const behind = (text: Value): Value[] => rests.flatMap(({ queries }) => fitting(text, queries).map((query) => grown(text, query)));
  return choiceOf([...own, ...own.flatMap(behind), ...rests.flatMap((each) => each.open)]);
}

/** Of `?page=1` and `&page=1`, where but the mark is another, the one that a text goes on with. */
function fitting(text: Value, queries: readonly Value[]): readonly Value[] {
  const other = hasQuery(text) ? '?' : '&';
  return queries.filter((query) => !begins(query, other) || !queries.some((each) => !begins(each, other) && isOtherwiseSame(each, query)));
}

function isOtherwiseSame(one: Value, query: Value): boolean {
  const [[mark, ...rest], [other, ...more]] = [partsOf(one), partsOf(query)];
  const isMark = [mark, other].every((part) => part !== undefined && 'text' in part && /^[?&]$/.test(part.text));
  return isMark && rest.length === more.length && rest.every((part, index) => part === more[index]);
}

const begins = (option: Value, mark: string): boolean => option.type === 'text' && flat(option.parts).startsWith(mark);
const hasQuery = (text: Value): boolean => text.type === 'text' && flat(text.parts).includes('?');
