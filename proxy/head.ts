/**
 * One pass over a request's raw fields: what request validation and v1's rules need to know, and what goes on to v2.
 * Works on `rawHeaders`, because Node's `headers` joins or drops repeated fields and forgets their case.
 */
import { v1Auth, v2Auth } from '../src/contract/auth.ts';
import { isHopByHop, nominatedBy } from './hop-by-hop.ts';
import { tellsOrigin } from './origins.ts';

export interface RequestHead {
  /** Bytes of all names and values. */
  readonly size: number;
  readonly hosts: readonly string[];
  readonly keys: readonly string[];
  /** What an Authorization: Bearer field holds after the scheme; undefined without one. */
  readonly bearer: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly contentLengths: readonly string[];
  readonly transferEncodings: readonly string[];
  readonly userAgent: string | undefined;
  readonly traceparent: string | undefined;
  /** Names and values in turn, in their order and case, of the fields that go on to v2. */
  readonly forward: readonly string[];
}

interface MutableHead extends RequestHead {
  size: number;
  bearer: string | undefined;
  contentType: string | undefined;
  contentEncoding: string | undefined;
  userAgent: string | undefined;
  traceparent: string | undefined;
  readonly hosts: string[];
  readonly keys: string[];
  readonly contentLengths: string[];
  readonly transferEncodings: string[];
  connection: string | undefined;
  readonly forward: string[];
}

/** What of a request goes on beside its plain fields. */
export interface Passing {
  /** Every credential as it came. Those of a v1 client never go to v2: Authorization and Cookie are of the dashboard (api.md §5). */
  readonly credentials: boolean;
  /** What the client says of where it came from. */
  readonly origin: boolean;
}

/** Everything, for the version that the client means. */
export const asItCame: Passing = { credentials: true, origin: true };
const translated: Passing = { credentials: false, origin: false };

/**
 * Reads the head of a request.
 * @param raw `req.rawHeaders`: names and values in turn
 */
export function readHead(raw: readonly string[], passing = translated): RequestHead {
  const head: MutableHead = {
    size: 0,
    hosts: [],
    keys: [],
    bearer: undefined,
    contentType: undefined,
    contentEncoding: undefined,
    contentLengths: [],
    transferEncodings: [],
    userAgent: undefined,
    traceparent: undefined,
    connection: undefined,
    forward: [],
  };
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const value = raw[i + 1] ?? '';
    head.size += name.length + value.length;
    if (take(head, name.toLowerCase(), value, passing)) head.forward.push(name, value);
  }
  const nominated = nominatedBy(head.connection);
  return nominated === undefined ? head : { ...head, forward: without(head.forward, nominated) };
}

/** Notes one field; true where it goes on to v2. */
function take(head: MutableHead, name: string, value: string, { credentials, origin }: Passing): boolean {
  switch (name) {
    case v1Auth.field:
      head.keys.push(value);
      return credentials;
    case v2Auth.field:
      head.bearer ??= /^bearer(?:[ \t]+|$)(.*)/i.exec(value)?.[1];
      return credentials;
    case 'host':
      head.hosts.push(value);
      return false;
    // Written anew: Content-Length with the body that is sent, Expect never (the proxy answers it itself, RFC 9110 §10.1.1).
    case 'content-length':
      head.contentLengths.push(value);
      return false;
    case 'expect':
      return false;
    case 'cookie':
    case 'cookie2':
      return credentials;
    case 'transfer-encoding':
      head.transferEncodings.push(value);
      return false;
    case 'connection':
      head.connection = head.connection === undefined ? value : `${head.connection}, ${value}`;
      return false;
    case 'content-type':
      // Servers go by the first, as Node does.
      head.contentType ??= value;
      return true;
    case 'content-encoding':
      head.contentEncoding = head.contentEncoding === undefined ? value : `${head.contentEncoding}, ${value}`;
      return true;
    case 'user-agent':
      head.userAgent = value;
      return true;
    case 'traceparent':
      head.traceparent = value;
      return true;
    default:
      return !isHopByHop(name) && (origin || !tellsOrigin(name));
  }
}

/** Whether the framing announces a body that is not empty (RFC 9112 §6.3). */
export function hasBody(head: RequestHead): boolean {
  return head.transferEncodings.length > 0 || (head.contentLengths[0] !== undefined && Number(head.contentLengths[0]) > 0);
}

/** The fields (names and values in turn) whose names are not in the set. */
export function without(fields: readonly string[], names: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] ?? '';
    if (!names.has(name.toLowerCase())) kept.push(name, fields[i + 1] ?? '');
  }
  return kept;
}
