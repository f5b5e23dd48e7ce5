/** What a schema demands of settings, and no longer finds in them: `version: z.literal('v1')`, `pattern: '/v1$'` beside a default that moves. */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Edit, Finding } from '../../model.ts';
import type { Node } from '../../syntax/tree.ts';
import { limitedToV1 } from '../../verdict/bases/choices.ts';
import { placesOf, type RequestSite } from '../../verdict/request-sites.ts';
import { type Bases, matchUrl } from '../../verdict/bases/routes.ts';
import { isV2Alone, isVersionAlone } from '../answers/old-types.ts';

/** A program that reads its settings by such a schema would not start any more. What was moved before counts as what is moved now. */
export function versionsLeftInSchemas(
  modules: Iterable<SourceModule>,
  edits: readonly Edit[],
  sites: readonly RequestSite[],
  bases: Bases,
): Finding[] {
  const moved = Map.groupBy(edits, ({ file }) => file);
  const all = [...modules];
  const onV2 = sites.flatMap((site) => (site.verdict.kind === 'v2' ? placesOf(site) : []));
  const versions = new Set([
    ...all.flatMap((module) => (moved.get(module.file) ?? []).flatMap((edit) => nameOfVersion(module, edit))),
    ...onV2.flatMap(({ node }) => (isV2Alone(node) ? nameAround(node) : [])),
  ]);
  return all.flatMap((module) => {
    if (isTest(module)) return [];
    const own = moved.get(module.file) ?? [];
    const isEdited = ({ start, end }: Pick<Edit, 'start' | 'end'>): boolean => own.some((edit) => start <= edit.start && edit.end <= end);
    const isOnV2 = (node: Node): boolean =>
      isEdited(node) || (node.kind === 'string' && matchUrl(node.value, bases).kind === 'ours' && /\/v2\/?$/.test(node.value));
    const isLeft = (node: Node): boolean => {
      const { parent } = node;
      if (parent?.kind !== 'property' || parent.name !== 'pattern')
        return !hasDefault(node, module) && nameAround(node).some((name) => versions.has(name));
      const around = parent.parent?.kind === 'object' ? parent.parent.properties : [];
      return around.some((each) => each.kind === 'property' && each.name === 'default' && isOnV2(each.value));
    };
    return limitedToV1(module).flatMap((node): Finding[] => {
      const { start, end } = node;
      if (!isLeft(node) || isEdited(node)) return [];
      return [{ code: 'repeats-path', file: module.file, start, end, ...module.position(start), detail: {} }];
    });
  });
}

/** `z.enum(['v1']).default('v1')`: the two stay or move together. */
function hasDefault(node: Node, { text }: SourceModule): boolean {
  let at = node;
  while (at.parent !== undefined && at.parent.kind !== 'property' && at.parent.kind !== 'function' && at.parent.kind !== 'variable')
    at = at.parent;
  return /\.default\(/.test(text.slice(at.start, at.end));
}

/** What a version that is a text of its own is called, where it is put under a name. */
function nameOfVersion(module: SourceModule, edit: Edit): string[] {
  if (!isVersionAlone({ ...edit, module })) return [];
  const node = module.texts.find(({ start, end }) => start < edit.start && edit.end < end);
  return node === undefined ? [] : nameAround(node);
}

/** Where choices stand beside a default, they are settled with that. */
const ofSchemas = /^(?:default|enum|literal|valid|only|equal|oneOf|picklist|union|choices|format)$/;

/** The property that a version, or a choice of a schema, stands in: `version: z.literal('v1')`. */
function nameAround(node: Node): string[] {
  let at: Node | undefined = node;
  while (at !== undefined && at.kind !== 'property' && at.kind !== 'function') at = at.parent;
  return at?.kind === 'property' && at.name !== undefined && !ofSchemas.test(at.name) ? [at.name] : [];
}
