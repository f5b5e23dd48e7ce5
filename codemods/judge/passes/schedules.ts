/** Schedules that stand in no script – of Serverless, SAM, Workers, Vercel, Netlify, Kubernetes – and start what asks us more often than v2 lets it. */
import { posix } from 'node:path';
import type { Ask } from '../../escape/calls/asks.ts';
import { runsPerHour } from '../../escape/limits/cron.ts';
import { pollingDetail } from '../../escape/limits/polling.ts';
import { escaped } from '../../find/words/literals.ts';
import type { Walk } from '../../find/walk.ts';
import type { Data, DataMap, Scalar } from '../../formats/data/tree.ts';
import type { Finding, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import { byPlace } from '../merge.ts';
import { textOf } from '../../run/surroundings.ts';
import { isCodeFile } from '../../find/kinds.ts';

const named =
  /(?:^|\/)(?:(?:serverless|functions)[\w.-]*\.(?:ya?ml|json)|(?:template|sam)[\w.-]*\.(?:ya?ml|json)|wrangler[\w.-]*\.(?:toml|jsonc?)|vercel\.json|netlify\.toml)$/;
const keys = /^(?:schedules?|schedule_?expression|expression|rate|crons?)$/i;

/** @param asks where this service is asked */
export async function withSchedules<P extends Pick<Plan, 'findings'>>(
  plan: P,
  { cwd, files }: Pick<Walk, 'cwd' | 'files'>,
  asks: readonly Ask[],
): Promise<P> {
  const asking = new Set(asks.map(({ file }) => file));
  const found: Finding[] = [];
  for (const { path, kind, aside } of files) {
    const isData = kind === 'yaml' || kind === 'toml' || kind === 'json';
    if (!isData || aside !== undefined || !(named.test(path) || (kind === 'yaml' && asking.has(path)))) continue;
    const text = textOf(cwd, path);
    if (typeof text !== 'string' || !/schedule|cron|rate\(/i.test(text)) continue;
    const textIn = (file: string): string => {
      const read = textOf(cwd, file);
      return typeof read === 'string' ? read : '';
    };
    const { roots } = await parsed(kind, text);
    found.push(...roots.flatMap((root) => findingsIn(root, { path, text, asks, textIn })));
  }
  return found.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...found].toSorted(byPlace) };
}

async function parsed(kind: 'yaml' | 'toml' | 'json', text: string): Promise<{ readonly roots: readonly Data[] }> {
  if (kind === 'yaml') return (await import('../../formats/data/yaml.ts')).parseYaml(text);
  return kind === 'toml'
    ? (await import('../../formats/data/toml.ts')).parseToml(text)
    : (await import('../../formats/data/json.ts')).parseJson(text);
}

interface About {
  readonly path: string;
  readonly text: string;
  readonly asks: readonly Ask[];
  readonly textIn: (file: string) => string;
}

function findingsIn(root: Data, about: About): Finding[] {
  const { path: file, text } = about;
  const position = positionsOf(text);
  const found = schedulesIn(root, []).flatMap(({ when, around, name }): Finding[] => {
    const detail = pollingDetail(runsPerHour(when.value));
    if (detail === undefined || !startsAsking(around, name, about)) return [];
    return [{ code: 'polls', file, start: when.start, end: when.end, ...position(when.start), detail }];
  });
  return found;
}

interface Schedule {
  readonly when: Scalar;
  /** The maps around it, the innermost first. */
  readonly around: readonly DataMap[];
  /** The key that the innermost stands under. */
  readonly name: string;
}

function schedulesIn(data: Data, around: readonly DataMap[], key = '', name = ''): Schedule[] {
  switch (data.kind) {
    case 'map':
      return data.entries.flatMap((entry) => schedulesIn(entry.value, [data, ...around], entry.key.value, key));
    case 'list':
      return data.items.flatMap((item) => schedulesIn(item, around, key, name));
    case 'scalar':
      return keys.test(key) ? [{ when: data, around, name }] : [];
    case 'opaque':
      return [];
  }
}

/** What a schedule starts is named beside it, or around it: the nearest counts. */
function startsAsking(around: readonly DataMap[], name: string, { path, asks, textIn }: About): boolean {
  const folder = posix.dirname(path);
  const [innermost] = around;
  if (innermost !== undefined && asks.some(({ file, start, end }) => file === path && innermost.start <= start && end <= innermost.end))
    return true;
  for (const map of around) {
    const handler = valueOf(map, /^handler$/i);
    if (handler !== undefined) {
      const dot = handler.lastIndexOf('.');
      const stem = posix.join(folder, valueOf(map, /^codeuri$/i) ?? '', handler.slice(0, dot));
      return asksAs(
        asks.filter(({ file }) => stemOf(file) === stemOf(stem)),
        handler.slice(dot + 1),
        textIn,
      );
    }
    const route = valueOf(map, /^path$/i);
    if (route !== undefined) return asks.some(({ file }) => isUnder(folder, file) && `/${stemOf(file)}`.endsWith(stemOf(route)));
    const main = valueOf(map, /^main$/);
    if (main !== undefined) return isScheduled(textIn(posix.join(folder, main)), folder, asks);
  }
  return name !== '' && asks.some(({ file }) => isUnder(folder, file) && stemOf(file).endsWith(`functions/${name}`));
}

const valueOf = ({ entries }: DataMap, key: RegExp): string | undefined => {
  const value = entries.find((entry) => key.test(entry.key.value))?.value;
  return value?.kind === 'scalar' ? value.value : undefined;
};

/** By a function of the file, or one that another is given to make it: `exports.handler = middy(watch).use(logged())`. */
function asksAs(inFile: readonly Ask[], name: string, textIn: About['textIn']): boolean {
  if (inFile.some(({ within }) => within.includes(name) || within.length === 0)) return true;
  const made = new RegExp(`\\b${escaped(name)}\\s*=\\s*(?<by>[\\w$.]+\\((?:(?!=>|\\bfunction\\b)[^;])*);`);
  const names = new Set(inFile.flatMap(({ file }) => made.exec(textIn(file))?.groups?.['by']?.match(/[\w$]+/g) ?? []));
  return inFile.some(({ within }) => within.some((each) => names.has(each)));
}

/** A Worker's `scheduled`, or what it is said to be: `scheduled: drain`. */
function isScheduled(main: string, folder: string, asks: readonly Ask[]): boolean {
  const [, given = 'scheduled'] = /\bscheduled\s*:\s*([\w$]+)\s*[,}\n]/.exec(main) ?? [];
  return asks.some(({ file, within }) => isUnder(folder, file) && (within.includes('scheduled') || within.includes(given)));
}

const isUnder = (folder: string, file: string): boolean => folder === '.' || file.startsWith(`${folder}/`);
/** Without what the file is called in a folder of its own: `app/api/texts/route.ts`, `api/texts/index.js`. */
const stemOf = (file: string): string => file.replace(isCodeFile, '').replace(/\/(?:route|index|\+server)$/, '');
