/** The findings of the codemods (`migrate-v2 ./src --format json`), as far as a report needs them: codemods/report/report.schema.json. */
import { z } from 'zod';
import { labelOf, v1Endpoints } from '../../contract/endpoints.ts';
import type { CodeFindings, FoundSite } from './model.ts';

/** The version of that schema that is read here. */
const known = 1;

const place = { file: z.string().min(1), line: z.int().positive().optional() };
const call = z.object({ ...place, from: z.string(), client: z.string() });
const shape = z.object({
  version: z.number(),
  tool: z.object({ name: z.literal('migrate-v2') }),
  mode: z.enum(['write', 'dry-run', 'check']),
  v1Base: z.array(z.string()),
  calls: z.array(call),
  unmoved: z.array(call),
  findings: z.array(z.object({ ...place, kind: z.string(), detail: z.record(z.string(), z.string()) })),
});

/** Why a text is no findings, for people. */
export class NoFindings extends Error {
  readonly code = 'NO_FINDINGS';
}

const routes: ReadonlySet<string> = new Set(Object.values(v1Endpoints).map(labelOf));

/**
 * Reads the findings of a run.
 * @param repository what they are of
 * @throws NoFindings where they are none, or of another version
 */
export function readFindings(text: string, repository: string): CodeFindings {
  const { data, error } = shape.safeParse(parsed(text));
  if (error !== undefined) throw new NoFindings('it is not what migrate-v2 --format json writes', { cause: error });
  if (data.version !== known)
    throw new NoFindings(`its version is ${data.version}, and this migrate-v2 reads version ${known}: make it anew with this one`);
  const left = data.findings.filter(({ kind }) => kind === 'left');
  const sites: readonly FoundSite[] = [
    ...data.calls.map(calledAs(data.mode === 'write' ? 'moved' : 'found')),
    ...data.unmoved.map(calledAs('found')),
    ...left.map(({ detail, ...each }) => ({ ...spot(each), endpoint: routeOf(detail), library: null, state: 'left' as const })),
  ];
  return { repository, bases: data.v1Base, sites: onceEach(sites) };
}

const calledAs =
  (state: FoundSite['state']) =>
  (each: z.infer<typeof call>): FoundSite => ({ ...spot(each), endpoint: each.from, library: each.client, state });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NoFindings('it is no JSON', { cause });
  }
}

const spot = ({ file, line }: { readonly file: string; readonly line?: number | undefined }) => ({ file, line: line ?? null });

/** Findings tell the route of a call in one of two ways, where they know it. */
const routeOf = ({ route, name }: Readonly<Record<string, string>>): string | null =>
  [route, name].find((text) => text !== undefined && routes.has(text)) ?? null;

/** A call and what was found out about it stand in one place: it is one site, by what is known of its endpoint. */
function onceEach(sites: readonly FoundSite[]): readonly FoundSite[] {
  const kept = new Map<string, FoundSite>();
  const placed = new Set(sites.filter(({ endpoint }) => endpoint !== null).map(({ file, line }) => `${file}:${line}`));
  for (const site of sites) {
    const at = `${site.file}:${site.line}`;
    if (site.endpoint === null && placed.has(at)) continue;
    const id = JSON.stringify([at, site.endpoint]);
    if (!kept.has(id)) kept.set(id, site);
  }
  return [...kept.values()].toSorted(
    (a, b) => compare(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0) || compare(a.endpoint ?? '', b.endpoint ?? ''),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
