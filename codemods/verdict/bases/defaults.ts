/** What a variable that is named as a base is where nobody sets it: `env.URL ?? 'https://…'`, the default of a schema. */
import { plainText } from '../../evaluate/values/values.ts';
import type { Request } from '../../requests/requests.ts';
import { envOf, holdsOurs } from './environment.ts';
import { isLoopback } from './hosts.ts';
import type { Bases } from './routes.ts';

/**
 * The bases for one request: with the default of a configured variable, if its address begins with that. Whoever asks the same host without
 * the variable is not proven by it, and what has no public name may as well be a server of the project's own.
 * @param others the requests on the same call path
 */
export function withDefaultFor({ url }: Pick<Request, 'url'>, others: readonly Pick<Request, 'url'>[], bases: Bases): Bases {
  const [leading] = url ?? [];
  if (bases.env.size === 0 || leading === undefined || 'unknownPart' in leading || leading.source === undefined) return bases;
  const { module, start } = leading.source;
  for (const other of others) {
    const variable = envOf(other.url?.[0]);
    const otherwise = variable?.otherwise;
    const [first] = otherwise?.parts ?? [];
    if (
      variable === undefined ||
      bases.envByFiles?.has(variable.name) === true ||
      otherwise === undefined ||
      !holdsOurs(variable, bases) ||
      first === undefined ||
      'unknownPart' in first
    )
      continue;
    if (first.source?.module !== module || first.source.start !== start) continue;
    const base = plainText(otherwise)?.replace(/\/(?:v[12]\/?)?$/, '');
    const host = URL.parse(base ?? '')?.host ?? '';
    if (base !== undefined && host.includes('.') && !isLoopback(host)) return { ...bases, v1: [...bases.v1, base] };
  }
  return bases;
}
