/** JSON, YAML and TOML: which of their texts are addresses, requests, scripts or data. */
import { escaped } from '../../find/words/literals.ts';
import { v1Auth } from '../../../src/contract/auth.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { type ParseFault, type Reading, type Setting, type Stretch, type WrittenRequest, emptyReading, merge } from '../reading.ts';
import { clientOf } from '../shell/curl.ts';
import { mayTakeByName } from '../shell/taken-by-name.ts';
import { readCommand, readScripts } from '../shell/script.ts';
import { givenToMachine } from '../shell/given.ts';
import { givenIn } from '../shell/programs.ts';
import { commandsIn } from '../shell/words.ts';
import { variablesIn } from '../shell/written-variables.ts';
import { type Text, type TextRange, nothing, unplaced } from '../text.ts';
import { type Scope, scopeOf, shadowing } from '../variables.ts';
import { settingOf } from '../written.ts';
import { yamlParts } from '../yaml-parts.ts';
import { isLoadTest, readLoadTest } from './artillery.ts';
import { type Named, definitionsIn, matrixIn } from './definitions.ts';
import { describedBy, isApiDescription } from './api-description.ts';
import { substitutedIn } from './cloudformation.ts';
import { contributedIn } from './contributed-settings.ts';
import { parseJson } from './json.ts';
import { proseKeys, scriptKeys } from './key-meanings.ts';
import { isCollection, readCollection } from './postman.ts';
import { programsIn, programsOf, withReceivers } from './programs.ts';
import { asContainersHaveIt, buildsServices } from './compose.ts';
import { withPatches } from './patches.ts';
import { describe, isGatewayEvent, looseKeysIn } from './requests.ts';
import { selfIn } from './serverless.ts';
import { parametersIn } from './sam-overrides.ts';
import { defaultsIn, valuesIn } from './templates.ts';
import { parseToml } from './toml.ts';
import { type Data, type DataMap, type Parsed, type Scalar, childrenOf, entryOf, mapOf, mapsIn, offsetBy, textOf } from './tree.ts';
import { parseYaml } from './yaml.ts';

/** Files in which texts are data: what was once recorded, what tools read. */
const dataFile =
  /(?:^|\/)(?:tsconfig[\w.-]*\.json|jsconfig\.json|composer\.lock|[\w.-]*\.lock\.json|.*\.har)$|(?:^|\/)(?:__)?(?:fixtures?|snapshots?|recordings?|cassettes?|testdata|__mocks__)(?:__)?\//i;
const manifest = /(?:^|\/)(?:package\.json|deno\.jsonc?)$/;

export function readJson(stretch: Stretch): Reading {
  const { roots, fault } = parseJson(stretch.text);
  // The library goes on behind a fault, and may be wrong about what belongs together.
  return isBroken(fault, stretch) ? { ...emptyReading, fault } : readTrees(roots, stretch);
}

type Others = readonly Pick<SourceText, 'file' | 'text'>[];

export function readYaml(stretch: Stretch, others?: Others): Reading {
  const { roots, fault } = parseYaml(stretch.text);
  const reading = read(
    { roots: roots.map((root) => asContainersHaveIt(withPatches(root, stretch.source.file), stretch.source.file, others ?? [])), fault },
    stretch,
    others,
  );
  // What a document shows of a workflow, no engine reads.
  const isWhole = stretch.text.length === stretch.source.text.length;
  const parts = yamlParts(stretch.text).filter(({ extension }) => isWhole || extension === 'nginx');
  return { ...reading, elsewhere: [...reading.elsewhere, ...parts.map((place) => offsetBy(place, stretch))] };
}

export const readToml = (stretch: Stretch): Reading => read(parseToml(stretch.text), stretch);

const read = ({ roots, fault }: Parsed, stretch: Stretch, others?: Others): Reading => ({
  ...readTrees(roots, stretch, others),
  fault: isBroken(fault, stretch) ? fault : undefined,
});

/** Blocks of documents are cut short, and templates are filled in before anybody parses them. */
const isBroken = (fault: ParseFault | undefined, { source, text }: Stretch): boolean =>
  fault !== undefined && text.length === source.text.length && !dataFile.test(source.file) && !template.test(text);

const template = /(?<!\$)\{\{|\{%|<%/;

/** What is known around a tree. */
export interface Around {
  readonly stretch: Stretch;
  readonly scope: Scope;
  readonly definitions: readonly Named[];
  /** Whether a container is built of these files beside those that are started. */
  readonly isBuiltBeside: boolean;
}

function readTrees(roots: readonly Data[], stretch: Stretch, others: Others = []): Reading {
  const { file } = stretch.source;
  if (dataFile.test(file)) return emptyReading;
  const definitions = roots.flatMap((root) => {
    const own = withReceivers(definitionsIn(root, file.slice(file.lastIndexOf('/') + 1)), root);
    return [...own, ...defaultsIn(own), ...valuesIn(root, file, others), ...parametersIn(root, file)];
  });
  const around = {
    stretch,
    scope: scopeOf([...definitions, ...roots.flatMap(matrixIn), ...roots.flatMap(selfIn), ...roots.flatMap(substitutedIn)]),
    definitions,
    isBuiltBeside: roots.some((root) => buildsServices(root, file, others)),
  };
  return merge(
    roots.map((root) => {
      if (isApiDescription(root)) return { ...emptyReading, descriptions: [describedBy(root) ?? []].flat() };
      if (isGatewayEvent(root, file)) return emptyReading;
      if (manifest.test(file)) return { ...scriptsOf(root, around), contributed: contributedIn(root) };
      if (isLoadTest(root)) return readLoadTest(root, around);
      return isCollection(root) ? readCollection(root, around) : readTree(root, around);
    }),
  );
}

function readTree(root: Data, around: Around): Reading {
  const client = clientOfTree(root);
  const left = leftIn(root, around.stretch);
  const described = mapsIn(root).flatMap((map) => describe(map, client, around, left.has(map)));
  const rest = new Visitor(root, around, new Map(described.map(({ url, request }) => [url, request])));
  rest.visit(root, '');
  return merge([
    { requests: described.map(({ request }) => request), looseKeys: looseKeysIn(root, around.stretch) },
    ...rest.readings,
    { settings: rest.settings, prose: rest.prose.map((place) => offsetBy(place, around.stretch)) },
  ]);
}

/**
 * All that stays as it is: what a test expects or was recorded, below `expected_request` or in a file of JSON with its answer beside it, and what is v1's
 * of two versions.
 */
function leftIn(root: Data, { source }: Stretch): ReadonlySet<Data> {
  const found = new Set<Data>();
  const isJson = source.file.endsWith('.json');
  const visit = (data: Data, isLeft: boolean): void => {
    if (isLeft) found.add(data);
    if (data.kind !== 'map') return childrenOf(data).forEach((child) => visit(child, isLeft));
    const keys = new Set(data.entries.map(({ key }) => key.value.toLowerCase()));
    const isAnswered = isJson && hasAnswer(data);
    for (const { key, value } of data.entries)
      visit(value, isLeft || isAnswered || expectation.test(key.value) || hasSuccessor(key.value.toLowerCase(), keys));
    if (isAnswered) found.add(data);
  };
  visit(root, false);
  return found;
}

const expectation = /^(?:[Ee]xpect(?:s|ed|ations?)?|[Rr]ecord(?:ed|ings?)|(?:http_)?interactions)(?![a-z])/;

/** `"res": { "statusCode": 200 }`, in a log, an archive of a browser or for a mock; in YAML runners of tests have what they expect so. */
function hasAnswer(map: DataMap): boolean {
  const answer = mapOf(map, /^res(?:ponse)?$/i);
  return answer !== undefined && textOf(answer, /^status(?:_?code)?$/i) !== undefined;
}

/** `[api.v1]` beside `[api.v2]`: a program or a person compares them. What stands `before` and `after` is run in turn. */
const hasSuccessor = (key: string, keys: ReadonlySet<string>): boolean =>
  successors.some(([one, next]) => key.includes(one) && keys.has(key.replace(one, next)));

const successors = [
  ['v1', 'v2'],
  ['old', 'new'],
] as const;

function clientOfTree(root: Data): string {
  const keys =
    root.kind === 'map' ? root.entries.map(({ key, value }) => `${key.value} ${value.kind === 'scalar' ? value.value : ''}`) : [];
  if (keys.some((key) => /^__export_format|insomnia/.test(key))) return 'insomnia';
  return keys.some((key) => key.startsWith('nodes ')) ? 'n8n' : 'configuration';
}

/** Only the scripts of a manifest are run. */
function scriptsOf(root: Data, { stretch, scope }: Around): Reading {
  const entries = root.kind === 'map' ? root.entries : [];
  // A task of Deno may be a command with a description.
  const scripts = entries
    .flatMap(({ key, value }) => (/^(?:scripts|tasks)$/.test(key.value) ? childrenOf(value) : []))
    .flatMap((script) => (script.kind === 'map' ? (textOf(script, /^command$/) ?? []) : script));
  return merge(
    scripts.flatMap((script) => (script.kind === 'scalar' && script.text !== undefined ? readScripts([script.text], stretch, scope) : [])),
  );
}

/** What a request takes of a variable beside a whole address: a version, a path, the header's name, a scheme, a host, a port. */
const partOfRequest = new RegExp(String.raw`^/?v\d+(?:/|$)|${v1Auth.field}|^(?:https?|\d+|[\w-]+(?:\.[\w-]+)+(?::\d+)?)$`, 'i');

/** Looks at each text. */
class Visitor {
  readonly settings: Setting[] = [];
  readonly readings: Reading[] = [];
  readonly prose: TextRange[] = [];
  readonly #around: Around;
  readonly #names: ReadonlyMap<Scalar, readonly Named[]>;
  readonly #owned: ReadonlyMap<Data, readonly Named[]>;
  readonly #requests: ReadonlyMap<Scalar, WrittenRequest>;
  readonly #programs: ReturnType<typeof programsIn>;
  readonly #isWorkflow: boolean;
  readonly #isPlaybook: boolean;
  /** What is set for all that stands around. */
  readonly #outer: (readonly Named[])[] = [];

  /** @param requests by the value that is their URL */
  constructor(root: Data, around: Around, requests: ReadonlyMap<Scalar, WrittenRequest>) {
    this.#programs = programsIn(root, around.isBuiltBeside);
    this.#around = around;
    this.#isWorkflow = around.stretch.source.file.includes('.github/');
    this.#isPlaybook = root.kind === 'list' && root.items.some((play) => play.kind === 'map' && entryOf(play, /^hosts$/) !== undefined);
    this.#names = Map.groupBy(around.definitions, ({ scalar }) => scalar);
    this.#owned = Map.groupBy(around.definitions, ({ owner }) => owner);
    this.#requests = requests;
  }

  /** @param outer what is set around it: of variables that several services, jobs or containers have, each sees its own */
  visit(data: Data, key: string, outer = this.#around.scope): void {
    const own = this.#owned.get(data);
    if (own !== undefined) this.#outer.push(own);
    this.#visit(data, key, own === undefined ? outer : shadowing(own, outer));
    if (own !== undefined) this.#outer.pop();
  }

  #visit(data: Data, key: string, scope: Scope): void {
    if (proseKeys.test(key)) this.prose.push(data);
    else if (data.kind === 'scalar') this.#scalar(data, key, scope);
    else if (data.kind === 'map') {
      const program = programOf(data);
      const step = stepOfLanguage(data);
      if (step !== undefined) this.#ofLanguage(step, scope);
      if (program !== undefined) this.#run(program.words, program.place, scope);
      for (const { key, value } of data.entries) if (value !== program?.place && value !== step) this.visit(value, key.value, scope);
    } else if (!this.#command(data, scope)) for (const child of childrenOf(data)) this.visit(child, key, scope);
  }

  /** `["CMD", "curl", …]`: a list that is the words of a command. */
  #command(list: Data, scope: Scope): boolean {
    const words = wordsOf(list);
    if (!words.slice(0, 3).some(({ value }) => /^(?:.*\/)?(?:curl|wget)$/.test(value) && clientOf(value) !== undefined)) return false;
    this.#run(
      words.filter(({ value }) => value !== 'CMD'),
      list,
      scope,
    );
    return true;
  }

  #run(words: readonly Text[], place: TextRange, scope: Scope): void {
    this.readings.push(readCommand(words, place, this.#around.stretch, scope));
  }

  #scalar(scalar: Scalar, key: string, scope: Scope): void {
    // One text may be what several variables are.
    for (const named of this.#names.get(scalar) ?? [undefined]) this.#text(scalar, key, scope, named);
  }

  #ofMachine(script: Text, scope: Scope): void {
    this.readings.push({ ...emptyReading, passedOn: givenToMachine(script, this.#given(), this.#around.stretch, scope) });
  }

  /** What a workflow's step has is set for it, its job or all; elsewhere it may stand anywhere in the file. */
  #given(): ReadonlySet<string> {
    return new Set((this.#isWorkflow ? this.#outer.flat() : this.#around.definitions).map(({ name }) => name));
  }

  /** A step in a language that is not read has what it names. */
  #ofLanguage({ value, start, end }: Scalar, scope: Scope): void {
    const sets = [...this.#given()].filter((name) => new RegExp(String.raw`\b${escaped(name)}\b`).test(value));
    const passedOn = givenIn(
      sets.map((name) => ({ name, value: unplaced(`\${${name}}`) })),
      { start, end },
      this.#around.stretch,
      scope,
    );
    this.readings.push({ ...emptyReading, passedOn });
  }

  #text(scalar: Scalar, key: string, scope: Scope, named: Named | undefined): void {
    // The `script` of an action is another's, mostly on another machine.
    const isRun = this.#isWorkflow ? key === 'run' : ofPipeline.test(key) || (this.#isPlaybook && ofTask.test(key));
    if (isRun && mayBeOfMachine.test(scalar.value) && scalar.text !== undefined) this.#ofMachine(scalar.text, scope);
    // Most texts are neither addresses, nor put together from variables, nor a part of a request that a variable holds, nor commands that take one by its name.
    const isTelling = /:\/|\$|\{\{|=["']?\/?v\d/.test(scalar.value) || (scriptKeys.test(key) && mayTakeByName.test(scalar.value));
    if ((!isTelling && !partOfRequest.test(named?.value.value ?? '')) || scalar.text === undefined) return;
    const { stretch } = this.#around;
    if (scriptKeys.test(key) && /\s/.test(scalar.value.trim())) return void this.readings.push(readScripts([scalar.text], stretch, scope));
    const written = named === undefined ? variablesIn(scalar.text) : [];
    if (written.length > 0)
      return void this.settings.push(...written.flatMap(({ name, value }) => settingOf(value, stretch, scope, { name }) ?? []));
    const setting = settingOf(named?.value ?? scalar.text, stretch, scope, {
      name: named?.name,
      programs: named && programsOf(named.owner),
      program: named && this.#programs(named.owner),
      of: this.#requests.get(scalar),
    });
    if (setting !== undefined) this.settings.push(setting);
  }
}

/** What a pipeline runs with all that its variables hold. */
const ofPipeline = /^(?:run|(?:before_|after_)?script|cmds?)$/;
const ofTask = /^(?:ansible\.builtin\.)?(?:command|shell)$/;
const mayBeOfMachine =
  /\/(?:opt|usr|snap|Applications)\/|\b(?:java|python[\d.]*|ruby|perl|php|dotnet|mono|go|Rscript)\s|\.(?:py|rb|php|pl|sh|[cm]?[jt]sx?)\b|\.\.?\/|\b(?:ba|z)?sh\b/;

/** `shell: python` of a workflow's step. */
const stepOfLanguage = (map: DataMap): Scalar | undefined =>
  /^(?:python|ruby|perl|php|node|deno|Rscript)\b/.test(textOf(map, /^shell$/)?.value ?? '') ? textOf(map, /^run$/) : undefined;

const wordsOf = (data: Data | undefined): Text[] =>
  data === undefined ? [] : childrenOf(data).flatMap((item) => (item.kind === 'scalar' && item.text !== undefined ? [item.text] : []));

/** `command: -fsS https://…`: the words of a text that is one command, over however many lines. */
function wordsWritten(data: Data): Text[] {
  if (data.kind !== 'scalar' || data.text === undefined) return [];
  const [command, another] = commandsIn(data.text);
  return command === undefined || another !== undefined ? [] : command.words.map(({ text }) => text);
}

/** A container whose program makes requests, and what it is given: the program may be its image's. */
function programOf(map: DataMap): { readonly words: readonly Text[]; readonly place: Data } | undefined {
  const [program, given] = [entryOf(map, /^entrypoint$/) ?? entryOf(map, /^command$/), entryOf(map, /^args$/) ?? entryOf(map, /^command$/)];
  if (given === undefined) return undefined;
  const words = given.value.kind === 'list' ? wordsOf(given.value) : wordsWritten(given.value);
  const own = program === given ? [] : program?.value.kind === 'scalar' ? [program.value.text ?? nothing] : wordsOf(program?.value);
  if (own.length === 1 && clientOf(own[0]?.value ?? '') !== undefined) return { words: [...own, ...words], place: given.value };
  const isOfImage = own.length === 0 && /(?:^|\/)curl(?:[:@]|$)/.test(textOf(map, /^image$/)?.value ?? '');
  return isOfImage && /^(?:-|https?:)/.test(words[0]?.value ?? '')
    ? { words: [unplaced('curl'), ...words], place: given.value }
    : undefined;
}
