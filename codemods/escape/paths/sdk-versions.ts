/** Clients of packages that are told by name to speak v1: nothing of theirs is read, so only a person can move them. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Finding } from '../../model.ts';
import { once } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, ObjectNode, PropertyNode } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { type Bases, matchUrl, namingOurs } from '../../verdict/bases/routes.ts';

const versioned = /\b(?:api_?)?version["']?\s*:\s*["'`]\/?v1["'`]/i;
const version = /^(?:api_?)?version$/i;
const key = /api_?key|^key$|token/i;

/** Whether a file without anything suspicious may hold one. */
export const mayNameVersion = (text: string): boolean => versioned.test(text);

/** @param isBaseNear whether a base of ours is among what was read: where programs do not have it, it takes the key of one of our calls */
export function sdkVersions(ev: Evaluation, sites: readonly RequestSite[], bases: Bases, isBaseNear: boolean): Finding[] {
  if (bases.v1.length === 0) return [];
  const ours = sites.filter(({ verdict }) => verdict.kind !== 'foreign');
  const sent = new Set(
    ours.flatMap(({ keys, authorizations }) => [...keys, ...authorizations].flatMap(({ value }) => variablesIn(value()))),
  );
  const modules = [...ev.world.modules.values()];
  // What tests make up is no address of a program: many have a host that nobody has.
  const namesOurs = namingOurs(bases);
  const isNear = once(() => isBaseNear && modules.some((module) => !isTest(module) && namesOurs(module.text)));
  return modules.flatMap((module) =>
    !mayNameVersion(module.text)
      ? []
      : nodesOfKind(module.tree.program, 'property').flatMap((node): Finding[] => {
          const object = versionIn(node);
          const call = object?.parent;
          if (object === undefined || call?.kind !== 'call' || !isOfPackage(ev, call, module) || isForOthers(object, bases)) return [];
          const given = object.properties.find((entry): entry is PropertyNode => entry.kind === 'property' && key.test(entry.name ?? ''));
          if (given === undefined) return [];
          const names = variablesIn(ev.evaluate(given.value, { module, frame: undefined }));
          const isKnown = names.some((name) => sent.has(name));
          // A key of another name is another's, where it is seen what ours is called.
          if (!isKnown && (!isNear() || (names.length > 0 && sent.size > 0))) return [];
          const { keyStart: start, end } = node;
          return [{ code: 'unconsumed', file: module.file, start, end, ...module.position(start), detail: {} }];
        }),
  );
}

function versionIn({ name = '', value, parent }: PropertyNode): ObjectNode | undefined {
  const isFirst = version.test(name) && value.kind === 'string' && /^\/?v1$/i.test(value.value);
  return isFirst && parent?.kind === 'object' ? parent : undefined;
}

/** What is written here is read as code. */
const isOfPackage = (ev: Evaluation, { callee }: CallNode, module: SourceModule): boolean =>
  optionsOf(ev.evaluate(callee, { module, frame: undefined })).every(({ type }) => type === 'external' || type === 'unknown');

const isForOthers = (object: ObjectNode, bases: Bases): boolean =>
  object.properties.some(
    (entry) => entry.kind === 'property' && entry.value.kind === 'string' && matchUrl(entry.value.value, bases).kind === 'foreign',
  );

const variablesIn = (value: Value): string[] =>
  optionsOf(value).flatMap((option) => {
    const parts = option.type === 'text' ? option.parts.flatMap((part) => ('unknownPart' in part ? [part.unknownPart] : [])) : [option];
    return parts.flatMap((part) => (part.type === 'env' ? part.name : []));
  });
