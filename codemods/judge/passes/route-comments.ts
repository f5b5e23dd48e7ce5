/** Files that hold nothing of v1 but what they say, as declarations do: comments that name a route, and codes of v1's limits, are old where calls are moved in their package. */
import { v1Endpoints } from '../../../src/contract/endpoints.ts';
import { limitCodes } from '../../escape/limits/waits-by-code.ts';
import { isComment, isInBlock } from '../../syntax/comments.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { escaped } from '../../find/words/literals.ts';
import type { Finding, Plan } from '../../model.ts';
import { type Moved, routeIn } from '../moved.ts';
import { byPlace } from '../merge.ts';
import { projectsIn } from '../../find/packages/projects.ts';
import { positionsOf } from '../../syntax/position.ts';

/**
 * @param files scripts that may speak of v1
 * @param others all files
 * @param textIn the text of a file
 */
export function withRouteComments<P extends Pick<Plan, 'edits' | 'findings' | 'ledger'>>(
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
  const accounted = new Set(
    [...plan.ledger.filter(({ reason }) => reason !== 'no-call'), ...plan.findings, ...plan.edits].map(({ file }) => file),
  );
  const advised = new Set(plan.findings.flatMap(({ code, file }) => (code === 'mentioned' ? [] : file)));
  const beside = files.filter((file) => endpoints.has(projectOf(file)) && !isTest({ file }));
  const found = beside.flatMap((file): Finding[] => {
    const project = projectOf(file);
    if (accounted.has(file) || shared.has(project)) return [];
    return spokenIn(file, textIn(file), new Set((endpoints.get(project) ?? []).map(({ endpoint }) => endpoint)));
  });
  const serving = new Set(found.length === 0 ? [] : others.flatMap(({ path }) => (serves(path, textIn) ? projectOf(path) : [])));
  const told = [
    ...found.filter(({ file }) => !serving.has(projectOf(file))),
    ...beside.flatMap((file) => (advised.has(file) ? [] : codesIn(file, textIn(file)))),
  ];
  return told.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...told].toSorted(byPlace) };
}

/** Whether a file gives the routes of a server a version, as Nest has it: `@Controller('v1/texts')`, `app.enableVersioning()`. */
const serves = (file: string, textIn: (file: string) => string): boolean =>
  /(?:controller|main|app|server)\.[cm]?[jt]s$/.test(file) && versioning.test(textIn(file));

const versioning = /@Controller\([^)]*\bv(?:1|ersion)\b|\benableVersioning\(|\bsetGlobalPrefix\([^)]*\bv1\b/;

/** One finding for each line, where no comment leaves it as it is. */
function eachLine(file: string, text: string, found: readonly Pick<Finding, 'code' | 'start' | 'end' | 'detail'>[]): Finding[] {
  const source = { file, text, position: positionsOf(text) };
  const findings = found.map((each): Finding => ({ file, ...each, ...source.position(each.start) }));
  const lines = new Map(findings.toReversed().map((finding) => [finding.line, finding]));
  return [...lines.values()];
}

const limitCode = new RegExp(`(?<!\\w)(?:${[...limitCodes].map(escaped).join('|')})(?!\\w)`, 'g');

const codesIn = (file: string, text: string): Finding[] =>
  eachLine(
    file,
    text,
    Array.from(text.matchAll(limitCode))
      .filter(({ index }) => !isComment(text, index))
      .map(({ index: start, 0: code }) => ({ code: 'limit-code', start, end: start + code.length, detail: { code } })),
  );

/** A version that is named as what is put behind a base: `` `/v1` ``. */
const versionAlone = /(?<=[`'"(])\/v1\/?(?=[`'")])/g;

function spokenIn(file: string, text: string, endpoints: ReadonlySet<Moved['endpoint']>): Finding[] {
  const routes = [...endpoints].flatMap((endpoint) =>
    Array.from(text.matchAll(new RegExp(routeIn(endpoint), 'g'))).filter(({ index, 0: path }) => {
      const { word, method } =
        /(?<word>\w[,.:]? +)?\b(?<method>GET|POST|PUT|PATCH|DELETE)\s+$/.exec(text.slice(Math.max(0, index - 12), index))?.groups ?? {};
      if (method !== undefined && method !== v1Endpoints[endpoint].method) return false;
      // In a sentence, as the description of a field is one: what stands alone is a name that something goes by.
      return isComment(text, index) || isInBlock(text, index) || (word !== undefined && /^ +\w/.test(text.slice(index + path.length)));
    }),
  );
  const versions = Array.from(text.matchAll(versionAlone)).filter(({ index }) => isComment(text, index));
  return eachLine(
    file,
    text,
    [...routes, ...versions].map(({ index: start, 0: path }) => ({ code: 'mentioned', start, end: start + path.length, detail: {} })),
  );
}
