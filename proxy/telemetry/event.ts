/** The event of one deprecated use, as an OpenTelemetry log record has it: nothing in it that log and record of the proxy do not have. */
import { unlisted } from '../../src/contract/endpoints.ts';
import { networkOf } from '../../src/usage/network.ts';
import { remembering } from '../../src/usage/remembering.ts';
import type { WaitingEvent } from './telemetry.ts';

/** Seconds and nanoseconds. */
export type HrTime = [seconds: number, nanoseconds: number];

/** Which program and which proxy it is that tells: of an OpenTelemetry SDK, `resource` is made by the package of that name. */
export interface Scope {
  readonly resource: object;
  readonly instrumentationScope: { readonly name: string; readonly version: string };
}

/** `ReadableLogRecord` of OpenTelemetry's SDK, as far as it is needed. */
export interface LogRecord extends Scope {
  readonly hrTime: HrTime;
  readonly hrTimeObserved: HrTime;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly eventName: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly droppedAttributesCount: number;
}

export const eventName = 'migrate_v2.deprecated_use';

/** `INFO` of the data model of logs. */
const severityNumber = 9;

const knownNetworkOf = remembering((address) => networkOf(address) ?? '');

/** Milliseconds as seconds and nanoseconds. */
export const hrTimeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), (Math.floor(ms) % 1_000) * 1_000_000];

export function logRecordOf({ line, use }: WaitingEvent, scope: Scope): LogRecord {
  const network = use.address === undefined ? '' : knownNetworkOf(use.address);
  const attributes = {
    // The names of OpenTelemetry's conventions, where it has them.
    'http.request.method': line.method === 'OTHER' ? '_OTHER' : line.method,
    ...(line.status === 0 ? {} : { 'http.response.status_code': line.status }),
    ...(line.endpoint === unlisted ? {} : { 'http.route': line.endpoint.replace(/^[A-Z]+ /, '') }),
    ...(line.code === undefined ? {} : { 'error.type': line.code }),
    'migrate_v2.endpoint': line.endpoint,
    'migrate_v2.outcome': line.outcome,
    'migrate_v2.duration_ms': line.duration,
    'migrate_v2.client': line.client,
    ...(use.name === null ? {} : { 'migrate_v2.client_name': use.name }),
    ...(line.key === undefined ? {} : { 'migrate_v2.key_prefix': line.key }),
    ...(line.keyHash === undefined ? {} : { 'migrate_v2.key_hash': line.keyHash }),
    ...(line.workspace === undefined ? {} : { 'migrate_v2.workspace': line.workspace }),
    ...(network === '' ? {} : { 'migrate_v2.network': network }),
    'migrate_v2.days_until_sunset': line.daysUntilSunset,
    'migrate_v2.request_id': line.requestId,
    ...(line.traceId === undefined ? {} : { 'migrate_v2.trace_id': line.traceId }),
  };
  const time = hrTimeOf(use.at);
  return {
    ...scope,
    hrTime: time,
    hrTimeObserved: time,
    severityNumber,
    severityText: 'INFO',
    eventName,
    attributes,
    droppedAttributesCount: 0,
  };
}
