/** What the analysis of a program takes, in steps. */
import { posix } from 'node:path';
import { analyse } from '../../../../codemods/component/analyse.ts';
import { loadEngines } from '../../../../codemods/engines/choose.ts';
import { sourceModule } from '../../../../codemods/evaluate/module.ts';
import type { Files } from './programs.ts';

const engines = await loadEngines();
const bases = { v1: ['https://api.example.com'], v2: undefined, env: new Set<string>() };

export function stepsOf(files: Files): number {
  const modules = new Map(Object.entries(files).map(([file, text]) => [file, sourceModule(file, text, engines.parse(file, text).tree)]));
  const world = { modules, resolve: (_: unknown, specifier: string) => modules.get(posix.normalize(specifier)) };
  return analyse(world, bases, {
    isCandidate: () => true,
    isAdvised: () => true,
    isFollowed: () => true,
    isGenerated: () => false,
    unseen: new Map(),
    isBaseNear: true,
  }).costs.steps;
}

export const bytesOf = (files: Files): number => Object.values(files).reduce((sum, text) => sum + text.length, 0);
