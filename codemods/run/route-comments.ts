/** Comments in files that hold nothing of v1 beside, as those above types: what they say of a route is old where calls of it are moved in their package. */
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import { isComment } from '../escape/old-types.ts';
import { isTest } from '../evaluate/test-files.ts';
import type { Finding, Plan } from '../model.ts';
import { type Moved, routeIn } from './documents.ts';
import { byPlace } from './merge.ts';
import { projectsIn } from './projects.ts';
import { positionsOf } from '../syntax/position.ts';

/**
 * @param files scripts that may speak of v1
 * @param others all files
 * @param textIn the text of a file
 */
export function withRouteComments<P extends Pick<Plan, 'findings' | 'ledger'>>(
  plan: P,
  moved: readonly Moved[],
  files: readonly string[],
  others: readonly { readonly path: string }[],
  textIn: (file: string) => string,
): P {
  if (moved.length === 0) return plan;
  const projectOf = projectsIn(others);
  const endpoints = Map.groupBy(moved, ({ file }) => projectOf(file));
  // Where a server of the project's own, or another service, has paths of a v1, comments may be about these.
  const shared = new Set(
    plan.ledger.flatMap(({ file, reason, start, end }) =>
      (reason === 'own-server' || reason === 'other-host') && /\bv1\b/.test(textIn(file).slice(start, end)) ? projectOf(file) : [],
    ),
  );
  const accounted = new Set([...plan.ledger, ...plan.findings].map(({ file }) => file));
  const found = files.flatMap((file): Finding[] => {
    const project = projectOf(file);
    if (accounted.has(file) || isTest({ file }) || shared.has(project)) return [];
    return spokenIn(file, textIn(file), new Set((endpoints.get(project) ?? []).map(({ endpoint }) => endpoint)));
  });
  const serving = new Set(found.length === 0 ? [] : others.flatMap(({ path }) => (serves(path, textIn) ? projectOf(path) : [])));
  const told = found.filter(({ file }) => !serving.has(projectOf(file)));
  return told.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...told].toSorted(byPlace) };
}

/** Whether a file gives the routes of a server a version, as Nest has it: `@Controller('v1/texts')`, `app.enableVersioning()`. */
const serves = (file: string, textIn: (file: string) => string): boolean =>
  /(?:controller|main|app|server)\.[cm]?[jt]s$/.test(file) && versioning.test(textIn(file));

const versioning = /@Controller\([^)]*\bv(?:1|ersion)\b|\benableVersioning\(|\bsetGlobalPrefix\([^)]*\bv1\b/;

/** One finding for each line. */
function spokenIn(file: string, text: string, endpoints: ReadonlySet<Moved['endpoint']>): Finding[] {
  const position = positionsOf(text);
  const found = [...endpoints].flatMap((endpoint) =>
    Array.from(text.matchAll(new RegExp(routeIn(endpoint), 'g'))).flatMap(({ index: start, 0: path }): Finding[] => {
      const [, method = v1Endpoints[endpoint].method] =
        /\b(GET|POST|PUT|PATCH|DELETE)\s+$/.exec(text.slice(Math.max(0, start - 8), start)) ?? [];
      if (method !== v1Endpoints[endpoint].method || !isComment(text, start)) return [];
      return [{ code: 'mentioned', file, start, end: start + path.length, ...position(start), detail: {} }];
    }),
  );
  return [...new Map(found.map((finding) => [finding.line, finding])).values()];
}
