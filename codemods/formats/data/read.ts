/** JSON, YAML and TOML: which of their texts are addresses, requests, scripts or data. */
import type { Bases } from '../../verdict/routes.ts';
import type { Draft } from '../candidate-edit.ts';
import { type Env, type Reading, merge } from '../reading.ts';
import { clientOf } from '../shell/curl.ts';
import { draftSetting, envOf } from '../setting.ts';
import { readCommand, readScript } from '../shell/script.ts';
import type { Place } from '../text.ts';
import { scopeOf } from '../variables.ts';
import type { World } from '../ownership.ts';
import { type Named, definitionsIn } from './definitions.ts';
import { parseJson } from './json.ts';
import { proseKeys, scriptKeys } from './keys.ts';
import { isCollection, readCollection } from './postman.ts';
import { describe, headersWithoutUrl, isApiDescription } from './requests.ts';
import { parseToml } from './toml.ts';
import { type Data, type Scalar, childrenOf, mapsIn } from './tree.ts';
import { parseYaml } from './yaml.ts';

/** Files in which texts are data: what was once recorded, what tools read. */
const dataFile =
  /(?:^|\/)(?:tsconfig[\w.-]*\.json|jsconfig\.json|composer\.lock|[\w.-]*\.lock\.json|.*\.har)$|(?:^|\/)(?:__)?(?:fixtures?|snapshots?|recordings?|cassettes?|testdata|__mocks__)(?:__)?\//i;
const manifest = /(?:^|\/)package\.json$/;
export const readJson = (source: string, bases: Bases, file: string): Reading =>
  readTrees(source, [parseJson(source) ?? []].flat(), bases, file);
export const readYaml = (source: string, bases: Bases, file: string): Reading => readTrees(source, parseYaml(source), bases, file);
export const readToml = (source: string, bases: Bases, file: string): Reading =>
  readTrees(source, [parseToml(source) ?? []].flat(), bases, file);

function readTrees(source: string, roots: readonly Data[], bases: Bases, file: string): Reading {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const definitions = roots.flatMap((root) => definitionsIn(root, name));
  const world = { source, bases, scope: scopeOf(definitions) };
  return merge(
    roots.map((root) => {
      if (dataFile.test(file) || isApiDescription(root)) return { drafts: [], envs: [] };
      if (manifest.test(file)) return scriptsOf(root, world, definitions);
      return isCollection(root) ? readCollection(root, world, definitions) : readTree(root, world, definitions);
    }),
  );
}

function readTree(root: Data, world: World, definitions: readonly Named[]): Reading {
  const client = clientOfTree(root);
  const described = mapsIn(root).flatMap((map) => describe(map, client, world) ?? []);
  const consumed = new Set(described.flatMap(({ consumed }) => [...consumed]));
  const rest = new Visitor(world, definitions, consumed);
  rest.visit(root, '');
  const keyless = [...described.flatMap(({ drafts }) => drafts), ...rest.drafts].filter(
    ({ edits }) => edits.length > 0 && !edits.some(({ what }) => what === 'header name'),
  );
  return merge([
    { drafts: [...described.flatMap(({ drafts }) => drafts), ...headersWithoutUrl(root, keyless)], envs: [] },
    ...rest.readings,
    { drafts: rest.drafts, envs: rest.envs, prose: rest.prose },
  ]);
}

function clientOfTree(root: Data): string {
  const keys =
    root.kind === 'map' ? root.entries.map(({ key, value }) => `${key.value} ${value.kind === 'scalar' ? value.value : ''}`) : [];
  if (keys.some((key) => /^__export_format|insomnia/.test(key))) return 'insomnia';
  return keys.some((key) => key.startsWith('nodes ')) ? 'n8n' : 'configuration';
}

/** Only the scripts of a manifest are run. */
function scriptsOf(root: Data, world: World, definitions: readonly Named[]): Reading {
  const scripts = root.kind === 'map' ? root.entries.flatMap(({ key, value }) => (key.value === 'scripts' ? childrenOf(value) : [])) : [];
  return merge(
    scripts.flatMap((script) =>
      script.kind === 'scalar' && script.text !== undefined ? readScript(world.source, script.text, world.bases, definitions) : [],
    ),
  );
}

/** Looks at each text that no request has claimed. */
class Visitor {
  readonly drafts: Draft[] = [];
  readonly envs: Env[] = [];
  readonly readings: Reading[] = [];
  readonly prose: Place[] = [];
  readonly #world: World;
  readonly #definitions: readonly Named[];
  readonly #names: ReadonlyMap<Scalar, Named>;
  readonly #consumed: ReadonlySet<Scalar>;

  constructor(world: World, definitions: readonly Named[], consumed: ReadonlySet<Scalar>) {
    this.#world = world;
    this.#definitions = definitions;
    this.#names = new Map(definitions.map((definition) => [definition.scalar, definition]));
    this.#consumed = consumed;
  }

  visit(data: Data, key: string): void {
    if (proseKeys.test(key)) this.prose.push(data);
    else if (data.kind === 'scalar') this.#scalar(data, key);
    else if (data.kind === 'map') for (const entry of data.entries) this.visit(entry.value, entry.key.value);
    else if (!this.#command(data)) for (const child of childrenOf(data)) this.visit(child, key);
  }

  /** `["CMD", "curl", …]`: a list that is the words of a command. */
  #command(list: Data): boolean {
    const words = childrenOf(list).flatMap((item) => (item.kind === 'scalar' && item.text !== undefined ? [item.text] : []));
    if (!words.slice(0, 3).some(({ value }) => /^(?:.*\/)?(?:curl|wget)$/.test(value) && clientOf(value) !== undefined)) return false;
    const { source, bases } = this.#world;
    this.readings.push(
      readCommand(
        source,
        words.filter(({ value }) => value !== 'CMD'),
        list,
        bases,
        this.#definitions,
      ),
    );
    return true;
  }

  #scalar(scalar: Scalar, key: string): void {
    // Most texts are neither addresses nor put together from variables.
    if (!/:\/|\$|\{\{/.test(scalar.value) || scalar.text === undefined || this.#consumed.has(scalar)) return;
    const { source, bases } = this.#world;
    if (scriptKeys.test(key) && /\s/.test(scalar.value.trim()))
      return void this.readings.push(readScript(source, scalar.text, bases, this.#definitions));
    const named = this.#names.get(scalar);
    const draft = draftSetting(named?.value ?? scalar.text, this.#world, named?.name);
    if (draft === undefined) return;
    this.drafts.push(draft);
    if (named !== undefined) this.envs.push(...envOf(named.name, draft));
  }
}
