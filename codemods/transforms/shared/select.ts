/** What of a plan a run of jscodeshift may change. */
import { basename } from 'node:path';
import { kindOf } from '../../find/kinds.ts';
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

/** Groups are taken whole: with all of their files. */
export function select({ edits, calls }: Plan, settings: Settings): Selected {
  const visits = visitsOf(settings);
  const taken: Edit[] = [];
  const left: Left[] = [];
  for (const [id, own] of Map.groupBy(edits, ({ group }) => group)) {
    const files = [...new Set(own.map(({ file }) => file))];
    const group: Group = { calls: calls.filter((call) => call.group === id), edits: own, files };
    const told = [...new Set([...files, ...group.calls.map(({ file }) => file)])].filter(visits);
    // Documents and requests beside the code, or calls of others: not what this transform is for.
    if (told.length === 0 || !isAbout(group, settings)) continue;
    const reason = othersIn(group, settings) ?? unseenIn(group, files.filter(visits), settings);
    if (reason === undefined) taken.push(...own);
    else left.push({ files: told, reason });
  }
  return { edits: taken, left };
}

const isAbout = ({ calls }: Group, { clients }: Settings): boolean =>
  clients === undefined || calls.some(({ client }) => clients.includes(client));

function othersIn({ calls }: Group, { clients }: Settings): string | undefined {
  const others = calls.filter(({ client }) => clients?.includes(client) === false).map(({ client }) => client);
  return others.length === 0 ? undefined : `calls of ${listed(others)} change with it: name all in --clients, or none`;
}

function unseenIn({ files }: Group, seen: readonly string[], { paths }: Settings): string | undefined {
  const beside = files.filter((file) => kindOf(basename(file)) !== 'script');
  if (beside.length > 0) return `${listed(beside)} has to change with it, where jscodeshift does not go: run npx migrate-v2`;
  const unseen = files.filter((file) => !seen.includes(file));
  if (unseen.length > 0) return `${listed(unseen)} would have to change with it: give jscodeshift that, too, or run npx migrate-v2`;
  if (paths !== undefined || files.length === 1) return undefined;
  return `${listed(files)} have to change together, and it cannot be known that jscodeshift goes to all: say what you give it with --paths=…`;
}

const listed = (names: readonly string[]): string => [...new Set(names)].join(', ');
