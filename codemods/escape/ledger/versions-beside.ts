/**
 * Versions that stand alone beside a base of ours, and that a person has to change where nothing is seen to join the two: `TEXTS_VERSION=v1` beside `TEXTS_URL`,
 * `"apiPath": "/v1"` beside `"url"`, `textsVersion: v.picklist(['v1'])` beside `textsUrl`.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { TextRange } from '../../formats/text.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node, PropertyNode } from '../../syntax/tree.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import type { Suspicious } from './suspicious.ts';

/** Those of files that are no scripts. */
export function versionsBeside({ file, text }: SourceText, { v1 }: Bases): TextRange[] {
  const [alone, besideOf] = isEnvFile.test(file) ? [versionAlone, settingsOfService] : isData.test(file) ? [versionInData, siblings] : [];
  if (alone === undefined || besideOf === undefined || !v1.some((base) => text.includes(base))) return [];
  return Array.from(text.matchAll(alone)).flatMap(({ index: start, 0: version }): TextRange[] =>
    isBase(besideOf(text, start), v1) ? [{ start, end: start + version.length }] : [],
  );
}

/** Whether a text has one of our bases, and not with a version behind it, which says then what is asked for. */
const isBase = (text: string, bases: readonly string[]): boolean =>
  bases.some((base) => text.includes(base) && !/^\/v\d/.test(text.slice(text.indexOf(base) + base.length)));

const isEnvFile = /(?:^|\/)\.env(?:\.[\w.-]+)?$|\.env$/;
const versionAlone = /(?<=^\s*(?:export\s+)?\w+=["']?)\/?v1\/?(?=["']?\s*$)|(?<=^\s*#.*\s)\/v1\/?(?=[\s.,;)]|$)/gm;

/** Of a variable all lines whose names begin as its own does up to `_VERSION`, of a comment the line below it. */
function settingsOfService(text: string, at: number): string {
  const [line = '', ...below] = text.slice(text.lastIndexOf('\n', at) + 1).split('\n');
  if (/^\s*#/.test(line)) return below.find((each) => !/^\s*#/.test(each)) ?? '';
  const [, service] = /(\w+?)_(?:API_)?(?:VERSION|PATH|PREFIX)=/.exec(line) ?? [];
  return service === undefined
    ? ''
    : text
        .split('\n')
        .filter((each) => each.replace(/^\s*(?:export\s+)?/, '').startsWith(`${service}_`))
        .join('\n');
}

const isData = /\.(?:jsonc?|ya?ml|toml)$/;
const names = String.raw`[\w-]*(?:version|path|prefix|namespace)`;
const versionInData = new RegExp(
  String.raw`(?<=^[ \t{]*["']?${names}["']?[ \t]*[:=][ \t]*["']?)\/?v1\/?(?=["']?[ \t}]*,?[ \t]*\r?$)`,
  'gim',
);

/** How far in a line stands. */
const depthOf = (line = ''): number => /^[ \t]*/.exec(line)?.[0].length ?? 0;

/** Above and below a setting, in characters. */
const maxMap = 2_000;

/** The lines around one that stand as far in as it does: the same map, as people write it. */
function siblings(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - maxMap), at).split('\n');
  const own = before.length - 1;
  const lines = text.slice(Math.max(0, at - maxMap), at + maxMap).split('\n');
  const depth = depthOf(lines[own]);
  const isInside = (line: string | undefined): line is string => line !== undefined && line.trim() !== '' && depthOf(line) >= depth;
  let [first, last] = [own, own];
  while (isInside(lines[first - 1])) first -= 1;
  while (isInside(lines[last + 1])) last += 1;
  return lines
    .slice(first, last + 1)
    .filter((line) => depthOf(line) === depth && !/^\s*(?:#|\/\/)/.test(line))
    .join('\n');
}

/**
 * Those of scripts, each once: a schema has it as a choice and as the default.
 * @param consumed what requests are made of: of a base among it, it is known what stands behind it
 */
export function versionsBesideBases(ev: Evaluation, { v1 }: Bases, consumed: ReadonlySet<Node>): Suspicious[] {
  const modules = [...ev.world.modules.values()].filter(
    (module) => !isTest(module) && !isData.test(module.file) && v1.some((base) => module.text.includes(base)),
  );
  return modules.flatMap((module) => {
    const found = new Map<PropertyNode, Suspicious>();
    const texts = nodesOfKind(module.tree.program, 'string');
    const bases = texts.filter((node) => isBase(node.value, v1) && !consumed.has(node));
    for (const node of bases.length === 0 ? [] : texts) {
      const property = /^\/?v1\/?$/.test(node.value) ? settingAround(node) : undefined;
      if (property !== undefined && !found.has(property) && isBeside(property, bases))
        found.set(property, { node, module, start: node.start, end: node.end });
    }
    return [...found.values()];
  });
}

const isOfVersion = new RegExp(`^${names}$`, 'i');

/** The setting that a text is a value of, as it stands there or in what checks it. */
function settingAround(node: Node): PropertyNode | undefined {
  for (let at = node; ;) {
    const { parent } = at;
    if (parent?.kind === 'property') return parent.value === at && isOfVersion.test(parent.name ?? '') ? parent : undefined;
    if (parent?.kind !== 'call' && parent?.kind !== 'array' && parent?.kind !== 'logical' && parent?.kind !== 'member') return undefined;
    at = parent;
  }
}

const isBeside = (property: PropertyNode, bases: readonly Node[]): boolean =>
  property.parent?.kind === 'object' &&
  property.parent.properties.some(
    (each) => each !== property && each.kind === 'property' && bases.some(({ start, end }) => each.start <= start && end <= each.end),
  );
