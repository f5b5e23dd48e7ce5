/** Lines of JSON: nginx with `escape=json`, Envoy, Caddy, Traefik and whatever else names its fields as these do, or as somebody says. */
import { v1Auth } from '../../../contract/auth.ts';
import { given, lastOf, type ReadLine, readRequest, statusOf, withoutPort } from '../line.ts';

/** The field of a key, as variables of servers name it, and as clients may write it. */
const asName = v1Auth.field.replaceAll('-', '_');
const asWritten = v1Auth.field.replace(/\b[a-z]/g, (first) => first.toUpperCase());

/** What a line can tell, and which fields are looked for, the first one that is there. A dot leads into an object. */
const usual = {
  time: ['time_iso8601', 'time', '@timestamp', 'timestamp', 'start_time', 'StartUTC', 'time_local', 'msec', 'ts', 'date'],
  method: ['request_method', 'method', 'RequestMethod', 'request.method', 'http.request.method', 'verb'],
  path: ['request_uri', 'uri', 'path', 'RequestPath', 'request.uri', 'x-envoy-origin-path', 'x_envoy_original_path', 'url', 'url.path'],
  request: ['request', 'request_line'],
  status: ['status', 'response_code', 'DownstreamStatus', 'status_code', 'statusCode', 'http.response.status_code', 'code'],
  address: [
    'remote_addr',
    'client_ip',
    'clientip',
    'ClientHost',
    'request.client_ip',
    'request.remote_ip',
    'downstream_remote_address',
    'remote_ip',
    'client',
    'ip',
    'client.ip',
  ],
  forwarded: ['x_forwarded_for', 'x-forwarded-for'],
  agent: [
    'http_user_agent',
    'user_agent',
    'user-agent',
    'request_User-Agent',
    'request.headers.User-Agent',
    'userAgent',
    'agent',
    'user_agent.original',
  ],
  host: ['host', 'http_host', 'authority', ':authority', 'RequestHost', 'request.host', 'server_name', 'vhost'],
  key: [`http_${asName}`, asName, v1Auth.field, `request_${asWritten}`, `request.headers.${asWritten}`],
  via: ['http_via', 'via', 'request_Via', 'request.headers.Via'],
} as const;

type Role = keyof typeof usual;

/** @param fields names of fields that somebody gives, by what they are */
export function jsonReader(timeOf: (text: string) => number, fields: Readonly<Record<string, string>>): ReadLine {
  const finders = Object.fromEntries(
    Object.entries(usual).map(([role, names]) => [role, finderOf(fields[role] === undefined ? names : [fields[role]])]),
  );
  const find = (role: Role, object: object): string => given(finders[role]?.(object) ?? '');
  return (text, line) => {
    const object = objectOf(text);
    if (object === undefined) return false;
    line.time = timeOf(find('time', object));
    if (Number.isNaN(line.time)) return false;
    line.method = find('method', object);
    line.target = find('path', object);
    if (line.method === '' || line.target === '') {
      const request = find('request', object);
      if (request !== '') readRequest(request, line);
    }
    if (line.target === '' && !isKnown(object, finders)) return false;
    line.status = statusOf(find('status', object));
    line.address = withoutPort(find('address', object)) || lastOf(find('forwarded', object));
    line.agent = find('agent', object);
    line.host = find('host', object);
    line.key = find('key', object);
    line.via = find('via', object);
    return true;
  };
}

/** Whether it is a line of access at all: what was no request has an empty field for it. */
const isKnown = (object: object, finders: Readonly<Record<string, (object: object) => string | undefined>>): boolean =>
  finders['path']?.(object) !== undefined || finders['request']?.(object) !== undefined;

function objectOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the function that finds the first of these fields. The one that was there the last time is looked for first. */
function finderOf(names: readonly string[]): (object: object) => string | undefined {
  const paths = names.map((name) => [name, name.split('.')] as const);
  let last = paths[0];
  return (object) => {
    const again = last === undefined ? undefined : textOf(valueAt(object, last));
    if (again !== undefined && again !== '') return again;
    let found = again;
    for (const path of paths) {
      const text = textOf(valueAt(object, path));
      if (text === undefined || (text === '' && found !== undefined)) continue;
      last = path;
      found = text;
      if (text !== '') return text;
    }
    return found;
  };
}

function valueAt(object: object, [name, path]: readonly [string, readonly string[]]): unknown {
  if (Object.hasOwn(object, name)) return property(object, name);
  if (path.length === 1) return undefined;
  return path.reduce<unknown>((value, part) => property(value, part), object);
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (value === null) return '';
  return Array.isArray(value) ? textOf(value[0]) : undefined;
}
