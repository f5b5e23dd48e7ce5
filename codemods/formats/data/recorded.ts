/**
 * Requests that data describes for servers and libraries which answer in the place of a service: mappings of WireMock
 * (https://wiremock.org/docs/request-matching/), archives of browsers (HAR), and what nock and talkback (https://github.com/ijpiantanida/talkback) have recorded.
 */
import { isAuthorization, isKeyHeader, v1Auth, v2Auth } from '../../../src/contract/auth.ts';
import type { TextRange } from '../text.ts';
import { parseJson } from './json.ts';
import { parseJson5 } from './json5.ts';
import { type Data, type DataMap, type Scalar, childrenOf, entryOf, listOf, mapOf, mapsIn, textOf } from './tree.ts';

export interface Recorded extends TextRange {
  /** A server is asked for paths at whatever address it has; what else was recorded says its host. */
  readonly kind: 'mapping' | 'archive' | 'tape';
  /** What answers so, where that is no page's archive. */
  readonly player?: 'wiremock' | 'nock' | 'talkback';
  readonly method: string | undefined;
  /** The path, or a whole address. */
  readonly address: Scalar;
  /** Whether that is a regular expression of a path. */
  readonly isPattern: boolean;
  /** What stands before the path. */
  readonly origin: string;
  /** What becomes of the header. */
  readonly replacements: readonly Replacement[];
  /** Whether more is said of who asks, or of the key, than can be written for v2. */
  readonly isDoubtful: boolean;
}

interface Replacement extends TextRange {
  readonly text: string;
}

/** @returns nothing of a file that is none of these, or no JSON */
export function recordedIn(file: string, text: string): Recorded[] {
  const read = readers.find(({ isOf }) => isOf(file, text))?.read;
  if (read === undefined) return [];
  const { roots, fault } = file.endsWith('.json5') ? parseJson5(text) : parseJson(text);
  return fault === undefined ? roots.flatMap((root) => read(root, text)) : [];
}

const readers: readonly {
  readonly isOf: (file: string, text: string) => boolean;
  readonly read: (root: Data, text: string) => Recorded[];
}[] = [
  { isOf: (file, text) => inMappings.test(file) && /"request"\s*:/.test(text) && /"response"\s*:/.test(text), read: mappingsIn },
  // Polly finds what it recorded by a hash of the whole request.
  { isOf: (file, text) => file.endsWith('.har') && !text.includes('"_recordingName"'), read: archivedIn },
  { isOf: (file, text) => file.endsWith('.json') && /"scope"\s*:\s*"https?:/.test(text), read: tapedIn },
  { isOf: (file, text) => file.endsWith('.json5') && /\bhost\b/.test(text), read: talkbackTapeIn },
];

const inMappings = /(?:^|\/)mappings\/(?:[^/]+\/)*[^/]+\.json$/;
const addressed = /^url(?:Pattern|Path(?:Pattern|Template)?)?$/;
/** What else a request may have to prove, of whoever asks. */
const identifying = /^(?:basicAuth|basicAuthCredentials|host|port|scheme|clientIp|customMatcher)$/;

function mappingsIn(root: Data, text: string): Recorded[] {
  const all = root.kind === 'map' ? [root, ...listOf(root, /^mappings$/).filter((each) => each.kind === 'map')] : [];
  return all.flatMap((mapping): Recorded[] => {
    const request = mapOf(mapping, /^request$/);
    const entry = request && entryOf(request, addressed);
    if (request === undefined || entry?.value.kind !== 'scalar' || entryOf(mapping, /^response$/) === undefined) return [];
    const method = textOf(request, /^method$/)?.value;
    const headers = mapOf(request, /^headers$/)?.entries ?? [];
    const keys = headers.flatMap(({ key, value }) => (isKeyHeader(key.value) ? [matched(key, value, text)] : []));
    return [
      {
        kind: 'mapping',
        player: 'wiremock',
        start: mapping.start,
        end: mapping.end,
        method: method === 'ANY' ? undefined : method,
        address: entry.value,
        isPattern: entry.key.value.endsWith('Pattern'),
        origin: '',
        replacements: keys.flatMap((key) => key ?? []),
        isDoubtful:
          keys.length > 1 ||
          keys.includes(undefined) ||
          headers.some(({ key }) => isOtherKey(key)) ||
          request.entries.some(({ key }) => identifying.test(key.value)),
      },
    ];
  });
}

const isOtherKey = ({ value }: Scalar): boolean => !isKeyHeader(value) && /auth|key|token|secret|cookie/i.test(value);

/** @returns undefined where v2's header cannot be asked about in the same words */
function matched(name: Scalar, value: Data, text: string): Replacement[] | undefined {
  if (value.kind !== 'map') return undefined;
  const [asked, ...more] = value.entries.filter(({ key }) => key.value !== 'caseInsensitive');
  if (asked === undefined || more.length > 0) return undefined;
  const renamed = renamedTo(name, text);
  if (/^(?:absent|contains)$/.test(asked.key.value)) return renamed;
  if (asked.value.kind !== 'scalar') return undefined;
  if (/^equalTo(?:IgnoreCase)?$/.test(asked.key.value)) return both(renamed, prefixed(asked.value, 0, text));
  const isWhole = asked.key.value === 'matches' && !asked.value.value.includes('|');
  return isWhole ? both(renamed, prefixed(asked.value, asked.value.value.startsWith('^') ? 1 : 0, text)) : undefined;
}

function archivedIn(root: Data, text: string): Recorded[] {
  const log = root.kind === 'map' ? mapOf(root, /^log$/) : undefined;
  const entries = log === undefined ? [] : listOf(log, /^entries$/);
  return entries.flatMap((entry): Recorded[] => {
    const request = entry.kind === 'map' ? mapOf(entry, /^request$/) : undefined;
    const address = request && textOf(request, /^url$/);
    if (request === undefined || address === undefined) return [];
    const headers = listOf(request, /^headers$/).flatMap((header) => (header.kind === 'map' ? header : []));
    const named = headers.flatMap((header) => {
      const [name, value] = [textOf(header, /^name$/), textOf(header, /^value$/)];
      return name === undefined ? [] : [{ name, value }];
    });
    return [{ kind: 'archive', ...asSent(request, address, '', named, text), isPattern: false }];
  });
}

function tapedIn(root: Data, text: string): Recorded[] {
  return mapsIn(root).flatMap((taped): Recorded[] => {
    const [scope, address] = [textOf(taped, /^scope$/), textOf(taped, /^path$/)];
    if (scope === undefined || address === undefined || entryOf(taped, /^(?:status|response)$/) === undefined) return [];
    const headers = mapOf(taped, /^reqheaders$/i)?.entries ?? [];
    const named = headers.map(({ key, value }) => ({ name: key, value: onlyOf(value) }));
    // nock writes the port that an address has without one, too.
    const origin = scope.value.replace(/^(https:\/\/[^/]+):443$|^(http:\/\/[^/]+):80$/, '$1$2');
    return [{ kind: 'tape', player: 'nock', ...asSent(taped, address, origin, named, text), isPattern: false }];
  });
}

function talkbackTapeIn(root: Data, text: string): Recorded[] {
  const [meta, request, answer] = [/^meta$/, /^req$/, /^res$/].map((name) => (root.kind === 'map' ? mapOf(root, name) : undefined));
  const [host, address] = [meta && textOf(meta, /^host$/), request && textOf(request, /^url$/)];
  if (request === undefined || answer === undefined || host === undefined || address === undefined) return [];
  const headers = mapOf(request, /^headers$/)?.entries ?? [];
  const named = headers.map(({ key, value }) => ({ name: key, value: onlyOf(value) }));
  return [{ kind: 'tape', player: 'talkback', ...asSent(request, address, host.value, named, text), isPattern: false }];
}

const onlyOf = (value: Data): Scalar | undefined => {
  const [only, another] = value.kind === 'list' ? childrenOf(value) : [value];
  return only?.kind === 'scalar' && another === undefined ? only : undefined;
};

interface Sent {
  readonly name: Scalar;
  readonly value: Scalar | undefined;
}

function asSent(
  request: DataMap,
  address: Scalar,
  origin: string,
  headers: readonly Sent[],
  text: string,
): Pick<Recorded, 'start' | 'end' | 'method' | 'address' | 'origin' | 'replacements' | 'isDoubtful'> {
  const keys = headers.filter(({ name }) => isKeyHeader(name.value));
  const edits = keys.map(({ name, value }) => value && both(renamedTo(name, text), prefixed(value, 0, text)));
  const isSignedOtherwise = headers.some(({ name }) => isAuthorization(name.value) || name.value === ':path');
  return {
    start: request.start,
    end: request.end,
    method: textOf(request, /^method$/i)?.value,
    address,
    origin,
    replacements: edits.flatMap((edit) => edit ?? []),
    isDoubtful: keys.length > 1 || edits.includes(undefined) || isSignedOtherwise,
  };
}

const both = (one: Replacement[] | undefined, other: Replacement[] | undefined): Replacement[] | undefined =>
  one === undefined || other === undefined ? undefined : [...one, ...other];

/** In the letters that the name has. */
function renamedTo(name: Scalar, text: string): Replacement[] | undefined {
  const place = { start: name.start + 1, end: name.end - 1 };
  const isLower = name.value === v1Auth.field;
  return text.slice(place.start, place.end) === name.value ? [{ ...place, text: isLower ? v2Auth.field : v2Auth.fieldName }] : undefined;
}

function prefixed({ text: written, start }: Scalar, at: number, text: string): Replacement[] | undefined {
  if (written === undefined || written.value === '') return undefined;
  const place = at === 0 ? start + 1 : written.at[at];
  return place === undefined || !/["']/.test(text[start] ?? '') ? undefined : [{ start: place, end: place, text: `${v2Auth.scheme} ` }];
}
