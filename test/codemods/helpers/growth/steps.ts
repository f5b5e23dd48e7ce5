/** What the analysis of a program takes, in steps. */
import { posix } from 'node:path';
import { analyse } from '../../../../codemods/component/analyse.ts';
import { loadEngines } from '../../../../codemods/engines/choose.ts';
import { sourceModule } from '../../../../codemods/evaluate/module.ts';
import type { Files } from './programs.ts';
import { searchedIn } from './searched.ts';

const engines = await loadEngines();
const bases = { v1: ['https://api.example.com'], v2: undefined, env: new Set<string>() };

export const stepsOf = (files: Files): number => analysed(files)().costs.steps;
/** See `searchedIn`. Reading the files is not counted, which no question is asked for. */
export const searchesOf = (files: Files): number => searchedIn(analysed(files));

function analysed(files: Files): () => ReturnType<typeof analyse> {
  const modules = new Map(Object.entries(files).map(([file, text]) => [file, sourceModule(file, text, engines.parse(file, text).tree)]));
  const world = { modules, resolve: (_: unknown, specifier: string) => modules.get(posix.normalize(specifier)) };
  return () =>
    analyse(world, bases, {
      isCandidate: () => true,
      isAdvised: () => true,
      isFollowed: () => true,
      isGenerated: () => false,
      unseen: new Map(),
      isBaseNear: true,
    });
}

export const bytesOf = (files: Files): number => Object.values(files).reduce((sum, text) => sum + text.length, 0);
