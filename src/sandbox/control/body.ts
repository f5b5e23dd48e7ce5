import { constants } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { hasBody, isJson, maxBody, parseBody, readBody } from '../http/body.ts';
import { ControlError } from './error.ts';

/** Bytes of a snapshot, in an answer as in a request: as long as a text can be. */
export const maxSnapshot = constants.MAX_STRING_LENGTH;

/** What is special about the body of a route. */
export interface BodyKind {
  /** Whether it is a snapshot: larger than other bodies, and nesting deeper than a client's body, which it holds. */
  readonly snapshot?: boolean;
  /** Whether its numbers are passed on, as they are written, and not counted with. */
  readonly exact?: boolean;
}

/**
 * The JSON of a request; an empty object where it has no body.
 * @param largest bytes of a snapshot
 * @throws ControlError CONTENT_TYPE, BODY_TOO_LARGE, INVALID_JSON, INVALID
 */
export async function readJson(req: IncomingMessage, { snapshot = false, exact = false }: BodyKind, largest: number): Promise<unknown> {
  if (!hasBody(req.headers)) return {};
  if (!isJson(req.headers['content-type'])) {
    throw new ControlError('CONTENT_TYPE', 'The body must be JSON: send Content-Type: application/json (curl has --json for it)');
  }
  const max = snapshot ? largest : maxBody;
  const bytes = await readBody(req, max);
  if (bytes === undefined) throw new ControlError('BODY_TOO_LARGE', `The body must not be larger than ${max} bytes`);
  if (snapshot) return parse(bytes);
  const parsed = parseBody(bytes, exact);
  if (!('refused' in parsed)) return parsed.body;
  if (parsed.refused === 'invalidJson') throw new ControlError('INVALID_JSON', notJson);
  throw new ControlError('INVALID', 'The body must be a JSON object that does not nest deeper than the bodies of the API');
}

/**
 * A snapshot as it can be sent back: on one line, for what is deep in it would be indented many times.
 * @throws ControlError SNAPSHOT_TOO_LARGE
 */
export function writeSnapshot(snapshot: unknown, largest: number): string {
  const text = `${asText(snapshot) ?? ''}\n`;
  if (text.length > 1 && Buffer.byteLength(text) <= largest) return text;
  throw new ControlError(
    'SNAPSHOT_TOO_LARGE',
    `The snapshot would be larger than ${largest} bytes; delete records, or start with fewer --max-records`,
  );
}

/** Undefined where it would be longer than a text can be. */
function asText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const notJson = 'The body is not valid JSON';

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new ControlError('INVALID_JSON', notJson);
  }
}
