/** nginx in front of an application: what it passes on below a path of its own, and what it gives that. */
import { escaped } from '../../find/words/literals.ts';
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { flat, sliceParts, unknownPart } from '../../evaluate/values/text.ts';
import { choiceOf, type HttpValue, type Part, unknown, type Value } from '../../evaluate/values/values.ts';
import { type Directive, fileOf } from '../../engines/nginx-directives.ts';
import { partsIn, type Place, variableIn } from './nginx-values.ts';
import { headersAt, hostsAt } from './nginx-headers.ts';

const name = 'nginx';

function describedBy(module: SourceModule, ev: Evaluation): Value | undefined {
  const file = fileOf(module.tree.program);
  const upstreams = new Map(
    [...file.block, ...file.block.flatMap(({ block }) => block)].flatMap((each): [string, Directive][] => {
      const [group] = each.words;
      return each.name === 'upstream' && group?.kind === 'string' ? [[group.value, each]] : [];
    }),
  );
  const found = passedOnIn(file, { module, frame: undefined, ev, around: [], upstreams });
  return found.length === 0 ? undefined : choiceOf(found);
}

function passedOnIn(block: Directive, outside: Place): HttpValue[] {
  const place = { ...outside, around: [block, ...outside.around] };
  return block.block.flatMap((each) => (each.name === 'proxy_pass' ? passedOn(each, place) : passedOnIn(each, place)));
}

function passedOn({ node, words: [target] }: Directive, place: Place): HttpValue[] {
  if (target === undefined) return [];
  const { module, around } = place;
  const { url, below, isCut } = passedTo(partsIn(target, place), place);
  const server = around.find((each) => each.name === 'server')?.node ?? module.tree.program;
  const mount = below === undefined ? {} : { mount: textOf(below) };
  const headers = [headersAt(node, place)];
  const hosts = hostsAt(URL.parse(flat(url))?.host ?? '', place);
  return [
    {
      type: 'http',
      client: name,
      stage: 'request',
      node,
      module,
      origins: [],
      url: textOf(url),
      headers,
      proxy: { ...mount, isCut, server, hosts },
    },
  ];
}

const textOf = (parts: readonly Part[]): Value => ({ type: 'text', parts });

interface PassedTo {
  readonly url: readonly Part[];
  /** The path that leads there, if it is known. */
  readonly below?: readonly Part[];
  readonly isCut: boolean;
}

/** Where `proxy_pass` leads from the location around it. */
function passedTo(written: readonly Part[], place: Place): PassedTo {
  const target = withUpstream(withoutWholePath(written, place), place);
  const [, address = '', path = ''] = /^((?:[a-z]+:\/\/)?[^/]*)(.*)$/is.exec(flat(target)) ?? [];
  const base = sliceParts(target, 0, address.length);
  const location = place.around.find((each) => each.name === 'location');
  const rewrites = location?.block.filter((each) => each.name === 'rewrite') ?? [];
  const [rewritten] = rewrites.map((each) => rewrittenBy(each, place));
  if (rewritten !== undefined && rewrites.length === 1)
    return { url: [...base, ...rewritten.by], below: [{ text: rewritten.from }], isCut: true };
  if (rewrites.length > 0) return { url: [...base, { unknownPart: unknown(location?.node, place.module) }], isCut: true };
  const rest = restIn(target, place);
  const pattern = location && patternOf(location, place);
  if (pattern?.hasRest === true && rest !== undefined) return { url: rest, below: pattern.below, isCut: true };
  const below = pattern?.below ?? (location && prefixOf(location, place));
  // A variable may hold a path, too.
  if (below === undefined || path.includes(unknownPart) || (path === '' && address.endsWith(unknownPart)))
    return { url: target, isCut: true };
  return path === '' ? { url: [...base, ...below], below, isCut: false } : { url: target, below, isCut: true };
}

/** `https://api.example.com$request_uri` says what would be so without it. */
function withoutWholePath(target: readonly Part[], place: Place): readonly Part[] {
  const names = target.slice(-3).map((part) => variableIn(part, place));
  if (names.at(-1) === 'request_uri') return target.slice(0, -1);
  return names.join(' ') === 'uri is_args args' ? target.slice(0, -3) : target;
}

/**
 * Where the host is the name of a group of servers, and that has one, the address of that. A name alone that is asked by https is no container's: it may be
 * a group in another file.
 */
function withUpstream(target: readonly Part[], place: Place): readonly Part[] {
  const [, scheme = '', group = '', port = ''] = /^(https?:\/\/)([\w.-]+)(:?)/i.exec(flat(target)) ?? [];
  const [server, ...others] = (place.upstreams.get(group)?.block ?? []).filter((each) => each.name === 'server');
  const [address] = server?.words ?? [];
  if (address === undefined || others.length > 0) {
    const isOpen = scheme.toLowerCase() === 'https://' && port === '' && !group.includes('.');
    const { around, module } = place;
    return isOpen
      ? [{ unknownPart: unknown(around[0]?.node, module) }, ...sliceParts(target, scheme.length + group.length, Infinity)]
      : target;
  }
  const own = partsIn(address, place);
  const usual = scheme.toLowerCase() === 'https://' ? /:443$/ : /:80$/;
  const host = sliceParts(own, 0, flat(own).replace(usual, '').length);
  return [...sliceParts(target, 0, scheme.length), ...host, ...sliceParts(target, scheme.length + group.length, Infinity)];
}

/** `location ~ ^/api/(.*)$`: a pattern that takes whatever begins like this. */
function patternOf({ words: [sign, pattern] }: Directive, place: Place): { below: readonly Part[]; hasRest: boolean } | undefined {
  if (sign?.kind !== 'string' || !/^~\*?$/.test(sign.value) || pattern?.kind !== 'string') return undefined;
  const [, path, rest = ''] = /^\^((?:\/[\w-]+)+\/)(\(\.[*+]\)|\.[*+])?\$?$/.exec(pattern.value) ?? [];
  return path === undefined ? undefined : { below: sliceParts(partsIn(pattern, place), 1, 1 + path.length), hasRest: rest.startsWith('(') };
}

/** What stands before the rest of a path that a pattern has taken: `https://api.example.com/v1/` of `https://api.example.com/v1/$1$is_args$args`. */
function restIn(target: readonly Part[], place: Place): readonly Part[] | undefined {
  const [end, ...more] = target.filter((part) => 'unknownPart' in part).map((part) => variableIn(part, place));
  const tail = [end, ...more].join(' ');
  return /^1(?: is_args args| args)?$/.test(tail)
    ? target.slice(
        0,
        target.findIndex((part) => 'unknownPart' in part),
      )
    : undefined;
}

/** `location /api/`, `location ^~ /api/` and `location = /api/send`. */
function prefixOf({ words: [first, second] }: Directive, place: Place): readonly Part[] | undefined {
  const isModified = first?.kind === 'string' && /^(?:=|\^~)$/.test(first.value);
  const path = second === undefined ? first : isModified ? second : undefined;
  const parts = path && partsIn(path, place);
  return parts !== undefined && /^\/[^\0]*$/.test(flat(parts)) ? parts : undefined;
}

/** `rewrite ^/api/(.*)$ /v1/$1 break;`: what comes in the place of the beginning of a path. */
function rewrittenBy({ words: [pattern, by, flag] }: Directive, place: Place): { from: string; by: readonly Part[] } | undefined {
  if (pattern?.kind !== 'string' || by?.kind !== 'template' || flag?.kind !== 'string' || flag.value !== 'break') return undefined;
  const source = place.module.text.slice(pattern.start, pattern.end).replaceAll(/^["']|["']$/g, '');
  const [, from, slash = ''] = /^\^((?:\/[\w.-]+)*\/?)(\/\?)?\(\/?\.\*\)\$?$/.exec(source) ?? [];
  const parts = partsIn(by, place);
  if (from === undefined || parts.some((part) => 'unknownPart' in part && part !== parts.at(-1))) return undefined;
  return variableIn(parts.at(-1), place) === '1' ? { from: from + slash.slice(0, 1), by: parts.slice(0, -1) } : undefined;
}

const mark = /(?<![\w-])proxy_pass\s/;
const leading = /(?<![\w-])(?:location\s+(?:(?:=|\^~|~\*?)\s+)?["']?\^?|rewrite\s+["']?\^)(?<path>\/[\w.-]+(?:\/[\w.-]+)*)/g;

/** What is asked below a path that leads to a `proxy_pass`, as far as the text alone says it. Who asks may put the version behind a base of its own. */
function reachedBy(text: string): RegExp | undefined {
  const found = new Set(
    Array.from(text.matchAll(leading), ({ groups }) => escaped((groups?.['path'] ?? '').replace(/(?<=.)\/v\d+(?:\/.*)?$/, ''))),
  );
  return found.size === 0 ? undefined : new RegExp(`['"\`](?:${[...found].join('|')})(?![\\w-])`);
}

export const nginxRule: ClientRule = { name, title: 'nginx', describedBy, ambient: { mark, reached: reachedBy } };
