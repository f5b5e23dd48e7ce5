/** Where code takes our base from whoever runs it: files that set the variable have to change with it. */
import type { Given } from '../../evaluate/libraries/given.ts';
import { type EnvValue, optionsOf, type Part, plainText } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';
import { type Directive, findingOf } from '../directive-comments.ts';
import { allowanceOf } from '../named-places.ts';
import type { RequestSite } from '../request-sites.ts';
import type { Bases } from './routes.ts';
import type { Fate, VariableUse } from '../../uses-between-components.ts';

export interface EnvironmentUse extends VariableUse {
  /** Whether its value ends in the version. */
  readonly holdsVersion: boolean;
  /** Whether the calls are proven to be ours; of others it is only known that they stay as they are. */
  readonly isOurs: boolean;
}

/**
 * @param hasOtherHost whether the host of v2 is another one
 */
export function environmentOf(sites: readonly RequestSite[], fateOf: (site: RequestSite) => Fate, hasOtherHost: boolean): EnvironmentUse[] {
  const uses = new Map<string, EnvironmentUse>();
  const ours = new Set(sites.flatMap(({ request, verdict }) => (verdict.kind === 'ours' ? (literalOf(request.url?.[0]) ?? []) : [])));
  const isDefault = (part: Part | undefined): boolean => {
    const literal = literalOf(part);
    return literal !== undefined && ours.has(literal);
  };
  for (const site of sites) {
    const { request, verdict, variable, given } = site;
    if (verdict.kind === 'v2' || (verdict.kind === 'passes-on' && site.isUsed)) continue;
    const own = envOf(request.url?.[0]);
    const isOurs = verdict.kind === 'ours';
    const used = own === undefined ? variable : { value: own, holdsVersion: takesVersion(site) };
    const fate = fateOf(site);
    const allowance = fate.group === undefined ? letAlong(site) : undefined;
    const add = (
      { name, node, module, setting }: Given,
      holdsVersion: boolean,
      kind: { isGiven?: boolean; version?: string; isByDefault?: boolean } = {},
    ): void => {
      uses.set(`${name} ${module.file} ${node.start} ${holdsVersion} ${fate.group}`, {
        name,
        file: module.file,
        start: node.start,
        end: node.end,
        ...module.position(node.start),
        holdsVersion,
        needsValue: holdsVersion || hasOtherHost,
        isByDefault: own === undefined,
        isByTests: own === undefined && variable?.isBesideTests === true,
        hasDefault: isDefault(own?.otherwise?.parts[0]),
        isGiven: false,
        isFixed: !isForPerson(site),
        keys: keyVariablesOf(site),
        ...(allowance && { allowed: findingOf(allowance) }),
        ...(setting !== undefined && { setting }),
        ...kind,
        ...fate,
        isOurs,
      });
    };
    if (used !== undefined) add(used.value, used.holdsVersion);
    // `env.A || env.B || 'https://…'`: each of them may stand in the place of the default.
    for (const other of used === undefined ? [] : site.byDefault) {
      const value = envOf(other.url?.[0]);
      if (value !== undefined && value.name !== used?.value.name) add(value, used?.holdsVersion === true);
    }
    // What is given stands in the place of what was found to be ours, which may be a variable.
    for (const each of given) add(each, each.holdsVersion, { isGiven: true, isByDefault: true });
    // One that is no default is all that names the version.
    const isByDefault = own === undefined && !(verdict.kind === 'ours' && verdict.version === undefined);
    for (const each of site.versions) add(each, true, { version: versionFor(each), isByDefault });
  }
  return [...uses.values()];
}

/** The variables that all keys of a request are read from; none where one is anything else. */
function keyVariablesOf({ keys }: RequestSite): readonly string[] {
  const names = keys.flatMap((entry) => optionsOf(entry.value())).map((each) => (each.type === 'env' ? each.name : undefined));
  return names.every((name) => name !== undefined) ? [...new Set(names)] : [];
}

/** Where the default has the slash before the version, the variable has it, too. */
const versionFor = ({ otherwise }: EnvValue): string =>
  otherwise !== undefined && plainText(otherwise)?.startsWith('/') === true ? '/v2' : 'v2';

/** What asks without a key for something else, such as how the service does. */
export const isForPerson = ({ verdict, mayHoldKey, keys }: RequestSite): boolean =>
  verdict.kind !== 'ours' && !mayHoldKey && keys.length === 0;

/** The comment by which it asks v2 as soon as its variable does. */
export const letAlong = (site: RequestSite): Directive | undefined => (isForPerson(site) ? allowanceOf(site.request) : undefined);

const literalOf = (part: Part | undefined): Node | undefined => (part !== undefined && 'text' in part ? part.source?.node : undefined);

export const envOf = (part: Part | undefined): EnvValue | undefined =>
  part !== undefined && 'unknownPart' in part && part.unknownPart.type === 'env' ? part.unknownPart : undefined;

/** Whether a variable is known to hold one of our addresses where it is read. */
export const holdsOurs = (
  { name, module, node, otherwise }: EnvValue,
  { env, envByDefaults, variablesOfOthers }: Pick<Bases, 'env' | 'envByDefaults' | 'variablesOfOthers'>,
): boolean =>
  (env.has(name) && variablesOfOthers?.get(name)?.has(module.file) !== true) ||
  (otherwise === undefined && envByDefaults?.get(name)?.has(`${module.file}:${node.start}`) === true);

/** Whether the variable that its address begins with holds the version, too. */
export const takesVersion = ({ verdict, versions }: Pick<RequestSite, 'verdict' | 'versions'>): boolean =>
  verdict.kind === 'ours' && verdict.version === undefined && versions.length === 0;
