/** What tests expect of an address that a mock was given: whose that is, the address that the mock stands for says. */
import { mockIn } from '../../../evaluate/language/comparisons.ts';
import { flat, isAbsolute, joinUrl, sliceParts, unknownPart } from '../../../evaluate/values/text.ts';
import { choiceOf, type HttpValue, type Mock, optionsOf, type Part, partsOf, type Value } from '../../../evaluate/values/values.ts';
import { baseNames } from './expected-calls.ts';
import { besideAddress } from './expected-request.ts';

const addresses: ReadonlySet<string | undefined> = new Set([
  'url',
  'urlWithParams',
  'href',
  'pathname',
  'path',
  'originalUrl',
  ...baseNames,
]);

/** The request whose address a function of a mock was given: `http.get('…', ({ request }) => { expect(request.url)… })`. */
export function addressReceived(value: Value): HttpValue | undefined {
  for (const each of optionsOf(value)) {
    const isRead = each.type === 'method';
    if (isRead && (!addresses.has(each.path.at(-1)) || each.path.some((name) => besideAddress.test(name)))) continue;
    const on = mockIn(
      each,
      ({ notes, mock, stage }) =>
        notes?.['received'] !== undefined || (isRead && mock !== undefined && (stage === 'client' || mock.isWhole === true)),
    );
    if (on !== undefined) return on;
  }
  return undefined;
}

/** Up to the version as a segment. */
const beforeVersion = /^.*?(?:^|\/)(?=v[12](?:[/?#*]|$))/s;
const origin = /^https?:\/\/[^/]+/;

/**
 * @param received the request that a mock stands for
 * @param expects how much of its address is expected
 * @returns the address as the mock has it before the version, and as it is expected from there on; undefined where the mock's is not known
 */
export function asReceived(
  { base, url, join, mock, notes }: HttpValue,
  value: Value,
  expects: Mock['expects'],
): (Pick<HttpValue, 'url'> & Mock) | undefined {
  const whole = joinUrl(base, url, join ?? 'slash');
  const mocked = whole === undefined ? [] : optionsOf(whole).map((each) => partsOf(each));
  // What stands for all requests may be about any of them, but who else has a function that a test makes nobody can tell.
  if (mocked.length === 0 && notes?.['inPlaceOf'] === undefined) return undefined;
  if (mocked.every((parts) => /^[*/]*$/.test(flat(parts)))) return { url: value, expects };
  const heads = mocked.map(headOf);
  const known = heads.filter((head) => head !== undefined);
  if (known.length < heads.length) return undefined;
  const urls = optionsOf(value).flatMap((each) => known.map((head): Value => ({ type: 'text', parts: behind(head, partsOf(each)) })));
  if (mock?.expects === 'part') return { url: choiceOf(urls), expects: 'part' };
  // Where the mock's own address is in doubt, what is expected of it is just as much.
  return { url: choiceOf(urls), ...(known.every(isOfHost) && { expects }) };
}

const isOfHost = (head: readonly Part[]): boolean => isAbsolute(flat(head)) && !flat(head).includes(unknownPart);

function headOf(parts: readonly Part[]): Part[] | undefined {
  const text = flat(parts);
  const [head] = beforeVersion.exec(text) ?? origin.exec(text) ?? [];
  return head === undefined ? undefined : sliceParts(parts, 0, head.replace(/\/$/, '').length);
}

/** The folders before the version may stand in both. */
function behind(head: readonly Part[], parts: readonly Part[]): Part[] {
  const text = flat(parts);
  if (isAbsolute(text)) return [...parts];
  const start = /^\*?\/*/.exec(text)?.[0].length ?? 0;
  const [folders = ''] = beforeVersion.exec(text.slice(start)) ?? [];
  const shared = `${flat(head)}/`.endsWith(`/${folders}`) ? folders.length : 0;
  return [...head, { text: '/' }, ...sliceParts(parts, start + shared, text.length)];
}
