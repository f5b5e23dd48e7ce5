/** What of a plan a run of jscodeshift may change. */
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { type FileKind, kindOf } from '../../find/kinds.ts';
import type { Call, Edit, Plan } from '../../model.ts';
import { visitsOf } from './runner.ts';
import type { Settings } from './settings.ts';

export interface Selected {
  readonly edits: readonly Edit[];
  readonly left: readonly Left[];
}

/** A group that stays as it is, although it is proven. */
interface Left {
  /** Those of its edits and calls that jscodeshift goes to. */
  readonly files: readonly string[];
  readonly reason: string;
}

interface Group {
  readonly calls: readonly Call[];
  readonly edits: readonly Edit[];
  readonly files: readonly string[];
}

/** Groups are taken whole: with all of their files, and with the files that set the variables they depend on. */
export function select({ edits, calls }: Plan, settings: Settings): Selected {
  const visits = visitsOf(settings);
  const variables = variablesIn(
    edits.filter(({ file }) => !unread.has(kindOf(basename(file)))),
    settings,
  );
  const taken: Edit[] = [];
  const left: Left[] = [];
  for (const [id, own] of Map.groupBy(edits, ({ group }) => group)) {
    const files = [...new Set(own.map(({ file }) => file))];
    const group: Group = { calls: calls.filter((call) => call.group === id), edits: own, files };
    const told = [...new Set([...files, ...group.calls.map(({ file }) => file)])].filter(visits);
    // Variables, configuration and documents, or calls of others: not what this transform is for.
    if (told.length === 0 || !isAbout(group, settings)) continue;
    const reason = othersIn(group, settings) ?? unseenIn(group, files.filter(visits), settings) ?? carriedBy(group, variables, settings);
    if (reason === undefined) taken.push(...own);
    else left.push({ files: told, reason });
  }
  return { edits: taken, left };
}

const isAbout = ({ calls }: Group, { clients }: Settings): boolean =>
  clients === undefined || calls.some(({ client }) => clients.includes(client));

function othersIn({ calls }: Group, { clients }: Settings): string | undefined {
  const others = calls.filter(({ client }) => clients?.includes(client) === false).map(({ client }) => client);
  return others.length === 0 ? undefined : `calls of ${listed(others)} change with it: use the transform "all"`;
}

function unseenIn({ files }: Group, seen: readonly string[], { paths }: Settings): string | undefined {
  const unseen = files.filter((file) => !seen.includes(file));
  if (unseen.length > 0) return `${listed(unseen)} would have to change with it: give jscodeshift that, too, or run npx migrate-v2`;
  if (paths !== undefined || files.length === 1) return undefined;
  return `${listed(files)} have to change together, and it cannot be known that jscodeshift goes to all: say what you give it with --paths=…`;
}

/** Kinds of files in which no program finds its settings. */
const unread: ReadonlySet<FileKind | 'bare' | undefined> = new Set(['script', 'component', 'markdown', 'http', 'bare']);

interface Variable {
  readonly name: string;
  readonly file: string;
}

/** Names under which files that jscodeshift does not go to hold what the plan changes in them: `API_URL=…`, `"apiUrl": …`. */
function variablesIn(edits: readonly Edit[], { cwd }: Settings): Variable[] {
  return edits.flatMap(({ file, start }): Variable[] => {
    const [line] = readFileSync(resolve(cwd, file), 'utf8')
      .slice(0, start)
      .split(/[\r\n]/)
      .slice(-1);
    const name = /([A-Za-z_][\w-]*)['"]?\s*[:=][^:=]*(?::\/\/.*)?$/.exec(line ?? '')?.[1];
    return name === undefined ? [] : [{ name, file }];
  });
}

/** A variable that holds our base changes with the code that reads it. */
function carriedBy({ calls, files }: Group, variables: readonly Variable[], { cwd }: Settings): string | undefined {
  if (variables.length === 0) return undefined;
  const through = new Set([...files, ...calls.flatMap(({ proof }) => proof.map(({ file }) => file))]);
  const texts = [...through].map((file) => readFileSync(resolve(cwd, file), 'utf8'));
  const found = variables.filter(({ name }) => texts.some((text) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text)));
  const where = listed(found.map(({ file }) => file));
  return found.length === 0 ? undefined : `${where} has to change with it, where jscodeshift does not go: run npx migrate-v2`;
}

const listed = (names: readonly string[]): string => [...new Set(names)].join(', ');
