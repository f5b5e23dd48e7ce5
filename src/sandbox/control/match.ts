import { matchPath } from '../http/paths.ts';
import { ControlError } from './error.ts';
import { type ControlRoute, type RouteId, routes } from './routes.ts';

export interface Match {
  readonly id: RouteId;
  readonly route: ControlRoute;
  /** The segments in the places of the names, decoded. */
  readonly at: Readonly<Record<string, string>>;
}

// Object.entries is typed string; the table is a literal, so its keys are exactly the ids.
const rows = (Object.entries(routes) as [RouteId, ControlRoute][]).map(([id, route]) => ({ id, route, template: route.path.split('/') }));

/**
 * The row for a request.
 * @throws ControlError NOT_FOUND where no row has this path, METHOD_NOT_ALLOWED where one has it with another method
 */
export function match(method: string, path: string): Match {
  const segments = path.split('/');
  const found = rows.flatMap(({ id, route, template }) => {
    const at = matchPath(template, segments);
    return at === undefined ? [] : [{ id, route, at }];
  });
  if (found.length === 0) throw new ControlError('NOT_FOUND', 'The control surface has no such path; docs/sandbox.md lists all');
  // RFC 9110 §9.3.2: HEAD is GET without the content, which node:http leaves out by itself.
  const row = found.find(({ route }) => route.method === (method === 'HEAD' ? 'GET' : method));
  if (row !== undefined) return row;
  const allowed = found.flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]));
  throw new ControlError('METHOD_NOT_ALLOWED', `This path takes ${allowed.join(', ')}`, { Allow: allowed.join(', ') });
}
