/** What nginx gives to what it passes on: `proxy_set_header`, and what it reads of calls that arrive. */
import { isAuthorization, isKeyHeader, v1Auth, v2Auth } from '../../../src/contract/auth.ts';
import { flat } from '../../evaluate/values/text.ts';
import { type Entry, type ObjectValue, partsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';
import { type Directive, directivesAt, type Word } from '../../engines/nginx-directives.ts';
import { partsIn, type Place } from './nginx-values.ts';

const setHeader = 'proxy_set_header';
/** As variables have it. */
const field = v1Auth.field.replaceAll('-', '_');

/** What a place sets by a directive; a block that does has nothing from around it. */
const setAt = ({ around }: Place, name: string): readonly Directive[] =>
  around.map(({ block }) => block.filter((each) => each.name === name)).find((each) => each.length > 0) ?? [];

/** Where the host of an address is given once more, as a header or for its certificate. */
export function hostsAt(host: string, place: Place): Value[] {
  const headers = setAt(place, setHeader).flatMap(({ words: [key, value] }) =>
    key?.kind === 'string' && /^host$/i.test(key.value) ? (value ?? []) : [],
  );
  const names = setAt(place, 'proxy_ssl_name').flatMap(({ words: [value] }) => value ?? []);
  return [...headers, ...names]
    .map((word): Value => ({ type: 'text', parts: partsIn(word, place) }))
    .filter((value) => flat(partsOf(value)) === host);
}

/** All that is given at a place. */
export function headersAt(node: Node, place: Place): ObjectValue {
  const { around, module } = place;
  const set = setAt(place, setHeader);
  const isOpen = around.some(({ name, block }) => name === 'location' && block.some((each) => each.name === 'include'));
  return {
    type: 'object',
    node,
    module,
    entries: [...set.flatMap((each) => headerIn(each, place)), ...keyReads(place)],
    unknown: isOpen ? [unknown(node, module)] : [],
  };
}

function headerIn({ node, words: [key, value] }: Directive, place: Place): Entry[] {
  const [name] = key?.kind === 'string' ? partsIn(key, place) : [];
  if (key?.kind !== 'string' || value === undefined || name === undefined || !('text' in name)) return [];
  // One that is empty is not sent, and takes away what calls send: of v1's key that is right, of v2's it is not.
  if (flat(partsIn(value, place)) === '' && !isAuthorization(key.value)) return [];
  const { ev, module, frame } = place;
  const isKey = isKeyHeader(key.value);
  // What calls send is told of where it is read.
  if (isKey && keyRead.test(textOf(value, module))) return [];
  const rewrite = isKey ? asBearer(key, value, place) : undefined;
  return [
    {
      name: key.value,
      key: isKey && rewrite === undefined ? undefined : name,
      node,
      module,
      value: () => ev.evaluate(value, { module, frame }),
      valueNode: value,
      ...(rewrite !== undefined && { rewrite }),
    },
  ];
}

/** `"Bearer $key"` in the place of `$key`; nothing where the value has quotes in it. */
function asBearer(key: Word, value: Word, { module }: Place): Entry['rewrite'] {
  const written = module.text.slice(value.start, value.end);
  const [quote = ''] = /^["']/.exec(written) ?? [];
  if (quote === '' && /["\\]/.test(written)) return undefined;
  const [opening, closing] = quote === '' ? ['"', '"'] : ['', ''];
  const at = value.start + quote.length;
  return [
    { start: key.start, end: key.end, text: v2Auth.fieldName },
    { start: at, end: at, text: `${opening}${v2Auth.scheme} ` },
    ...(closing === '' ? [] : [{ start: value.end, end: value.end, text: closing }]),
  ];
}

const keyRead = new RegExp(String.raw`\$\{?http_${field}\b`, 'i');

/**
 * `proxy_set_header x-api-key $http_x_api_key`: what it would hand on without that, too, as it does Authorization; and of an empty variable no header is made
 * (https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_set_header).
 * @param text of the file
 */
export const handsOnKey = ({ name, words: [key, value, more] }: Directive, text: string): boolean =>
  name === setHeader &&
  key?.kind === 'string' &&
  isKeyHeader(key.value) &&
  value !== undefined &&
  more === undefined &&
  onlyKey.test(text.slice(value.start, value.end)) &&
  !holdsHeadersBack.test(text) &&
  !remade.test(text);

const onlyKey = new RegExp(String.raw`^(["']?)\$(?:http_${field}|\{http_${field}\})\1$`, 'i');
/** What gives the variable a value of its own; and what takes away or sets what would go on in its place: https://github.com/openresty/headers-more-nginx-module. */
const remade = new RegExp(
  String.raw`\b(?:\w*set|map\s+\S+)\s+\$http_${field}\s|\bmore_(?:clear|set)_input_headers\b[^;]*\b${v2Auth.field}\b`,
  'i',
);
/** Then nothing goes on but what is set. */
export const holdsHeadersBack = /(?<![\w-])proxy_pass_request_headers\s+off\b/;

/** Whether a word is the name of the header in such a line. */
export const isHandedOn = ({ parent }: Node, { text }: Place['module']): boolean =>
  parent !== undefined && directivesAt(parent).some((each) => handsOnKey(each, text));

/** Places around that go by the key of a call that arrives, which would find none in calls of v2. */
function keyReads({ around, module }: Place): Entry[] {
  const reading = around.flatMap(({ block }) =>
    block.filter((each) => !isServer.test(each.name) && keyRead.test(textOf(each.node, module)) && !handsOnKey(each, module.text)),
  );
  return reading.map(({ node }) => ({
    name: v1Auth.field,
    key: undefined,
    node,
    module,
    value: () => unknown(node, module),
    valueNode: undefined,
    isLookup: true,
  }));
}

/** Blocks that are another place. */
const isServer = /^(?:http|server|location)$/;
const textOf = ({ start, end }: Node, { text }: Place['module']): string => text.slice(start, end);
