/** OpenAPI's documents: the servers, the paths and the keys that they tell of. */
import { v1Auth } from '../../../src/contract/auth.ts';
import { type Data, type DataMap, type Entry, type Scalar, entryOf, listOf, mapOf, mapsIn, textOf } from './tree.ts';

export interface ApiDescription {
  /** Its title and its version, as far as they are given. */
  readonly names: readonly Scalar[];
  readonly servers: readonly Scalar[];
  /** Each path with its operations. */
  readonly paths: readonly Described[];
  /** What says that a key goes in a header. */
  readonly keys: readonly DataMap[];
}

interface Described {
  readonly path: Scalar;
  readonly methods: readonly string[];
}

/** Whether a tree is an OpenAPI, Swagger or AsyncAPI document: it says what a server offers, and asks for nothing itself. */
export function isApiDescription(root: Data): root is DataMap {
  return (
    root.kind === 'map' && textOf(root, /^(?:openapi|swagger|asyncapi)$/) !== undefined && mapOf(root, /^(?:info|paths)$/) !== undefined
  );
}

/** @returns undefined where its keys cannot be told as v2 has them, or where it is not seen whose each of its operations is */
export function describedBy(root: DataMap): ApiDescription | undefined {
  if (!/^3\b/.test(textOf(root, /^openapi$/)?.value ?? '')) return undefined;
  // What the service itself asks others for has a key of theirs.
  if (mapsIn(root).some((map) => entryOf(map, map === root ? /^webhooks$/ : /^(?:servers|callbacks)$/) !== undefined)) return undefined;
  const servers = listOf(root, /^servers$/).map((server) =>
    server.kind === 'map' && entryOf(server, /^variables$/) === undefined ? textOf(server, /^url$/) : undefined,
  );
  const paths = mapOf(root, /^paths$/)?.entries.filter(({ key }) => key.value.startsWith('/')) ?? [];
  const schemes = mapOf(mapOf(root, /^components$/) ?? root, /^securitySchemes$/)?.entries.map(({ value }) => value) ?? [];
  const known = servers.filter((server) => server !== undefined);
  const keys = schemes.filter(isKeyInHeader);
  const isSeen = known.length === servers.length && keys.length === schemes.length && !paths.some(isElsewhere);
  const info = mapOf(root, /^info$/);
  const names = info === undefined ? [] : [/^title$/, /^version$/].flatMap((name) => textOf(info, name) ?? []);
  return isSeen ? { names, servers: known, paths: paths.map(operationsOf), keys } : undefined;
}

const isElsewhere = ({ value }: Entry): boolean => value.kind !== 'map' || entryOf(value, /^\$ref$/) !== undefined;

const operationsOf = ({ key, value }: Entry): Described => ({
  path: key,
  methods: value.kind === 'map' ? value.entries.flatMap(({ key: { value: name } }) => (methods.test(name) ? name.toUpperCase() : [])) : [],
});

const methods = /^(?:get|head|post|put|patch|delete|options|trace)$/;

/** `{ type: apiKey, in: header, name: x-api-key }` */
function isKeyInHeader(scheme: Data): scheme is DataMap {
  if (scheme.kind !== 'map') return false;
  const isIn = (name: RegExp, value: string): boolean => textOf(scheme, name)?.value.toLowerCase() === value;
  return isIn(/^type$/, 'apikey') && isIn(/^in$/, 'header') && isIn(/^name$/, v1Auth.field);
}
