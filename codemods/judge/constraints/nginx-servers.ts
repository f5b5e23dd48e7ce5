/** Servers of nginx as its configuration describes them, in files and in the YAML of containers. */
import { basename } from 'node:path/posix';
import { isAuthorization, v1Auth, v2Auth } from '../../../src/contract/auth.ts';
import { handsOnKey, holdsHeadersBack } from '../../clients/servers/nginx-headers.ts';
import { type Directive, fileOf } from '../../engines/nginx-directives.ts';
import { SyntaxFault } from '../../engines/engine.ts';
import { nginx } from '../../engines/nginx.ts';
import type { FileKind } from '../../find/kinds.ts';
import { escaped } from '../../find/words/literals.ts';
import type { FoundFile } from '../../find/walk.ts';
import { nginxBlocks } from '../../formats/nginx-blocks.ts';
import type { FindingCode, Span } from '../../model.ts';
import type { Location } from './nginx-locations.ts';

/** What takes the calls of one server. */
export interface Block {
  readonly locations: readonly (Location & Span)[];
  /** What may send a call elsewhere before a location is chosen. */
  readonly before: readonly Span[];
}

export interface Servers {
  readonly blocks: readonly Block[];
  /** Places that go by a header which changes. */
  readonly headers: readonly { readonly place: Span; readonly code: FindingCode }[];
  /** Configuration that is not read, and passes calls on. */
  readonly unread: readonly Span[];
}

const configuration: ReadonlySet<FileKind | 'bare'> = new Set(['nginx', 'other', 'bare', 'yaml', 'shell', 'pipeline']);
const mayBeNginx = /(?<![\w$.-])(?:location|server|map|proxy_\w+|auth_\w+|limit_\w+_zone)\s/;
const passing = /(?<![\w-])(?:proxy_pass|reverse_proxy|ProxyPass(?:Match)?)\s/;

export function serversIn(files: readonly Pick<FoundFile, 'path' | 'kind'>[], textIn: (file: string) => string): Servers {
  const read = files.flatMap(({ path: file, kind }): { file: string; text: string; root?: Directive }[] => {
    const text = configuration.has(kind) ? textIn(file) : '';
    const parts = kind === 'yaml' ? nginxBlocks(text) : [{ start: 0, end: text.length }];
    return mayBeNginx.test(text) || passing.test(text) ? parts.map((part) => ({ file, text, ...rootOf(text, part) })) : [];
  });
  const unread = read.flatMap(({ file, text, root }): Span[] => {
    const start = root === undefined ? text.search(passing) : -1;
    return start === -1 ? [] : [{ file, start, end: start + 1 }];
  });
  const found = read.flatMap(({ root, ...source }) => (root === undefined ? [] : [{ ...source, root }]));
  const placed = found.flatMap(({ file, text, root }) => all(root).map((each): Placed => ({ ...each, file, text, ...spanOf(each) })));
  const isHeldBack = found.some(({ text }) => holdsHeadersBack.test(text));
  const inServers = placed.filter(({ name, block }) => name === 'server' && block.length > 0);
  const names = found.map(({ file }) => basename(file));
  const locations = placed.filter(({ name }) => name === 'location');
  const snippets = locations.filter((each) => !inServers.some((server) => isInside(each, server))).map(locationOf);
  const blocks = inServers.map((server): Block => {
    const own = locations.filter((each) => isInside(each, server)).map(locationOf);
    const before = all({ ...server, block: server.block.filter(({ name }) => name !== 'location') }).filter(
      (each) => each.name === 'rewrite' || (each.name === 'include' && !isIncluded(each, server, names)),
    );
    return { locations: [...own, ...snippets], before: before.map((each) => ({ file: server.file, ...spanOf(each) })) };
  });
  return {
    blocks: snippets.length === 0 ? blocks : [...blocks, { locations: snippets, before: [] }],
    headers: placed.flatMap((place) => {
      const code = !isHeldBack && handsOnKey(place, place.text) ? undefined : headerRead(place);
      return code === undefined ? [] : [{ place, code }];
    }),
    unread,
  };
}

const isInside = ({ file, start }: Span, outer: Span): boolean => outer.file === file && outer.start < start && start < outer.end;

function rootOf(text: string, { start, end }: { readonly start: number; readonly end: number }): { root?: Directive } {
  try {
    // Whatever stands around it in YAML is none of it.
    const alone = text.slice(0, start).replaceAll(/[^\n]/g, ' ') + text.slice(start, end);
    return { root: fileOf(nginx.parse('', alone).program) };
  } catch (error) {
    if (error instanceof SyntaxFault) return {};
    throw error;
  }
}

type Placed = Directive & Span & { readonly text: string };

const all = (root: Directive): Directive[] => root.block.flatMap((each) => [each, ...all(each)]);

const spanOf = ({ node: { start, end } }: Directive): { readonly start: number; readonly end: number } => ({ start, end });

const wordsOf = ({ words }: Directive, text: string): string[] =>
  words.map(({ start, end }) => text.slice(start, end).replaceAll(/^["']|["']$/g, ''));

function locationOf({ text, ...location }: Placed): Location & Span {
  const words = wordsOf(location, text);
  const [sign, path] = words.length > 1 ? words : ['', words[0]];
  const inside = all(location).map(({ name }) => name);
  const { file, start, end } = location;
  return {
    file,
    start,
    end,
    sign: sign ?? '',
    path: path ?? '',
    isPlain: !inside.some((name) => /^(?:location|include|error_page|try_files|return)$/.test(name)),
    isFallback: path === '/' && sign === '' && !inside.some((name) => /_pass$|^(?:return|rewrite|deny|include|location)$/.test(name)),
  };
}

/** Whether what a server includes is a file that is looked at, or one that comes with nginx and has no place for calls. */
function isIncluded(include: Directive, { text }: Placed, names: readonly string[]): boolean {
  const name = basename(wordsOf(include, text)[0] ?? '');
  const pattern = new RegExp(`^${escaped(name).replaceAll(String.raw`\*`, '.*')}$`);
  return name === 'mime.types' || names.some((each) => pattern.test(each));
}

const reads = (field: string): RegExp => new RegExp(String.raw`\$\{?http_${field.replaceAll('-', '_')}\b`, 'i');
const [readsKey, readsAuthorization] = [reads(v1Auth.field), reads(v2Auth.field)];

/** What is known to change of a call is its header. */
function headerRead(place: Placed): FindingCode | undefined {
  const words = wordsOf(place, place.text);
  if (place.name === 'auth_request' && words[0] !== 'off') return 'key-not-text';
  if (words.some((word) => readsKey.test(word))) return 'key-not-text';
  const isLogin = /^auth_(?:basic|jwt|digest)$/.test(place.name) && words[0] !== 'off';
  const isOther = words.some((word) => readsAuthorization.test(word)) || (place.name.endsWith('_set_header') && isAuthorization(words[0]));
  return isLogin || isOther ? 'authorization-present' : undefined;
}
