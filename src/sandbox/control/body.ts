import type { IncomingMessage } from 'node:http';
import { hasBody, isJson, maxBody, parseBody, readBody } from '../http/body.ts';
import { ControlError } from './error.ts';

/** Bytes of a snapshot. */
const maxSnapshot = 256 * 1024 * 1024;

/** What is special about the body of a route. */
export interface BodyKind {
  /** Whether it may be as large as a snapshot, and nest deeper than a client's body, which it holds. */
  readonly snapshot?: boolean;
  /** Whether its numbers are passed on, as they are written, and not counted with. */
  readonly exact?: boolean;
}

/**
 * The JSON of a request; an empty object where it has no body.
 * @throws ControlError CONTENT_TYPE, BODY_TOO_LARGE, INVALID_JSON, INVALID
 */
export async function readJson(req: IncomingMessage, { snapshot = false, exact = false }: BodyKind): Promise<unknown> {
  if (!hasBody(req.headers)) return {};
  if (!isJson(req.headers['content-type'])) {
    throw new ControlError('CONTENT_TYPE', 'The body must be JSON: send Content-Type: application/json (curl has --json for it)');
  }
  const max = snapshot ? maxSnapshot : maxBody;
  const bytes = await readBody(req, max);
  if (bytes === undefined) throw new ControlError('BODY_TOO_LARGE', `The body must not be larger than ${max} bytes`);
  if (snapshot) return parse(bytes);
  const parsed = parseBody(bytes, exact);
  if (!('refused' in parsed)) return parsed.body;
  if (parsed.refused === 'invalidJson') throw new ControlError('INVALID_JSON', notJson);
  throw new ControlError('INVALID', 'The body must be a JSON object that does not nest deeper than the bodies of the API');
}

const notJson = 'The body is not valid JSON';

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new ControlError('INVALID_JSON', notJson);
  }
}
