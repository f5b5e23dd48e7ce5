/** Requests that hold a secret somewhere, as bytes, and a way to find a secret again in whatever was written. */
import fc from 'fast-check';
import { endpointIds, v1Endpoints } from '../../src/contract/endpoints.ts';
import { channels } from '../../src/contract/fields.ts';

/** No hexadecimal digit and no other number: what is found of a secret cannot be part of a hash, an id or a time. */
const capitals = [...'GHIJKLMNOPQRSTUVWXYZ'];
const letters = [...capitals, ...'ghijklmnopqrstuvwxyz_~'];
const awkward = [...'"\'%\\$&é鍵'];
const credentialOnly = [...'"\'%\\$&'];

const secretOf = (unit: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.string({ unit, minLength: 16, maxLength: 64, size: 'max' });
const mixed = (specials: readonly string[]): fc.Arbitrary<string> =>
  secretOf(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...letters) }, { weight: 1, arbitrary: fc.constantFrom(...specials) }));

/** 16 to 64 characters that a Bearer credential may have; now and then some that quoting or encoding changes, or capitals like a code's. */
export const credentials = fc.oneof(mixed(credentialOnly), secretOf(fc.constantFrom(...capitals)));
/** The same with any characters. */
const secrets = fc.oneof(credentials, mixed(awkward));

/** A request before it is written; every part may hold the secret. */
interface Draft {
  method: string;
  target: string;
  version: string;
  fields: string[];
  body: string;
  /** Put before the body in place of Content-Length. */
  framing?: string;
}

const encoded = (secret: string): string => encodeURIComponent(secret);
const quoted = (secret: string): string => JSON.stringify(secret);
const withQuery = (draft: Draft, query: string): void => void (draft.target += `${draft.target.includes('?') ? '&' : '?'}${query}`);
const withField =
  (write: (secret: string) => string) =>
  (draft: Draft, secret: string): void =>
    void draft.fields.push(write(secret));
const withBody =
  (write: (secret: string) => string) =>
  (draft: Draft, secret: string): void =>
    void (draft.body = write(secret));
const chunked = (draft: Draft, body: string): void => void Object.assign(draft, { framing: 'Transfer-Encoding: chunked', body });

/** Every place of a request that a key can get into, by mistake or with intent. */
export const positions: Readonly<Record<string, (draft: Draft, secret: string) => void>> = {
  'a further x-api-key': withField((secret) => `x-api-key: ${secret}`),
  'a joined x-api-key': withField((secret) => `X-API-Key: ${secret}, ${secret}`),
  'Authorization: Bearer': withField((secret) => `Authorization: Bearer ${secret}`),
  'Authorization: Basic': withField((secret) => `Authorization: Basic ${Buffer.from(`${secret}:`).toString('base64')}`),
  'Authorization without a scheme': withField((secret) => `Authorization: ${secret}`),
  Cookie: withField((secret) => `Cookie: key=${secret}`),
  Host: (draft, secret) => void (draft.fields[0] = `Host: ${secret}`),
  'a second Host': withField((secret) => `Host: ${secret}`),
  'User-Agent': withField((secret) => `User-Agent: ${secret}`),
  'the product of User-Agent': withField((secret) => `User-Agent: ${secret}/1.0 (x)`),
  'the version of a known product': withField((secret) => `User-Agent: axios/${secret}`),
  'a comment of User-Agent': withField((secret) => `User-Agent: curl/8.5.0 (${secret})`),
  traceparent: withField((secret) => `traceparent: ${secret}`),
  'the trace id of traceparent': withField((secret) => `traceparent: 00-${secret.slice(0, 32).padEnd(32, '0')}-00f067aa0ba902b7-01`),
  tracestate: withField((secret) => `tracestate: key=${secret}`),
  'X-Request-Id': withField((secret) => `X-Request-Id: ${secret}`),
  'Content-Type': withField((secret) => `Content-Type: ${secret}`),
  'a parameter of Content-Type': withField((secret) => `Content-Type: application/json; key="${secret}"`),
  'Content-Encoding': withField((secret) => `Content-Encoding: ${secret}`),
  'Content-Length': withField((secret) => `Content-Length: ${secret}`),
  'Transfer-Encoding': withField((secret) => `Transfer-Encoding: ${secret}`),
  Connection: withField((secret) => `Connection: ${secret}`),
  Expect: withField((secret) => `Expect: ${secret}`),
  Upgrade: withField((secret) => `Connection: upgrade\r\nUpgrade: ${secret}`),
  Via: withField((secret) => `Via: 1.1 ${secret}`),
  'any field': withField((secret) => `X-Any: ${secret}`),
  'a field name': withField((secret) => `${secret}: x`),
  'a field name before a space': withField((secret) => `${secret} : x`),
  'a line without colon': withField((secret) => secret),
  'a folded line': withField((secret) => `X-Folded: a\r\n ${secret}`),
  'a very long field': withField((secret) => `X-Long: ${secret.repeat(Math.ceil(17_000 / secret.length))}`),
  'a query name': (draft, secret) => withQuery(draft, `${secret}=1`),
  'a query value': (draft, secret) => withQuery(draft, `q=${secret}`),
  'an encoded query name': (draft, secret) => withQuery(draft, `${encoded(secret)}=1`),
  'an encoded query value': (draft, secret) => withQuery(draft, `x-api-key=${encoded(secret)}`),
  'a path segment': (draft, secret) => void (draft.target += `/${secret}`),
  'an encoded path segment': (draft, secret) => void (draft.target += `/${encoded(secret)}`),
  'an id': (draft, secret) => void (draft.target = `/v1/contacts/${encoded(secret)}`),
  'the whole path': (draft, secret) => void (draft.target = `/${encoded(secret)}`),
  'a fragment': (draft, secret) => void (draft.target += `#${encoded(secret)}`),
  'the host of an absolute target': (draft, secret) => void (draft.target = `http://${encoded(secret)}${draft.target}`),
  'the user of an absolute target': (draft, secret) => void (draft.target = `http://${encoded(secret)}@a${draft.target}`),
  'an authority': (draft, secret) => void Object.assign(draft, { method: 'CONNECT', target: `${encoded(secret)}:443` }),
  'the method': (draft, secret) => void (draft.method = secret),
  'the version': (draft, secret) => void (draft.version = secret),
  'a JSON value': withBody((secret) => `{"channel":"SMS","to":${quoted(secret)},"content":${quoted(secret)}}`),
  'a JSON name': withBody((secret) => `{"channel":"SMS","to":"1","content":"x",${quoted(secret)}:1}`),
  'the channel': withBody((secret) => `{"channel":${quoted(secret)},"to":"1","content":"x"}`),
  'the identity of a contact': withBody((secret) => `{"phone":${quoted(secret)},"email":${quoted(`${secret}@example.com`)}}`),
  'a nested JSON value': withBody((secret) => `{"a":{"b":[${quoted(secret)}]}}`),
  'invalid JSON': withBody((secret) => `{"a":${secret}`),
  'a body that is no JSON': withBody((secret) => secret),
  'a chunk extension': (draft, secret) => chunked(draft, `2;key=${secret}\r\n{}\r\n0\r\n\r\n`),
  'a chunk size': (draft, secret) => chunked(draft, `${secret}\r\n{}\r\n0\r\n\r\n`),
  'a trailer': (draft, secret) => chunked(draft, `2\r\n{}\r\n0\r\nX-Trailer: ${secret}\r\n\r\n`),
};

export interface SecretRequest {
  readonly secret: string;
  /** Where the secret is. */
  readonly places: readonly string[];
  /** A good request but for the places. */
  readonly endpoint: string;
  /** What is sent as the key. */
  readonly key: 'the secret' | 'another' | 'none';
}

const endpoints = [
  ...endpointIds(v1Endpoints).map((id) => `${v1Endpoints[id].method} ${v1Endpoints[id].path}`),
  'GET /v1/x',
  'POST /v2/contacts',
];
const message = JSON.stringify({ channel: channels[1], to: '+15550100', content: 'Hi', phone: '+15550100' });

/** Requests with a secret in up to three places besides the key. */
export const secretRequests: fc.Arbitrary<SecretRequest> = fc.record({
  secret: secrets,
  places: fc.uniqueArray(fc.constantFrom(...Object.keys(positions)), { maxLength: 3 }),
  endpoint: fc.constantFrom(...endpoints),
  key: fc.constantFrom('the secret', 'another', 'none'),
});

/** The bytes of a request; characters beyond ASCII as UTF-8. The last field asks to close the connection. */
export function write({ secret, places, endpoint, key }: SecretRequest): Buffer {
  const [method = '', path = ''] = endpoint.split(' ');
  const isRead = method === 'GET';
  const draft: Draft = {
    method,
    target: path.replace(':id', 'id_1'),
    version: 'HTTP/1.1',
    fields: [
      'Host: a',
      ...(key === 'none' ? [] : [`x-api-key: ${key === 'another' ? 'good' : secret}`]),
      ...(isRead ? [] : ['Content-Type: application/json']),
    ],
    body: isRead ? '' : message,
  };
  for (const place of places) positions[place]?.(draft, secret);
  const framing = draft.framing ?? (draft.body === '' ? undefined : `Content-Length: ${Buffer.byteLength(draft.body)}`);
  const head = [
    `${draft.method} ${draft.target} ${draft.version}`,
    ...draft.fields,
    ...(framing === undefined ? [] : [framing]),
    'Connection: close',
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${draft.body}`);
}

/** The fewest characters of a key in a row that nobody may show. */
const tooMany = 9;

/** The forms that a part of a secret may have taken on its way. */
const forms: readonly ((part: string) => string)[] = [
  (part) => part,
  (part) => quoted(part).slice(1, -1),
  encoded,
  (part) => Buffer.from(part).toString('latin1'),
];

const windows = (text: string, length: number): string[] =>
  Array.from({ length: Math.max(0, text.length - length + 1) }, (_, i) => text.slice(i, i + length));

/** What lines say: of JSON its names and values, each on a line of its own, so that no quote of its syntax passes for one of a secret. */
export function said(lines: readonly string[]): string {
  return lines
    .flatMap((line) => {
      const texts: string[] = [];
      try {
        JSON.parse(line, (name, value: unknown) => void texts.push(name, typeof value === 'string' ? value : ''));
        return texts;
      } catch {
        return [line];
      }
    })
    .join('\n');
}

/**
 * Which of the secrets are to be seen in a text, by nine or more of their characters in a row, whatever the case of letters.
 * @returns for each the first such part
 */
export function found(secrets: readonly string[], text: string): string[] {
  const haystack = text.toLowerCase();
  return secrets.flatMap((secret) => {
    // Three bytes are four characters of base64.
    const parts = [
      ...windows(secret, tooMany).flatMap((part) => forms.map((form) => form(part))),
      ...windows(Buffer.from(secret).toString('base64'), (tooMany * 4) / 3),
    ];
    const part = parts.find((candidate) => haystack.includes(candidate.toLowerCase()));
    return part === undefined ? [] : [`${part} of ${secret}`];
  });
}
