/** Variables of pages that a `.env` file sets for whatever is built beside it: which of them nothing else in the tree has set otherwise, or left out. */
import { posix } from 'node:path';
import { escaped } from '../find/words/literals.ts';
import { answersRequests } from '../clients/servers/frameworks.ts';
import { isOfExpo, readsEnvFiles, withoutFiles } from '../clients/settings/page-variables.ts';
import type { Scan } from '../find/scan.ts';
import type { Walk } from '../find/walk.ts';
import type { Bases } from '../verdict/bases/routes.ts';

type SetForBuilds = NonNullable<Bases['setForBuilds']>;

/** What stands behind an empty value: the end of its line, what closes or divides a list, a command, and no address as `.env` files may have it behind spaces or quotes. */
const behind = String.raw`(?![ \t]*["'\x60]https?:)(?:[ \t]*(?:$|\r|[,;})\]&|"'#\x60\\])|[ \t]+(?![ \t]|["']?https?:))`;
const quoted = String.raw`(?:""|''|\x60\x60|\\"\\")`;

/** `NAME=`, `NAME: ""`, `NAME= vite build`, `{ NAME: '' }`, `stubEnv('NAME', '')`, `unset NAME`. */
const leaving = (names: readonly string[]): RegExp => {
  const name = String.raw`(?<![\w-])(${names.map(escaped).join('|')})`;
  // `Env.NAME,` at the end of a line only reads it, and `'NAME',` may be given an empty text in the next.
  const ending = `["']?[ \\t]*:[ \\t]*(?=$|\\r|#)|["'][ \\t]*,[ \\t]*(?=$|\\r|#)`;
  const emptied = `(?:[ \\t]*=(?:${quoted}|[ \\t]*${quoted})?${behind}|["']?[ \\t]*[:,]\\s*${quoted}|${ending})`;
  return new RegExp(String.raw`${name}${emptied}|(?:\bunset[ \t]+|\bdelete[ \t]+[\w.]+\.)(${names.map(escaped).join('|')})\b`, 'gm');
};

/** A development server that hands paths of v1 to another program: `proxy: { '/v1': … }`, `rewrites() { … }`, `app.use('/v1', createProxyMiddleware(…))`. */
const handsOn = /\bprox(?:y|ies)\b|\bcreateProxy|\brewrites\b/i;
const handsOnAll = /"proxy"\s*:\s*"/;

/** What has the `.env` files of a page elsewhere than beside its package. */
const elsewhere = /\b(?:envDir|root)\s*:/;
const isOfBundler = /(?:^|\/)[\w-]+\.config\.[cm]?[jt]s$/;

/**
 * Without those that something leaves empty anywhere, and without folders whose own server may have a path of v1's, or hand it on: it may be meant where the
 * variable is left out.
 */
export function setWhateverIsBuilt(folders: SetForBuilds, files: Walk['files'], scan: Scan): SetForBuilds {
  const { candidates, texts } = scan;
  const names = [...folders.keys()].filter((name) => readsEnvFiles.test(name));
  if (names.length === 0) return new Map();
  const left = new Set<string>();
  const servers: string[] = [];
  const unread: string[] = [];
  const sought = leaving(names);
  const holding = new Set(candidates.map(({ path }) => path));
  for (const { path, kind, aside } of files) {
    if (aside !== undefined || kind === 'markdown' || kind === 'plain') continue;
    const text = texts.utf8(path);
    for (const [, emptied, unset = ''] of text.matchAll(sought)) left.add(emptied ?? unset);
    if (withoutFiles.test(text)) unread.push(path);
    // `app/v1/contacts+api.ts` answers by its own path.
    const isOfV1 = /\/v1\b/.test(text) || /\/v1\//.test(path);
    const isServer = kind === 'script' && (isOfV1 || holding.has(path)) && answersRequests.test(text);
    const isElsewhere = isOfBundler.test(path) && elsewhere.test(text);
    if (isServer || isElsewhere || (kind === 'json' ? handsOnAll.test(text) : isOfV1 && handsOn.test(text))) servers.push(path);
  }
  const isServed = (folder: string): boolean => servers.some((path) => isBelow(path, folder)) || isShared(folder, scan);
  // A workflow of the repository may build any of its applications.
  const applications = [...folders].flatMap(([name, each]) => (isOfExpo(name) ? [...each] : []));
  const isUnread = (name: string, folder: string): boolean =>
    isOfExpo(name) && unread.some((path) => isBelow(path, folder) || !applications.some((each) => isBelow(path, each)));
  const isRead = (name: string, folder: string): boolean => !isServed(folder) && !isUnread(name, folder);
  return new Map(
    names.flatMap((name) =>
      left.has(name) ? [] : [[name, new Set([...(folders.get(name) ?? [])].filter((each) => isRead(name, each)))] as const],
    ),
  );
}

const isBelow = (path: string, folder: string): boolean => folder === '.' || path.startsWith(`${folder}/`);

/** Whether another package has what is in a folder, and is built with `.env` files of its own. */
function isShared(folder: string, { specifiers, texts }: Scan): boolean {
  const [, name] = /"name"\s*:\s*"([^"]+)"/.exec(texts.utf8(`${folder}/package.json`)) ?? [];
  const isOfFolder = (file: string, specifier: string): boolean =>
    specifier.startsWith('.') ? isBelow(posix.join(posix.dirname(file), specifier), folder) : `${specifier}/`.startsWith(`${name}/`);
  return Array.from(specifiers).some(([file, named]) => !isBelow(file, folder) && named.some((each) => isOfFolder(file, each)));
}
