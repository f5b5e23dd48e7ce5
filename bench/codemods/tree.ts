/** Writes a tree of source files with a known number of v1 calls; the same seed gives the same tree. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { callingCode, lookalike, sharedModule, sharedNames } from './calls.ts';
import type { Planted } from './calls.ts';
import { camel, filler, nameOf } from './filler.ts';
import type { Dialect, Pen } from './filler.ts';
import { seeded } from './random.ts';
import type { Random } from './random.ts';

/** Which files call v1: none, every fifth of one package in twenty (1 %), or all. */
export const densities = ['clean', 'sparse', 'dense'] as const;
export type Density = (typeof densities)[number];

export interface TreeOptions {
  readonly files: number;
  readonly density: Density;
  readonly seed: number;
  /** Whether each package imports from the one before, so that every file is joined to every other; else packages stand alone. */
  readonly connected: boolean;
}

/** What the tree holds, so that a run can be checked against it. */
export interface Tree {
  readonly files: number;
  readonly bytes: number;
  /** Places that call v1. */
  readonly calls: number;
  /** Files with such places. */
  readonly callers: number;
  /** Files that look alike and are another vendor's. */
  readonly lookalikes: number;
}

const packageSize = 100;
const groupSize = 20;
const sparsePackages = 20;
const lookalikeEvery = 400;

type Extension = 'ts' | 'tsx' | 'js' | 'jsx';
const extensions: readonly Extension[] = ['ts', 'ts', 'ts', 'ts', 'ts', 'tsx', 'tsx', 'tsx', 'js', 'js', 'js', 'jsx'];
const folders = ['', '', 'lib', 'lib/parts', 'views', 'views/detail', 'hooks'];

interface Module {
  readonly path: string;
  readonly extension: Extension;
  readonly role: 'plain' | 'shared' | 'caller' | 'lookalike';
  /** What it exports for its neighbours. */
  readonly exported: string;
}

/**
 * @param root an empty folder
 * @throws what the file system throws
 */
export function writeTree(root: string, options: TreeOptions): Tree {
  const random = seeded(options.seed);
  const modules = Array.from({ length: options.files }, (_, index) => moduleOf(index, options.density, random));
  let [bytes, calls] = [0, 0];
  for (const [index, module] of modules.entries()) {
    const { text, calls: planted } = source(
      module,
      sharedOf(modules, index, options.density),
      neighbours(modules, index, options, random),
      random,
    );
    write(root, module.path, text);
    bytes += Buffer.byteLength(text);
    calls += planted;
  }
  writeIgnored(root, options, random);
  const count = (...roles: Module['role'][]): number => modules.filter(({ role }) => roles.includes(role)).length;
  return { files: options.files, bytes, calls, callers: count('shared', 'caller'), lookalikes: count('lookalike') };
}

function moduleOf(index: number, density: Density, random: Random): Module {
  const [group, place] = [Math.floor(index / groupSize), index % groupSize];
  const role = roleOf(index, density);
  const extension = role === 'shared' ? random.pick<Extension>(['ts', 'ts', 'js']) : random.pick(extensions);
  const name =
    role === 'shared'
      ? 'api-config'
      : `${nameOf(random)
          .replace(/\B[A-Z]/, (letter) => `-${letter}`)
          .toLowerCase()}-${place}`;
  const packageFolder = `packages/area-${Math.floor(index / packageSize)}/src/feature-${group}`;
  const folder = role === 'shared' ? '' : random.pick(folders);
  return {
    path: posix.join(packageFolder, folder, `${name}.${extension}`),
    extension,
    role,
    exported: `describe${nameOf(random)}${index}`,
  };
}

function roleOf(index: number, density: Density): Module['role'] {
  if (density === 'dense') return index % groupSize === 0 ? 'shared' : 'caller';
  if (density === 'sparse' && Math.floor(index / packageSize) % sparsePackages === 0 && index % 5 === 0) {
    return index % packageSize === 0 ? 'shared' : 'caller';
  }
  return index % lookalikeEvery === lookalikeEvery - 1 ? 'lookalike' : 'plain';
}

/** The shared module of a file that calls: its group's where all files call, else its package's. */
function sharedOf(modules: readonly Module[], index: number, density: Density): Module | undefined {
  const size = density === 'dense' ? groupSize : packageSize;
  return modules[index - (index % size)];
}

/** One to three earlier files of the package: mostly from the same group, at times from the one before. */
function neighbours(modules: readonly Module[], index: number, { connected }: TreeOptions, random: Random): Module[] {
  const reach = Math.min(connected ? index : index % packageSize, groupSize);
  if (reach === 0) return [];
  const chosen = Array.from({ length: 1 + random.below(3) }, () => modules[index - 1 - random.below(reach)]);
  return [...new Set(chosen)].filter((module) => module !== undefined);
}

function source(module: Module, shared: Module | undefined, imports: readonly Module[], random: Random): { text: string; calls: number } {
  const dialect: Dialect = { typed: module.extension.startsWith('ts'), jsx: module.extension.endsWith('x') };
  const pen: Pen = { ...dialect, random, fresh: freshNames(random) };
  const planted = plantedIn(module.role, pen);
  const body = filler(pen, 85 + random.below(75));
  const head = [
    ...planted.packages.map((name) => `import ${name} from '${name}';`),
    ...(dialect.jsx ? ["import { useMemo, useState } from 'react';"] : []),
    ...(shared !== undefined && planted.names.length > 0 ? [importLine(module, shared, planted.names)] : []),
    ...imports.map((neighbour) => importLine(module, neighbour, [neighbour.exported])),
  ];
  const text = [...head, '', ...body, ...planted.lines, ...ownExport(module, imports, dialect)].join('\n');
  return { text: `${text}\n`, calls: planted.calls };
}

function plantedIn(role: Module['role'], pen: Pen): Planted {
  if (role === 'shared') return sharedModule(pen);
  if (role === 'caller') return callingCode(pen);
  if (role === 'lookalike') return lookalike(pen);
  return { lines: [], calls: 0, names: [], packages: [] };
}

/** Uses what was imported, so that no import is idle. */
function ownExport({ exported }: Module, imports: readonly Module[], { typed }: Dialect): string[] {
  const parts = [`'${camel(exported.slice('describe'.length))}'`, ...imports.map((neighbour) => `${neighbour.exported}()`)];
  return [`export function ${exported}()${typed ? ': string' : ''} {`, `  return [${parts.join(', ')}].join(' < ');`, '}'];
}

/** As each dialect's users write it: without extension in TypeScript, with it in JavaScript. */
function importLine(from: Module, to: Module, names: readonly string[]): string {
  const relative = posix.relative(posix.dirname(from.path), to.path);
  const specifier = relative.startsWith('.') ? relative : `./${relative}`;
  return `import { ${names.join(', ')} } from '${from.extension.startsWith('ts') ? specifier.replace(/\.\w+$/, '') : specifier}';`;
}

function freshNames(random: Random): () => string {
  const taken = new Set<string>(sharedNames);
  return () => {
    const name = nameOf(random);
    const free = taken.has(name) ? `${name}${taken.size}` : name;
    taken.add(free);
    return free;
  };
}

/** What the files import, as every project has it: what no package.json asks for may be a package of the project's own. */
const dependencies = { axios: '^1.13.0', got: '^14.6.0', react: '^19.2.0' };

/** Build output and packages, which hold calls too and must not be counted: ignored at the root and in some folders of their own. */
function writeIgnored(root: string, { files }: TreeOptions, random: Random): void {
  write(root, '.gitignore', 'node_modules/\ndist/\ncoverage/\n');
  write(root, 'package.json', `${JSON.stringify({ name: 'tree', private: true, type: 'module', dependencies })}\n`);
  for (let index = 0; index < files; index += packageSize) {
    const area = `packages/area-${index / packageSize}`;
    const pen: Pen = { typed: false, jsx: false, random, fresh: freshNames(random) };
    const output = [...filler(pen, 100), ...sharedModule(pen).lines].join('\n');
    write(root, `${area}/dist/index.js`, output);
    write(root, `${area}/dist/lib/index.js`, output);
    write(root, `${area}/.gitignore`, '# The package has no snapshots but one.\n*.snap\n!keep.snap\n');
  }
  write(root, 'node_modules/left/index.js', "module.exports = 'left';\n");
}

function write(root: string, path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
