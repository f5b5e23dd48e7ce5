/**
 * Modules of AMD: `define(['jquery', 'models/contact'], function ($, Contact) {…})`, https://github.com/amdjs/amdjs-api/wiki/AMD. Such a name is
 * looked for below one folder of the whole page, wherever it stands: https://requirejs.org/docs/api.html#config.
 */
import { join, posix } from 'node:path';
import { memo } from '../../once.ts';
import { textsIn, withoutComments } from '../files/repository.ts';
import { escaped } from '../words/literals.ts';

/** Stands before a name of AMD, as such a name is looked for otherwise than one of `import`: nobody writes it. */
export const ofAmd = 'amd:';

/** What is no module of its own where a `define` asks for it. */
export const partsOfModules: ReadonlySet<string> = new Set(['require', 'exports', 'module']);

/** As `import` would say it: what begins with a dot is relative to the file in both. */
export const amdSpecifier = (name: string): string => (/^\.{1,2}\//.test(name) ? name : `${ofAmd}${name}`);

const listed = /\b(?:define|require(?:js)?)\s*\(\s*(?:(['"])[^'"\n]*\1\s*,\s*)?\[([^\][]*)\](?=\s*[,)])/g;
/** `var deps = ['config']; define(deps, …)` */
const byName = /\b(?:define|require(?:js)?)\s*\(\s*(?:(['"])[^'"\n]*\1\s*,\s*)?([A-Za-z_$][\w$]*)\s*,/g;
const namedLists = /(?<![\w$.])([A-Za-z_$][\w$]*)\s*=\s*\[([^\][]*)\]/g;
const single = /\brequire(?:js)?\s*\(\s*(['"])([^'"\n.][^'"\n]*)\1\s*\)/g;
const speaking = /\bdefine\s*\(|\brequirejs\b/;

/** The modules that a file asks for so; by `require('config')`, too, where it is of AMD, as that is said of files of CommonJS otherwise. */
export function amdImportsIn(text: string): string[] {
  const lists = Array.from(text.matchAll(listed), ([, , list = '']) => list);
  const names = [...lists, ...listsByName(text)].flatMap((list) =>
    Array.from(list.matchAll(/(['"])([^'"\n]+)\1/g), ([, , name = '']) => name),
  );
  const singles = speaking.test(text) ? Array.from(text.matchAll(single), ([, , name = '']) => name) : [];
  return [...names, ...singles].filter((name) => !partsOfModules.has(name)).map(amdSpecifier);
}

function listsByName(text: string): string[] {
  const asked = new Set(Array.from(text.matchAll(byName), ([, , name = '']) => name));
  return asked.size === 0 ? [] : Array.from(text.matchAll(namedLists), ([, name = '', list = '']) => (asked.has(name) ? list : ''));
}

/** What says where modules are: scripts, and pages with one in them. */
const configuring = /\brequire(?:js)?\.config\s*\(|\b(?:var|window\.)\s*require(?:js)?\s*=\s*\{/;

interface Said {
  readonly text: string;
  /** Whether its own folder is the one that names are looked for in, as it says nothing else. */
  readonly isRoot: boolean;
  /** The folder that it says, below its own or one above: `baseUrl: '/static/js'`. */
  readonly base: string | undefined;
}

const baseUrl = /\bbaseUrl['"]?\s*:\s*['"](?:\.?\/)?([\w./-]+)['"]/;

/**
 * @param find a file by its path without an extension, relative to the working directory
 * @returns the file that a name means for those of a folder; undefined where it is a package, and where more than one may be meant
 */
export function amdResolver(cwd: string, find: (path: string) => string | undefined): (folder: string, name: string) => string | undefined {
  const saidIn = memo((folder): readonly Said[] =>
    textsIn(join(cwd, folder), /\.(?:js|html?)$/)
      .filter((text) => configuring.test(text))
      .map(withoutComments)
      .map((text) => ({ text, isRoot: !/\bbaseUrl\b/.test(text), base: baseUrl.exec(text)?.[1] })),
  );
  return (folder, name) => {
    // Plugins, and addresses of a page.
    if (/^\/|[!?:]|\.js$/.test(name)) return undefined;
    const above = upwards(folder);
    const said = above.flatMap((each) => saidIn(each).map((found) => ({ ...found, folder: each })));
    const paths = new Set(said.flatMap(({ text }) => pathsOf(name, text)));
    if (paths.size > 1 || paths.has(undefined)) return undefined;
    const [path = name] = paths;
    const places = above.flatMap((each) => {
      const found = find(posix.join(each, path));
      return found === undefined ? [] : [{ each, found }];
    });
    if (places.length === 0) {
      // A page asks for what lies below the folder that it says.
      const bases = said.flatMap(({ base = [] }) => base);
      const below = new Set(above.flatMap((each) => bases.flatMap((base) => find(posix.join(each, base, path)) ?? [])));
      return below.size === 1 ? [...below][0] : undefined;
    }
    if (places.length === 1) return places[0]?.found;
    const roots = new Set(said.flatMap((found) => (found.isRoot ? found.folder : [])));
    return roots.size === 1 ? places.find(({ each }) => roots.has(each))?.found : undefined;
  };
}

/**
 * What a configuration has in the place of a name, or of what it begins with: `paths: { models: 'app/models' }`. What it says in another way than by one text
 * is known to nobody here; an object says of a name how it is loaded.
 */
function pathsOf(name: string, text: string): (string | undefined)[] {
  const parts = name.split('/');
  return parts.flatMap((_, index) => {
    const [head, rest] = [parts.slice(0, parts.length - index), parts.slice(parts.length - index)];
    const entry = new RegExp(
      String.raw`(?<![\w$./-])(['"]?)${escaped(head.join('/'))}\1\s*:(?!\s*\{)(?:\s*(['"])([^'"\n]*)\2\s*[,}])?`,
      'g',
    );
    return Array.from(text.matchAll(entry), ([, , , path]) => path && [path, ...rest].join('/'));
  });
}

/** A folder and those above it, up to the working directory. */
function upwards(folder: string): string[] {
  const parts = folder === '.' ? [] : folder.split('/').filter((part) => part !== '..');
  const outside = folder.split('/').filter((part) => part === '..');
  return [...parts.keys(), parts.length].toReversed().map((length) => [...outside, ...parts.slice(0, length)].join('/') || '.');
}
