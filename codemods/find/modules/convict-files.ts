/**
 * The files that a script lays over the settings of convict: https://github.com/mozilla/node-convict. Of most names only a part is written, as there is one for
 * each environment: `config.loadFile(`./config/${env}.json`)`. What is put there is `*`; all files that a name may mean are those that there are.
 */
import { posix } from 'node:path';
import { started } from './open-imports.ts';
import { partsAt, pathOf } from './written-paths.ts';

interface LoadedFile {
  /** Where it is loaded. */
  readonly start: number;
  readonly end: number;
  /** As an import would name it, or behind `cwd:`. */
  readonly specifier: string;
}

interface LoadedFiles {
  readonly files: readonly LoadedFile[];
  /** Whether as much of the names of all is written as says where they are. */
  readonly isWhole: boolean;
}

export function loadedFilesIn(script: string): LoadedFiles {
  if (!script.includes('.loadFile(')) return { files: [], isWhole: true };
  const named = Array.from(script.matchAll(/\.loadFile\(/g)).flatMap(({ index: start, 0: call }) => {
    const from = start + call.length;
    const [path = ''] = partsAt(script, from, ',');
    const paths = path.startsWith('[') ? partsAt(path, 1, ',') : [path];
    return paths.map((each) => ({ start, end: script.indexOf(path, from) + path.length, specifier: specifierOf(each, script) }));
  });
  const files = named.flatMap(({ specifier, ...place }) => (specifier === undefined ? [] : { ...place, specifier }));
  return { files, isWhole: files.length === named.length };
}

const data = /^[\w./*-]*[\w*-]\.(?:json|ya?ml|toml)$/;

function specifierOf(written: string, script: string): string | undefined {
  const path = pathOf(written, script);
  // What several parts stand for is one; which folder it is has to be written.
  const name = posix.normalize(path.name.replace(/\*[^/]*\*/, '*'));
  if (!data.test(name) || /\*.*[*/]/.test(name)) return undefined;
  if (path.from === 'program') return started + name;
  return name.startsWith('../') ? name : `./${name}`;
}
