/** Variables that a JSON, YAML or TOML file sets: environment maps and lists, variables of request collections. */
import { variableOfInput } from '../../find/words/action-inputs.ts';
import { listedPrefix } from '../shell/runs.ts';
import { type Text, slice } from '../text.ts';
import type { Definition } from '../variables.ts';
import { textsGivenIn } from './cloudformation.ts';
import { type Data, type DataMap, type Entry, type Scalar, childrenOf, entryOf, listOf, mapOf, mapsIn, textOf } from './tree.ts';

/** A value under the name that programs and requests know it by. */
export interface Named extends Definition {
  readonly scalar: Scalar;
  /** The service, job or container that it is set for. */
  readonly owner: Data;
}

type Own = Omit<Named, 'owner'>;

const upper = /^[A-Z][A-Z0-9_]*$/;
const identifier = /^[A-Za-z_][\w.-]*$/;
/** Maps whose keys are names of variables. */
const environments = /^(?:data|env|environment|variables|vars|globals)$/i;
/** The path of a patch: `{ op: replace, path: /data/NAME, value }`. */
const patched = /^\/(?:data|stringData)\/([A-Za-z_]\w*)$/;
/** In http-client.env.json the outer keys name environments. */
const environmentFile = /^http-client(?:\.private)?\.env\.json$/;
/** What Azure's functions have in their environment while they are developed. */
const ofFunctions = /^local\.settings\b.*\.json\b/;
/** Cypress's own, of which each is a variable of its environment under a longer name. */
const ofCypress = 'cypress.env.json';
/** So they do below this name in the settings of VS Code, for its REST Client. */
const ofRestClient = 'rest-client.environmentVariables';

export function definitionsIn(root: Data, fileName: string): Named[] {
  if (fileName === ofCypress) return root.kind === 'map' ? setForCypress(root) : [];
  const all: Named[] = [];
  const texts = textsGivenIn(root);
  const visit = (data: Data, key: string, depth: number, owner: Data): void => {
    const add = (own: readonly Own[]): void => void all.push(...own.map((each) => ({ ...each, owner })));
    const isEnvironment = environments.test(key) || (key === 'Values' && ofFunctions.test(fileName));
    if (data.kind === 'map')
      add([...inputsIn(data), ...fromMap(data, texts, isEnvironment || (environmentFile.test(fileName) && depth === 1))]);
    if (data.kind === 'list' && (isEnvironment || key === 'literals')) add(data.items.flatMap(fromLine));
    // The variables of a list `env` belong to who has that.
    const inner = data.kind === 'list' && isEnvironment ? owner : data;
    if (data.kind === 'map')
      for (const entry of data.entries) visit(entry.value, key === ofRestClient ? 'env' : entry.key.value, depth + 1, data);
    else for (const child of childrenOf(data)) visit(child, '', depth + 1, inner);
  };
  visit(root, '', 0, root);
  return all;
}

const setForCypress = (root: DataMap): Named[] =>
  root.entries.flatMap(({ key, value }) => namedBy(listedPrefix + key.value, value).map((own) => ({ ...own, owner: root })));

function fromMap(map: DataMap, texts: (value: Data) => readonly Scalar[], isEnvironment: boolean): Own[] {
  const entries = map.entries.flatMap(({ key, value }) => {
    const named = upper.test(key.value) || (isEnvironment && identifier.test(key.value));
    // `{ "env": { "API_URL": { "description": "…", "value": "…" } } }`: Heroku.
    const given = isEnvironment && value.kind === 'map' ? (entryOf(value, /^value$/)?.value ?? value) : value;
    return named ? texts(given).flatMap((text) => namedBy(key.value, text)) : [];
  });
  // `{ name, value }`: Kubernetes, Postman, GitLab; `{ variable, value }`: Firebase's App Hosting.
  const name = textOf(map, /^(?:name|key|variable)$/i)?.value ?? patched.exec(textOf(map, /^path$/)?.value ?? '')?.[1];
  const value = map.entries.find(({ key }) => /^value$/i.test(key.value))?.value;
  return name !== undefined && value !== undefined && identifier.test(name)
    ? [...entries, ...texts(value).flatMap((text) => namedBy(name, text))]
    : entries;
}

function namedBy(name: string, value: Data): Own[] {
  return value.kind === 'scalar' && value.text !== undefined ? [{ name, value: value.text, scalar: value }] : [];
}

/** What an action of GitHub that is a program has as defaults, and what a workflow gives to one of the same repository. */
function inputsIn(map: DataMap): Own[] {
  const isProgram = /^(?:node|docker)/.test(textOf(mapOf(map, /^runs$/) ?? map, /^using$/)?.value ?? '');
  const defaults = isProgram ? (mapOf(map, /^inputs$/)?.entries ?? []) : [];
  const given = textOf(map, /^uses$/)?.value.startsWith('./') === true ? (mapOf(map, /^with$/)?.entries ?? []) : [];
  return [
    ...defaults.flatMap(({ key, value }) => {
      const byDefault = value.kind === 'map' ? entryOf(value, /^default$/) : undefined;
      return byDefault === undefined ? [] : namedBy(variableOfInput(key.value), byDefault.value);
    }),
    ...given.flatMap(({ key, value }) => namedBy(variableOfInput(key.value), value)),
  ];
}

/** `- NAME=value`, as in docker-compose, and in what Kustomize makes ConfigMaps of. */
function fromLine(item: Data): Own[] {
  if (item.kind !== 'scalar' || item.text === undefined) return [];
  const name = /^[A-Za-z_]\w*(?==)/.exec(item.value)?.[0];
  if (name === undefined) return [];
  const value: Text = slice(item.text, name.length + 1);
  return [{ name, value, scalar: item }];
}

/** What the jobs of a matrix are given, one after the other: `matrix.name` in a workflow of GitHub, variables in GitLab. */
export function matrixIn(root: Data): Definition[] {
  return mapsIn(root).flatMap((map) => {
    if (entryOf(map, /^matrix$/) === undefined) return [];
    const axes = mapOf(map, /^matrix$/);
    const rows = listOf(axes ?? map, axes === undefined ? /^matrix$/ : /^include$/);
    const entries = [...(axes?.entries ?? []), ...rows.flatMap((row) => (row.kind === 'map' ? row.entries : []))];
    return entries.flatMap((entry) => valuesOf(entry, axes === undefined ? '' : 'matrix.'));
  });
}

const valuesOf = ({ key, value }: Entry, prefix: string): Definition[] =>
  (value.kind === 'list' ? value.items : [value]).flatMap((item) =>
    item.kind === 'scalar' && item.text !== undefined ? [{ name: prefix + key.value, value: item.text }] : [],
  );
