/**
 * A version that is the default of a variable in several places, `process.env.API_VERSION || 'v1'`, of which requests are made with some: where nobody sets the
 * variable all say the same, so that all move, or none.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import { ignoredAt } from '../directive-comments.ts';
import { placesOf, type RequestSite } from '../request-sites.ts';
import type { Change } from './spans.ts';

interface Default extends Change {
  /** Of the variable. */
  readonly name: string;
  readonly isAsked: boolean;
}

export function withRepeatedDefaults(ev: Evaluation, sites: readonly RequestSite[]): readonly RequestSite[] {
  const asked = new Set(sites.flatMap((site) => placesOf(site).map(({ node }) => node)));
  const defaults = [...ev.world.modules.values()].flatMap((module) => (isTest(module) ? [] : defaultsIn(ev, module, asked)));
  if (defaults.every(({ isAsked }) => isAsked)) return sites;
  return sites.map((site) => {
    const names = new Set(site.changes.flatMap((change) => defaults.find((each) => isAt(each, change))?.name ?? []));
    const beside = defaults.filter(({ name, isAsked }) => !isAsked && names.has(name));
    return beside.length === 0 ? site : { ...site, changes: [...site.changes, ...beside] };
  });
}

const isAt = (one: Change, { module, start, end }: Change): boolean => one.module === module && one.start <= start && end <= one.end;

const defaultsIn = (ev: Evaluation, module: SourceModule, asked: ReadonlySet<unknown>): Default[] =>
  nodesOfKind(module.tree.program, 'string').flatMap((node): Default[] => {
    const { parent } = node;
    const isDefault = parent?.kind === 'logical' && parent.right === node && parent.operator !== '&&' && /^\/?v1\/?$/.test(node.value);
    const start = node.start + node.quote.length + node.value.indexOf('v1');
    const end = start + 'v1'.length;
    if (!isDefault || module.text.slice(start, end) !== 'v1' || ignoredAt(module, node.start, node.end) !== undefined) return [];
    const { value } = ev.budget.question({ node, module }, () => ev.evaluate(parent.left, { module, frame: undefined }));
    if (value.type !== 'env' || value.isStored === true) return [];
    return [{ module, start, end, text: 'v2', what: 'path', name: value.name, isAsked: asked.has(node) }];
  });
