/** Cypress: https://docs.cypress.io/api/commands/intercept. `cy.intercept` stands for requests of a page, `cy.request` makes one itself. */
import { posix } from 'node:path';
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { keysOf } from '../../evaluate/names/computed-names.ts';
import { flat, isAbsolute, sliceParts } from '../../evaluate/values/text.ts';
import { type Entry, type HttpValue, optionsOf, partsOf, plainText, unknown, type Value } from '../../evaluate/values/values.ts';
import type { ClientRule, Given, LibraryFunction, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Expression } from '../../syntax/tree.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import { type Manifest, manifestFilesAround } from '../../evaluate/names/manifests.ts';
import { orDefault } from '../../evaluate/language/or-default.ts';
import { escaped } from '../../find/words/literals.ts';
import { once } from '../../once.ts';
import { type Compared, unvalued } from './expected/compared.ts';
import { describedBy, interceptedAs } from './cypress-intercepts.ts';
import { receivedBy } from './mock-function.ts';
import { soughtBy } from './path-patterns.ts';
import { comparedBehind, comparedWith } from './cypress-keys.ts';
import { asReceived } from './expected/received-addresses.ts';
import { made } from '../shapes.ts';

const name = 'cypress';

const textOf = (value: Value | undefined): string | undefined => (value === undefined ? undefined : plainText(value));

function call(call: RuleCall): Value | undefined {
  const { path, on } = call;
  const [verb, ...more] = path;
  if (on !== undefined) return ofWaited(call, on);
  if (more.length > 0) return undefined;
  if (verb === 'wait' || verb === 'get') return waitedFor(call);
  if (verb !== 'intercept' && verb !== 'request') return undefined;
  const described = describedBy(call);
  const { url } = described;
  // Whoever calls a command of the project's own says what it asks for.
  if (verb === 'request' && url?.type === 'param') return made(name, 'request', call, described);
  if (url?.type !== 'text' && url?.type !== 'choice') return undefined;
  const texts = optionsOf(url).map((each) => flat(partsOf(each)));
  if (verb === 'request') {
    if (texts.every((text) => !/^[/\w]/.test(text) || isAbsolute(text))) return made(name, 'request', call, described);
    // A path alone is asked of the application itself, unless the configuration says whom.
    const base = isOverwritten(call.ev.world) ? unknown(call.node, call.module) : baseBelow(call);
    return base && made(name, 'request', call, { ...described, base, join: 'slash' });
  }
  return { ...made(name, 'request', call, described), mock: described.mock };
}

/** `cy.wait('@contacts')`: a request that an intercept stands for. */
function waitedFor(call: RuleCall): HttpValue | undefined {
  const [, alias] = /^@(.+)$/.exec(textOf(call.args[0]) ?? '') ?? [];
  const described = alias === undefined ? undefined : interceptedAs(alias, call);
  return described?.url && { ...receivedBy(call, { url: described.url }), client: name, mock: described.mock };
}

/** What is read and expected of a request that a test waited for: `cy.wait('@contacts').its('request.url').should('include', '/v1/contacts')`. */
function ofWaited(call: RuleCall, on: HttpValue): Value | undefined {
  const { path, args, node } = call;
  const [first, second] = args;
  const verb = path.at(-1) ?? '';
  const said = textOf(first);
  if (on.notes?.['received'] === undefined || said === undefined) return undefined;
  if (verb === 'its' && first !== undefined) {
    const [, before, header] = /^((?:request\.)?headers\.)(.+)$/.exec(said) ?? [];
    if (before === undefined || !isKeyHeader(header))
      return { type: 'method', receiver: on, path: [...path.slice(0, -1), ...said.split('.')] };
    const key: Value = { type: 'text', parts: sliceParts(partsOf(first), before.length, said.length) };
    return readOf(call, on, key, comparedBehind(node, call));
  }
  const of = path[0] === 'request' && (verb === 'should' || verb === 'and') ? path.slice(1, -1).join('.') : undefined;
  if (second === undefined) return undefined;
  if (of === 'headers' && isKeyHeader(textOf(second))) return readOf(call, on, second, comparedAs(said, call));
  return of === 'url' ? ofUrl(call, on, said, second) : undefined;
}

/** `should('have.property', 'x-api-key', key)`, which hands the header on, `should('have.any.keys', 'x-api-key')`. */
function comparedAs(said: string, call: RuleCall): readonly Compared[] | undefined {
  const { node, module } = call;
  if (/^(?!.*\bnot\b).*\bkeys?$/.test(said)) return [unvalued(node, module)];
  if (!/^(?!.*\bnot\b).*\bproperty$/.test(said)) return undefined;
  return node.args.length > 2 ? comparedWith(node.args[2], node, call) : comparedBehind(node, call);
}

function readOf(
  { node, module }: RuleCall,
  on: HttpValue,
  header: Value,
  compared: readonly Compared[] | undefined,
): HttpValue | undefined {
  if (compared === undefined) return undefined;
  const entries = keysOf(header).flatMap((key) => compared.map((each): Entry => ({ ...key, ...each, isLookup: true })));
  return { ...on, stage: 'request', node, module, headers: [{ type: 'object', node, module, entries, unknown: [] }] };
}

function ofUrl(call: RuleCall, on: HttpValue, said: string, expected: Value): HttpValue | undefined {
  const { node, module } = call;
  if (!/^(?:not\.)?(?:include|contain|match|eq|equal)s?$/.test(said)) return undefined;
  const address = asReceived(on, soughtBy(node.args[1], call) ?? expected, /eq/.test(said) ? 'call' : 'part');
  if (address?.url === undefined) return undefined;
  const { url, ...mock } = address;
  return { ...on, stage: 'request', node, module, url, mock };
}

/** `cy.intercept(url, (req) => …)`, `cy.wait('@contacts').then(({ request }) => …)`. */
function given({ path, on, index, argument, within, node, module, call, ev }: Given): Value | undefined {
  if (index !== 0 || within.length > 0) return undefined;
  const verb = path.at(-1) ?? '';
  if (on !== undefined) {
    const isHandedOn = argument === 0 && /^(?:then|should|and)$/.test(verb) && on.notes?.['received'] !== undefined;
    if (!isHandedOn) return undefined;
    const request = { ...receivedBy({ node, module }, { ...(on.url && { url: on.url }) }), ...(on.mock && { mock: on.mock }) };
    return path.length === 1 ? request : { type: 'method', receiver: request, path: path.slice(0, -1) };
  }
  if (verb !== 'intercept' || argument === 0) return undefined;
  const at = { module, frame: undefined };
  const { url, mock } = describedBy({ ...at, path, on, node: call, args: ev.args(call, at), ev });
  return url && { ...receivedBy({ node, module }, { url }), mock };
}

/** `Cypress.env('API_URL')`: what the configuration sets it to, or the command line: https://docs.cypress.io/api/cypress-api/env. */
const variable: LibraryFunction = (ev, [given], node, { module }) => {
  const name = textOf(given);
  const config = configOf(module, ev.world);
  if (name === undefined || config === undefined || config.isSetBeside(name)) return undefined;
  const own = { type: 'env', name: `CYPRESS_${name}`, node, module } as const;
  if (!config.module.text.includes(name)) return own;
  const set = setIn(config.module, name);
  return set && orDefault(own, ev.evaluate(set, { module: config.module, frame: undefined }));
};

/** `Cypress.Commands.overwrite('request', …)`: what it puts on each request is not followed. */
const isOverwritten = (world: World): boolean =>
  [...world.modules.values()].some(({ text }) => /\boverwrite\(\s*['"`]request['"`]/.test(text));

/** `e2e: { baseUrl }`, which the environment and the command line may say otherwise. */
function baseBelow({ ev, node, module }: RuleCall): Value | undefined {
  const config = configOf(module, ev.world);
  const bases = config === undefined ? [] : nodesOfKind(config.module.tree.program, 'property').filter((each) => each.name === 'baseUrl');
  const [base, ...others] = bases;
  if (config === undefined || base === undefined) return undefined;
  const own = { type: 'env', name: 'CYPRESS_BASE_URL', node, module } as const;
  const value = ev.evaluate(base.value, { module: config.module, frame: undefined });
  // Pages, other commands and plugins go by it, too: it stays as it is.
  const isVersioned = /\/v\d(?:\/|$)/.test(plainText(value) ?? '');
  const isOpen = others.length > 0 || /\.baseUrl\b/.test(config.module.text) || ['baseUrl', 'base_url'].some(config.isSetBeside);
  return isOpen || isVersioned ? unknown(node, module) : orDefault(own, value);
}

/** What sets variables beside a test that reads some, or what may read those that a configuration sets to an address: their names may be in any letters. */
function reachedBy(text: string): RegExp | undefined {
  if (/\bCypress\.env\(/.test(text)) return /\bCypress\.env\(|\be2e['"]?\s*:|^(?=[^]*\benv['"]?\s*:)[^]*\bcy\.\w+\(/;
  if (/\bbaseUrl['"]?\s*:/.test(text) && /\be2e['"]?\s*:/.test(text)) return /\bcy\s*\.\w+\(/;
  const set = Array.from(text.matchAll(/\benv['"]?\s*:\s*\{([^{}]*)/g), ([, each = '']) => each);
  const names = set.flatMap((each) => Array.from(each.matchAll(/\b(\w+)['"]?\s*:\s*['"`]https?:/g), ([, name]) => name));
  return names.length === 0 ? undefined : new RegExp(`^(?=[^]*\\b(?:Cypress|cy)\\.)[^]*\\b(?:${names.join('|')})\\b`);
}

interface Configuration {
  readonly module: SourceModule;
  readonly folder: string;
  /** Whether a script of a package, the file of a developer's own values, or a test names a variable otherwise than to read it. */
  readonly isSetBeside: (name: string) => boolean;
}

const configOf = ({ file }: SourceModule, world: World): Configuration | undefined =>
  configsIn(world).find(({ folder }) => file.startsWith(folder));

const configs = new WeakMap<World, readonly Configuration[]>();

/** The nearest to a file comes before those around it. */
function configsIn(world: World): readonly Configuration[] {
  const known = configs.get(world);
  if (known !== undefined) return known;
  const found = [...world.modules.values()].flatMap((module): Configuration[] => {
    const [folder] = /^(?:.*\/)?(?=cypress\.config\.[cm]?[jt]s$)/.exec(module.file) ?? [];
    if (folder === undefined) return [];
    const beside = once(() => textsBeside(module, world));
    const words = once(() => new Set(beside().flatMap((text) => text.toLowerCase().match(/\w+/g) ?? [])));
    const ofOthers = once(() => {
      const own = new Set(givenTo(module.file, world).map(({ file }) => file));
      const others = found.flatMap((other) => (other.module === module ? [] : givenTo(other.module.file, world)));
      return new Set(others.flatMap(({ file, text }) => (own.has(file) ? [] : versionedIn(text))));
    });
    const isWritten = once(() => beside().some((text) => /\bCypress\.env\((?!['"`][\w.-]+['"`],)/.test(text)));
    const isSetBeside = (name: string): boolean =>
      isWritten() ||
      !/^\w+$/.test(name) ||
      ofOthers().has(name.toLowerCase()) ||
      ['', 'cypress_'].some((prefix) => words().has(prefix + name.toLowerCase()));
    return [{ module, folder, isSetBeside }];
  });
  const sorted = found.toSorted((one, other) => other.folder.length - one.folder.length);
  configs.set(world, sorted);
  return sorted;
}

/** The variables that a text sets to an address with v1's version: it moves with all that is read by such a name, whichever configuration it is given to. */
const versionedIn = (text: string): string[] =>
  Array.from(text.matchAll(/(\w+)["']?\s*[:=][\s"'\\]*https?:\/\/[^\s"',;\\]*\/v1(?!\w)/g), ([, name = '']) =>
    name.toLowerCase().replace(/^cypress_/, ''),
  );

/** The files that may set variables for a configuration: its values, and the scripts of packages around it. */
const givenTo = (config: string, world: World): readonly Manifest[] => [
  ...[world.reached?.(config, './cypress.env.json') ?? []].flat(),
  ...manifestFilesAround(config, world),
];

/** What may set variables of Cypress beside a configuration to anything else, without what reads one. */
function textsBeside(config: SourceModule, world: World): readonly string[] {
  // Manifests may be among them.
  const tests = [...world.modules.values()].filter(
    (module) => module !== config && !module.file.endsWith('.json') && configOf(module, world)?.module === config,
  );
  const isSame = (name: string, value: string): boolean =>
    new RegExp(`\\b${name}['"]?\\s*:\\s*['"\`]${escaped(value)}['"\`]`).test(config.text);
  return [
    ...givenTo(config.file, world).map(({ file, text }) =>
      file.endsWith('cypress.env.json')
        ? withoutSame(text, /"(\w+)"\s*:\s*"([^"\\]*)"/g, isSame)
        : withoutGiven(text, isSame, posix.relative(posix.dirname(file), posix.dirname(config.file))),
    ),
    ...tests.map(({ text }) => text.replaceAll(/\bCypress\.env\(\s*(['"`])[\w.-]+\1\s*\)/g, '')),
  ];
}

type IsSame = (name: string, value: string) => boolean;

/** Without what sets a variable to what the configuration does: it is read as any variable of the environment, and both move together. */
const withoutSame = (text: string, setting: RegExp, isSame: IsSame): string =>
  text.replaceAll(setting, (set: string, name: string, value: string) => (isSame(name, value) ? '' : set));

/**
 * The same of scripts, by `cypress run --env url=…,key=…` and in the environment, but where that is in a container, or for another folder.
 * @param folder of the configuration, from where the scripts are run
 */
const withoutGiven = (manifest: string, isSame: IsSame, folder: string): string =>
  manifest.replaceAll(/"(?:\\.|[^"\\])*"/g, (script) => {
    const projects = Array.from(script.matchAll(/\s(?:--project|-P)[ =]['"\\]*([^\s'"\\]*)/g), ([, project = '']) =>
      posix.relative('', project),
    );
    if (projects.some((project) => project !== folder) || isElsewhere.test(script)) return script;
    const given = script.replaceAll(/[^"&|;]*\bcypress (?:run|open)\b[^"&|;]*/g, (command) =>
      withoutSame(command, /(?<=[ =,])(\w+)=([^\s"'\\,]*)(?=[\s,]|$)/g, isSame),
    );
    return withoutSame(given, /\bCYPRESS_(\w+)=([^\s"'\\]*)(?=[\s"])/g, isSame);
  });

/** In a container, or in a folder or by a configuration that is not followed. */
const isElsewhere = /\b(?:docker|podman)\b|(?<![\w-])(?:cd|pushd)\s|\s(?:--prefix|--cwd|--dir|--filter|--config-file|-C|-F)\b/;

/** What a configuration sets a variable to, where it does so once, and reads nothing beside itself that may do so, too. */
function setIn({ text: whole, tree }: SourceModule, name: string): Expression | undefined {
  // `config.env.other = …` says nothing of this one.
  const text = whole.replaceAll(/\bconfig\.env\.(\w+)(?=\s*=[^=>])/g, (found, each: string) => (each === name ? found : ''));
  if (/(?<!\b(?:process|meta))\.env\b|\b(?:from|require\(|import\()\s*['"]\.|\benv\b['"]?\s*[,(}]/.test(text)) return undefined;
  const [set, ...others] = nodesOfKind(tree.program, 'property').filter((each) => each.name === name);
  if (set?.parent?.kind !== 'object' || others.length > 0) return undefined;
  const { parent, properties } = set.parent;
  return parent?.kind === 'property' && parent.name === 'env' && properties.every(({ kind }) => kind === 'property')
    ? set.value
    : undefined;
}

export const cypressRule: ClientRule = {
  name,
  title: 'Cypress',
  isForTests: true,
  globals: ['cy'],
  functions: { 'Cypress.env': variable },
  ambient: { mark: /\bCypress\.env\(|\be2e['"]?\s*:/, reached: reachedBy },
  call,
  given,
};
