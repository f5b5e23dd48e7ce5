/** Bruno's requests, environments and collections (`.bru`). What a collection or a folder sends stands in files of their own. */
import { v1Auth } from '../../src/contract/auth.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import type { Entry } from '../evaluate/values/values.ts';
import { positionsOf } from '../syntax/position.ts';
import { type Auth, authOf, type Block, blocksOf, entriesOf, isRequest, placeOf } from './bruno-blocks.ts';
import { isScript, scriptReads, speaksOfRequest } from './bruno-scripts.ts';
import { type Reading, type Stretch, type WrittenRequest, merge } from './reading.ts';
import type { TextRange } from './text.ts';
import { type Definition, type Scope, scopeOf } from './variables.ts';
import { type Header, headerEntry, isAuthorizationField, isKeyField, nodeAt, settingOf, writtenRequest } from './written.ts';

/** Another file, of the same collection or not. */
type Other = Pick<SourceText, 'file' | 'text'>;

interface BrunoFile {
  readonly stretch: Stretch;
  readonly blocks: readonly Block[];
  readonly definitions: readonly Definition[];
  readonly scope: Scope;
  /** undefined of an environment, a collection or a folder. */
  readonly request: Block | undefined;
  readonly headers: readonly Header[];
  readonly auth: Auth;
}

const variables = /^vars(?::pre-request)?$/;

/** @param others files that may be of the same collection */
export function readBruno(stretch: Stretch, others: readonly Other[]): Reading {
  const read = takenApart(stretch);
  const { blocks, definitions, scope, request } = read;
  // What an environment sets is read by the requests of other files.
  const name = (variable: string): string | undefined => (request === undefined ? variable : undefined);
  const common = {
    settings: definitions.flatMap((each) => settingOf(each.value, stretch, scope, { name: name(each.name) }) ?? []),
    passedOn: scriptReads(blocks, stretch),
    prose: blocks.filter((block) => block.name === 'docs' || block.name === 'meta').map((block) => placeOf(block, stretch)),
  };
  if (request !== undefined) return merge([{ ...common, requests: [requestIn(read, request, others)] }]);
  const requests = requestsBelow(read, others);
  return merge([{ ...common, requests, looseKeys: requests.length > 0 ? [] : entriesFor(read, keysOf(read, true)) }]);
}

function takenApart(stretch: Stretch): BrunoFile {
  const blocks = blocksOf(stretch.text);
  const definitions = blocks.filter(({ name }) => variables.test(name)).flatMap((block) => entriesOf(block).flatMap(definitionOf));
  const headers = blocks.filter(({ name }) => name === 'headers').flatMap(entriesOf);
  return { stretch, blocks, definitions, scope: scopeOf(definitions), request: blocks.find(isRequest), headers, auth: authOf(blocks) };
}

const fileAt = ({ file, text }: Other): BrunoFile => takenApart({ source: { file, text, position: positionsOf(text) }, start: 0, text });

function requestIn(read: BrunoFile, request: Block, others: readonly Other[]): WrittenRequest {
  const folders = foldersOf(read.stretch.source.file, others).map(fileAt);
  const { stretch, blocks, headers, auth } = read;
  const given = { headers: auth.header === undefined ? headers : [...headers, auth.header], hasCredentials: hasCredentials(read, folders) };
  const isKeyless = folders.some((folder) => keysFrom(folder, read, folders).length > 0);
  return written(read, request, given, { isKeyless, mentions: mentionsIn(blocks, stretch) });
}

function written(
  { stretch, scope }: BrunoFile,
  request: Block,
  given: { readonly headers: readonly Header[]; readonly hasCredentials: boolean },
  about: Partial<WrittenRequest>,
): WrittenRequest {
  const url = entriesOf(request).find(({ name }) => name.value === 'url')?.value;
  const place = { start: request.head.start, end: request.end };
  return writtenRequest({ ...place, client: 'bruno', url, method: request.name, ...given }, stretch, scope, about);
}

/** The requests that a collection or a folder gives a key, at the places where they stand. */
function requestsBelow(folder: BrunoFile, others: readonly Other[]): WrittenRequest[] {
  const { file } = folder.stretch.source;
  return others.flatMap((other): WrittenRequest[] => {
    const above = foldersOf(other.file, others);
    if (!above.some((each) => each.file === file)) return [];
    const read = fileAt(other);
    const folders = above.map((each) => (each.file === file ? folder : fileAt(each)));
    const keys = entriesFor(folder, keysFrom(folder, read, folders));
    if (read.request === undefined || keys.length === 0) return [];
    const given = {
      headers: read.headers.filter(({ name }) => isAuthorizationField(name.value)),
      hasCredentials: hasCredentials(read, folders),
    };
    const made = written(read, read.request, given, { mentions: mentionsIn(folder.blocks, folder.stretch) });
    return [{ ...made, requests: made.requests.map((each) => ({ ...each, headers: [...each.headers, ...keys] })) }];
  });
}

const ofFolder = /(?:^|\/)(?:collection|folder)\.bru$/;
const ofCollection = /(?:^|\/)collection\.bru$/;
const pathOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1);

/** The files of the folders that a request is in, the nearest first, up to its collection's. */
function foldersOf<File extends Other>(file: string, others: readonly File[]): File[] {
  if (ofFolder.test(file)) return [];
  const above = others
    .filter((other) => ofFolder.test(other.file) && file.startsWith(pathOf(other.file)))
    .toSorted((one, other) => pathOf(other.file).length - pathOf(one.file).length);
  const collection = above.findIndex((each) => ofCollection.test(each.file));
  return above.slice(0, collection + 1 || above.length);
}

/** What a folder sends with a request below it that may be the key. */
const keysFrom = (folder: BrunoFile, request: BrunoFile, folders: readonly BrunoFile[]): Header[] =>
  keysOf(folder, authorizing(request, folders) === folder);

const passesOn = new Set([undefined, 'none', 'inherit']);

/** The folder whose authorisation a request inherits. */
const authorizing = ({ auth }: BrunoFile, folders: readonly BrunoFile[]): BrunoFile | undefined =>
  auth.mode === 'inherit' ? folders.find((folder) => !passesOn.has(folder.auth.mode)) : undefined;

/** Whether something else than the key authorises a request, or may. */
function hasCredentials(request: BrunoFile, folders: readonly BrunoFile[]): boolean {
  const isKnown = folders.some(({ stretch }) => ofCollection.test(stretch.source.file));
  const isOther = request.auth.mode === 'inherit' ? (authorizing(request, folders)?.auth.isOther ?? !isKnown) : request.auth.isOther;
  return isOther || folders.some(({ headers }) => headers.some(({ name }) => isAuthorizationField(name.value)));
}

const keysOf = ({ headers, auth: { header } }: BrunoFile, isAuthorizing: boolean): Header[] =>
  [...headers, ...(isAuthorizing && header !== undefined ? [header] : [])].filter(({ name }) => isKeyField(name.value));

/** Keys as what requests send. */
const entriesFor = ({ stretch }: BrunoFile, keys: readonly Header[]): Entry[] =>
  keys.map((key) => headerEntry(key, nodeAt(stretch, spanOf(key)), stretch, keys.length > 1));

const definitionOf = ({ name, value }: Header) => (value === undefined ? [] : [{ name: name.value, value }]);

const spanOf = ({ name, value }: Header): TextRange => ({ start: name.at[0] ?? 0, end: (value?.at.at(-1) ?? name.at.at(-1) ?? 0) + 1 });

const mention = new RegExp(v1Auth.field, 'gi');

/** Scripts of a request that name the header go on to do so, unless they ask something themselves and leave the request alone. */
function mentionsIn(blocks: readonly Block[], { start: from }: Stretch): TextRange[] {
  return blocks
    .filter((block) => isScript(block) && speaksOfRequest(block))
    .flatMap(({ lines }) =>
      lines.flatMap(({ text, start }) =>
        Array.from(text.matchAll(mention), ({ index, 0: found }) => ({
          start: from + start + index,
          end: from + start + index + found.length,
        })),
      ),
    );
}
