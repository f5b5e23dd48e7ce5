/** Sends a translated call to v2, and ties v2's answer to the client. */
import { bearer, v2Auth } from '../src/contract/auth.ts';
import type { Call } from './call.ts';
import { readableCodings } from './content.ts';
import { viaName } from '../src/usage/via-name.ts';
import { Relay } from './relay.ts';
import { arriving } from './request-body.ts';
import { renameQuery } from './route.ts';
import type { Translation } from './translation.ts';

export function send(call: Call, translation: Translation): void {
  const { req, context } = call;
  const { route, v2Path, body } = translation;
  const query = renameQuery(translation.query, context.options.queryRenames[route.id]);
  const relay = new Relay(call, translation);
  relay.follow(
    context.upstream.send(
      {
        method: req.method ?? '',
        path: query === '' ? v2Path : `${v2Path}?${query}`,
        fields: fieldsForV2(call, translation),
        body: body === 'stream' ? arriving(call) : (body ?? null),
        purpose: translation.purpose,
      },
      relay,
    ),
  );
}

function fieldsForV2({ req, head, context }: Call, { fields, body, mapping, v2Key }: Translation): string[] {
  const sent = withReadableCodings(fields, mapping?.responseBody !== undefined);
  sent.push(v2Auth.fieldName, bearer(v2Key), 'Via', `${req.httpVersion} ${viaName}`, ...context.origins.fields(req));
  const length = head.contentLengths[0];
  if (body === 'stream' && length !== undefined) sent.push('Content-Length', length);
  return sent;
}

const acceptEncoding = 'accept-encoding';

/** Limits what v2 may answer in to what can be read here; a client that names nothing accepts anything (RFC 9110 §12.5.3). */
function withReadableCodings(fields: readonly string[], mustRead: boolean): string[] {
  const limited = [...fields];
  let named = false;
  for (let i = 0; i < limited.length; i += 2) {
    const name = limited[i] ?? '';
    // Its length first: this is on the way of every call.
    if (name.length !== acceptEncoding.length || name.toLowerCase() !== acceptEncoding) continue;
    limited[i + 1] = readableCodings(limited[i + 1] ?? '');
    named = true;
  }
  if (mustRead && !named) limited.push('Accept-Encoding', 'identity');
  return limited;
}
