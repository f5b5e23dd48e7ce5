/**
 * Workflows of n8n that a package of nodes shows: a request there that is sent with the package's own credentials gets its key from their class, and goes along where
 * that moves. Whoever has other credentials, or names none, is told as before.
 */
import { v1Auth } from '../../../src/contract/auth.ts';
import { packageFolders } from '../../find/packages/package-folders.ts';
import type { FoundFile } from '../../find/walk.ts';
import { coverOf } from '../../formats/text.ts';
import { parseJson } from '../../formats/data/json.ts';
import { type DataMap, entryOf, mapsIn, textOf } from '../../formats/data/tree.ts';
import type { Call, Edit, Finding, LedgerEntry, Plan } from '../../model.ts';
import { memo, once } from '../../once.ts';
import { anyPlaceholder, type Bases, matchUrl } from '../../verdict/bases/routes.ts';
import { besideV2 } from '../beside-v2.ts';
import { byPlace } from '../merge.ts';

type Read = Pick<Plan, 'edits' | 'calls' | 'findings' | 'ledger'>;

interface Known {
  readonly bases: Bases;
  /** Scripts that speak of v1. */
  readonly code: readonly string[];
  readonly files: readonly FoundFile[];
  /** The text of a file. */
  readonly textIn: (file: string) => string;
}

interface Moving {
  readonly finding: Finding;
  readonly edit: Edit;
  readonly call: Call;
}

export function withMovedWorkflows<P extends Read>(plan: P, known: Known): P {
  const open = plan.findings.filter(({ code, file }) => code === 'key-not-found' && file.endsWith('.json'));
  // With another host, what the credentials are sent to besides would have to be known, too.
  if (open.length === 0 || known.bases.v2 !== undefined) return plan;
  const keyOf = keysMoved(plan, known);
  const mapsOf = memo((file: string) => parseJson(known.textIn(file)).roots.flatMap(mapsIn));
  const moving = open.flatMap((finding): Moving[] => {
    const asked = requestAt(finding, mapsOf(finding.file));
    const key = asked && keyOf({ file: finding.file, credentials: asked.credentials });
    return asked === undefined || key === undefined ? [] : movedBy(finding, key, asked, known);
  });
  if (moving.length === 0) return plan;
  const moved = new Set(moving.map(({ finding }) => finding));
  const edits = moving.map(({ edit }) => edit);
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const covers = memo((file: string) => coverOf(byFile.get(file) ?? []));
  const isMoved = (entry: LedgerEntry): boolean => covers(entry.file)(entry);
  const left = plan.findings.filter((each) => !moved.has(each));
  return {
    ...plan,
    edits: [...plan.edits, ...edits].toSorted(byPlace),
    calls: [...plan.calls, ...moving.map(({ call }) => call)].toSorted(byPlace),
    findings: [
      ...left,
      ...besideThem(
        moved,
        left,
        plan.ledger.filter((entry) => !isMoved(entry)),
      ),
    ].toSorted(byPlace),
    ledger: plan.ledger.map((entry): LedgerEntry => (isMoved(entry) ? { ...entry, state: 'rewritten', reason: 'path' } : entry)),
  };
}

/** What else stands in their lines, where a file is one line: that was told with them. */
function besideThem(moved: ReadonlySet<Finding>, left: readonly Finding[], ledger: readonly LedgerEntry[]): readonly Finding[] {
  const told = new Set(left.map(lineOf));
  const silent = new Set([...moved].map(lineOf).filter((line) => !told.has(line)));
  const found = ledger.flatMap(({ reason: code, state, file, start, end, line, column }): Finding[] =>
    state === 'person' && (code === 'unconsumed' || code === 'key-not-found') && silent.has(lineOf({ file, line }))
      ? [{ code, file, start, end, line, column, detail: {} }]
      : [],
  );
  return [...new Map(found.toReversed().map((each) => [lineOf(each), each])).values()];
}

const lineOf = ({ file, line }: Pick<Finding, 'file' | 'line'>): string => `${file}:${line}`;

interface Asked {
  readonly credentials: string;
  readonly method: string;
}

/** The request whose address stands at a place, and the credentials that it is sent with; undefined where it has headers of its own, of which one may be v2's. */
function requestAt({ start, end }: Finding, maps: readonly DataMap[]): Asked | undefined {
  const map = maps.findLast((each) => {
    const url = textOf(each, /^url$/);
    return url !== undefined && url.start <= start && end <= url.end;
  });
  if (map === undefined || textOf(map, /^authentication$/)?.value !== 'predefinedCredentialType') return undefined;
  const credentials = textOf(map, /^nodeCredentialType$/)?.value ?? '';
  const hasHeaders = entryOf(map, /^(?:sendHeaders|headerParameters|jsonHeaders)$/) !== undefined;
  return hasHeaders || !/^\w+$/.test(credentials) ? undefined : { credentials, method: textOf(map, /^method$/)?.value ?? 'GET' };
}

/** The edit of the header's name in the class of some credentials: of the only one that has their name, in the same package, of which nothing stays. */
function keysMoved(
  plan: Read,
  { code, files, textIn }: Known,
): (asked: { readonly file: string; readonly credentials: string }) => Edit | undefined {
  const packageOf = once(() => packageFolders(files));
  const named = memo((name: string) => {
    const says = new RegExp(String.raw`^\s*(?:public\s+)?name\s*(?::\s*string\s*)?=\s*['"\x60]${name}['"\x60]`, 'm');
    return code.filter((file) => textIn(file).includes(name) && says.test(textIn(file)));
  });
  const edited = once(() =>
    Map.groupBy(
      plan.edits.filter(({ what }) => what === 'header name'),
      ({ file }) => file,
    ),
  );
  const left = once(() => new Set(plan.findings.flatMap(({ code: said, file }) => (besideV2.has(said) ? [] : file))));
  return ({ file, credentials }) => {
    const folder = packageOf()({ file });
    const [script, ...others] = named(credentials).filter((each) => packageOf()({ file: each }) === folder);
    if (script === undefined || others.length > 0 || left().has(script)) return undefined;
    const text = textIn(script);
    const [key, ...more] = edited().get(script) ?? [];
    const isOne = text.match(/\bclass\s/g)?.length === 1 && text.match(ofHeader)?.length === more.length + 1;
    return isOne && key !== undefined && authenticates.test(text.slice(0, key.start)) ? key : undefined;
  };
}

const ofHeader = new RegExp(v1Auth.field, 'gi');
const authenticates = /^\s*(?:async\s+)?authenticate\b/m;

function movedBy(finding: Finding, key: Edit, { method }: Asked, { bases, textIn }: Known): Moving[] {
  const { file, start, end } = finding;
  const text = textIn(file).slice(start, end);
  const found = matchUrl(text, bases, method, { placeholder: anyPlaceholder });
  if (found.kind !== 'ours' || found.versionStart === undefined) return [];
  const [endpoint, ...more] = found.routes;
  if (endpoint === undefined || more.length > 0) return [];
  const at = start + found.versionStart;
  const place = { file, start, end };
  return [
    {
      finding,
      edit: { file, start: at, end: at + 2, text: 'v2', group: key.group, what: 'path' },
      call: {
        ...place,
        endpoint,
        client: 'n8n',
        group: key.group,
        proof: [
          { ...place, step: 'call', text: 'n8n' },
          { ...place, step: 'base', text },
          { file: key.file, start: key.start, end: key.end, step: 'header', text: v1Auth.field },
        ],
      },
    },
  ];
}
