/** What a schema of GraphQL, as code has it, tells people of a call of the service by its name goes with the call, once nothing at all is left on v1. */
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { type Mention, movedBy, readerOf } from '../../escape/ledger/mentions.ts';
import { sentencesIn } from '../../escape/ledger/sentences.ts';
import { namesOfService, tiesToService } from '../../escape/ledger/service-names.ts';
import { ofSentences } from '../../escape/ledger/words.ts';
import { coverOf } from '../../formats/text.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Edit, Finding, LedgerEntry, Plan } from '../../model.ts';
import { lineAt } from '../../syntax/position.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { besideV2 } from '../beside-v2.ts';
import { byPlace } from '../merge.ts';
import type { Moved } from '../moved.ts';
import { isCodeOrPage } from '../../find/kinds.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

interface Known {
  /** All that is moved, by this run or one before. */
  readonly moved: readonly Moved[];
  readonly bases: Bases;
  /** Files that imports join. */
  readonly components: readonly (readonly { readonly file: string }[])[];
  /** Files that hold a literal of v1. */
  readonly suspects: readonly { readonly path: string }[];
  readonly failures: readonly Finding[];
  readonly files: readonly FoundFile[];
  /** The text of a file. */
  readonly textIn: (file: string) => string;
}

export function withMovedDescriptions<P extends Read>(plan: P, { moved, bases, components, suspects, failures, files, textIn }: Known): P {
  const open = plan.findings.filter(({ code, detail, file }) => code === 'mentioned' && !('how' in detail) && !isTest({ file }));
  const stays = [...plan.findings, ...failures].filter((each) => !besideV2.has(each.code) && !isTest(each) && !isSentences.test(each.file));
  const schemas = open.length === 0 || moved.length === 0 || stays.length > 0 ? [] : schemasIn(plan.ledger, open, textIn);
  if (schemas.length === 0) return plan;
  const mentionsOf = readerOfSchemas(bases);
  const askedIn = new Map(components.flatMap((own) => own.map(({ file }) => [file, own] as const)));
  // What is made from a schema, or expected of it, has its descriptions, too.
  const isElsewhere = (file: string, line: string): boolean => suspects.some(({ path }) => path !== file && textIn(path).includes(line));
  const scripts = files.flatMap(({ path, aside }) =>
    aside === undefined && isCodeOrPage.test(path) && !isTest({ file: path }) ? path : [],
  );
  const isRead = readIn(scripts, schemas, textIn);
  const edits = new Map(
    schemas.flatMap((schema): (readonly [Finding, readonly Edit[]])[] => {
      const { file, start, end } = schema.entry;
      const text = textIn(file);
      const own = new Set(askedIn.get(file)?.map((each) => each.file));
      const asked = new Set<V1EndpointId>(moved.flatMap((each) => (own.has(each.file) ? each.endpoint : [])));
      const mentions = mentionsOf(text.slice(start, end)).map((mention) => movedBy(mention, start));
      const isMoved = (mention: Mention): boolean =>
        mention.endpoints.some((each) => asked.has(each)) && !isElsewhere(file, lineAt(text, mention.start).trim());
      if (!mentions.every(isMoved) || isRead(schema)) return [];
      const all = mentions.flatMap(({ replacements }) => replacements.map((each) => ({ file, ...each, group: `${file}:descriptions` })));
      return all.length === 0 ? [] : [[schema.finding, all]];
    }),
  );
  const gone = new Set(schemas.flatMap(({ entry, finding }) => (edits.has(finding) ? entry : [])));
  return {
    ...plan,
    edits: [...plan.edits, ...[...edits.values()].flat()].toSorted(byPlace),
    findings: plan.findings.filter((each) => !edits.has(each)),
    ledger: plan.ledger.map((entry): LedgerEntry => (gone.has(entry) ? { ...entry, state: 'rewritten', reason: 'path' } : entry)),
  };
}

const isSentences = /\.mdx?$/;

interface Schema {
  readonly entry: LedgerEntry;
  readonly finding: Finding;
  /** What it is kept as. */
  readonly name: string | undefined;
}

/**
 * Tells the schemas that a program may go by while it runs: it reads descriptions where it goes through a schema, or the text of this one.
 * @param scripts files of programs
 */
function readIn(scripts: readonly string[], schemas: readonly Schema[], textIn: (file: string) => string): (schema: Schema) => boolean {
  const texts = scripts.map((file) => textIn(file).replaceAll(ofDescriptions, ' '));
  const readers = texts.filter((text) => readsDescription.test(text));
  if (readers.some((text) => goesThrough.test(text))) return () => true;
  const names = schemas.flatMap(({ name }) => name ?? []);
  const named = new Set(
    [...readers, ...texts.filter((text) => readsText.test(text))].flatMap((text) => {
      const words = new Set(text.match(/[A-Za-z_$][\w$]*/g));
      return names.filter((name) => words.has(name));
    }),
  );
  return ({ name }) => name !== undefined && named.has(name);
}

const ofDescriptions = /"""[^]*?"""/g;
const readsDescription = /(?:\.|\[['"])description\b|\bdescription\b[^{}\n]*\}\s*(?:=|\)|of\b)/;
const goesThrough =
  /\b(?:getTypeMap|getFields|getQueryType|getMutationType|astNode|definitions|buildASTSchema|buildSchema|makeExecutableSchema|introspectionFromSchema|getIntrospectionQuery|mapSchema|visit)\b/;
const readsText = /\bprint(?:Schema\w*|Type|SourceText)?\(|\.(?:loc|source|body)\b|\.(?:exec|match|matchAll|split|replace|replaceAll)\(/;

/** The literals of schemas that are told of, each the only one of its file: one finding speaks for all of them. */
function schemasIn(ledger: readonly LedgerEntry[], findings: readonly Finding[], textIn: (file: string) => string): Schema[] {
  const told = Map.groupBy(findings, ({ file }) => file);
  const entries = Map.groupBy(
    ledger.filter(({ file, reason }) => reason === 'mentioned' && told.has(file)),
    ({ file }) => file,
  );
  return [...entries].flatMap(([file, [entry, ...others]]): Schema[] => {
    const [finding, ...more] = told.get(file) ?? [];
    if (entry === undefined || finding === undefined || others.length + more.length > 0) return [];
    const text = textIn(file);
    const before = text.slice(Math.max(0, entry.start - longestTag), entry.start);
    const isSchema = /\b(?:gql|graphql)\s*$/.test(before);
    const [, name] = /([A-Za-z_$][\w$]*)\s*=\s*(?:gql|graphql)\s*$/.exec(before) ?? [];
    // What is put together, or has an escape, is not read.
    return isSchema && !/\$\{|\\/.test(text.slice(entry.start, entry.end)) ? [{ entry, finding, name }] : [];
  });
}

const longestTag = 100;

/** @returns the routes that the descriptions of a schema say to be the service's; none where it says more than these */
function readerOfSchemas(bases: Bases): (schema: string) => readonly Mention[] {
  const withoutNames = namesOfService(bases, '');
  const read = readerOf(bases, { withoutNames, more: ofSentences });
  const around = {
    withoutNames,
    isTied: tiesToService(bases, ''),
    isOfOne: false,
    isOfOneServer: false,
    isAtRoot: true,
  };
  return (schema) => {
    const descriptions = Array.from(schema.matchAll(/"""([^]*?)"""/g), ({ index, 1: said = '' }) => ({ start: index + 3, said }));
    const sentences = descriptions.flatMap(({ start, said }) =>
      sentencesIn(said, read, around).flatMap((each) =>
        each.isNamed === true ? { start: start + each.start, end: start + each.end } : [],
      ),
    );
    const { mentions } = read(schema);
    return mentions.every(coverOf(sentences)) ? mentions : [];
  };
}
