/** An expectation as the requests that it is about. */
import { flat, isAbsolute, sliceParts } from '../../../evaluate/values/text.ts';
import { type HttpValue, type Mock, optionsOf, partsOf, type Value } from '../../../evaluate/values/values.ts';
import type { Expression, Node, SpreadNode } from '../../../syntax/tree.ts';
import type { RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { recordNamed } from './record-names.ts';
import { saidWhereKept } from './said-of-records.ts';

export const name = 'expectation';

/** `expect(actual).toBe(…expected)`. */
export interface About {
  readonly call: RuleCall;
  readonly actual: Value;
  readonly actualNode: Expression | SpreadNode | undefined;
  readonly expected: readonly Value[];
  readonly nodes: readonly (Expression | SpreadNode)[];
  /** Whether more may stand around what is expected. */
  readonly isPart?: boolean;
  /** Whether the call may have been given more: what is not said of it is not known. */
  readonly isBegun?: boolean;
  /** Where it is of a row of a table: how many of the table's addresses each list or object around them holds. */
  readonly rows?: ReadonlyMap<Node, number>;
}

export type Expected = Pick<HttpValue, 'url' | 'headers'> & Mock;

export const request = ({ call, actualNode }: About, { url, headers, ...mock }: Expected): HttpValue => ({
  type: 'http',
  client: name,
  stage: 'request',
  node: call.node,
  module: call.module,
  origins: [],
  headers,
  mock: { ...mock, record: recordNamed(actualNode, call, call.node), kept: saidWhereKept(actualNode, call) },
  ...(url === undefined ? {} : { url: addressIn(url) }),
});

/** Of `GET https://api.example.com/v1/contacts key`, as a fake may note its calls down, the address: it says itself whose it is. */
export function addressIn(value: Value): Value {
  if (value.type !== 'text') return value;
  const [, before = '', address] = /^([^/?#]*\s)?(https?:\/\/\S+)/i.exec(flat(value.parts)) ?? [];
  return address === undefined ? value : { ...value, parts: sliceParts(value.parts, before.length, before.length + address.length) };
}

/** What is expected of the headers of a request, where its address is known. */
export function sentBy({ url, base, join, mock }: Partial<HttpValue> = {}, described: HttpValue): HttpValue {
  return { ...described, ...(url && { url }), ...(base && { base }), ...(join && { join }), mock: { ...described.mock, ...mock } };
}

/** The version as it stands in paths. */
export const versioned = /\bv1\b/;

/** Whether the version is in its text anywhere: an expectation without it needs no change. */
export const isVersioned = (value: Value): boolean =>
  optionsOf(value).some((each) => each.type === 'text' && each.parts.some((part) => 'text' in part && versioned.test(part.text)));

/** Whether who calls a helper of the test says what is expected, or the rest of it: `const expectUrl = (url) => expect(lastUrl()).toBe(url)`. */
export const isGivenByCaller = (value: Value): boolean =>
  optionsOf(value).some(
    (each) =>
      each.type === 'param' ||
      (each.type === 'text' && each.parts.some((part) => 'unknownPart' in part && part.unknownPart.type === 'param')),
  );

/** Whether it names its host, whichever of several it is. */
export const isAddress = (value: Value): boolean =>
  optionsOf(value).every((each) => isAbsolute(flat(partsOf(each))) && !/\s/.test(flat(partsOf(each))));

/** What a request or its answer carries, beside its address and its headers. */
export const besideAddress = /^(?:body|data|json|params|response)$/;
