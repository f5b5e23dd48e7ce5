/**
 * Servers that stand in for the service where a whole application is tested: nobody imports them. A configuration starts them, and sets the
 * variable that a client has its base from to the port that they listen on.
 */
import { basename } from 'node:path';
import { nestedIn } from '../../find/packages/projects.ts';
import { standsInByName } from '../../find/packages/stand-ins.ts';
import { escaped, madeUpHost } from '../../find/words/literals.ts';
import { pagesOfOthers } from '../../find/words/pages-of-others.ts';
import { startsServer } from '../servers/frameworks.ts';
import { configuredRunners, networkMocks, ofRunner, ownServerAskers, quoted } from './libraries.ts';

const ports = /\b(?:listen|\w*port)\b[^\n]{0,40}?\b(\d{4,5})\b/gi;
/** What is tested itself stands in for nothing. */
const asking = new RegExp(String.raw`${quoted(ownServerAskers)}|\.inject\(`);

/** Whether a file is called as a server that stands in for another, and has one that nothing there asks. */
export const isStandIn = (file: string, text: string): boolean =>
  standsInByName.test(file) && startsServer.test(text) && !asking.test(text);

const ofBrowser = /(?:^|\/)(?:playwright|cypress|e2e|tests?|specs?|__tests__)\/|(?:[.-](?:test|spec|cy|e2e)\.[cm]?[jt]|_test\.m?t)sx?$/;
// undici's mocks are given an object, and watch what runs beside them: `pool.intercept({ path: '…' })`.
const watching =
  /\.\s*(?:route|waitForRe\w+)\s*\(|\.\s*intercept\s*\(\s*[^\s{]|\b(?:page|context|cy)\s*\.\s*on\s*\(|\bcy\s*\.\s*intercept\b/;

/** Whether a file of tests watches what a browser asks: nobody there imports what the page runs. */
export const isOfBrowser = (file: string, text: string): boolean => ofBrowser.test(file) && watching.test(text);

/** Whether no page runs a file, by its text: a runner of tests does, as k6, or a tool says in its first line who runs it. */
export const runsByItself = (text: string): boolean => text.startsWith('#!') || ofRunner.test(text);

/** What configures tests, and how an application is run. */
const configuring = /\.config\.[cm]?[jt]s$|^\.env|compose[\w.-]*\.ya?ml$|^package\.json$|setup/i;
export const isConfiguring = (file: string): boolean => configuring.test(basename(file));

/** @returns those that a server's file says it listens on, and that configurations start it with: `PORT=4010 node e2e/fake.mjs`, `{ command: 'node e2e/fake.mjs', port: 4010 }` */
export function portsOf(file: string, text: string, configurations: readonly string[]): ReadonlySet<string> {
  const name = String.raw`(?<![\w.-])${escaped(basename(file))}`;
  const given = new RegExp(
    String.raw`\bPORT=(\d{4,5})\s[^&|;"'\n]{0,200}?${name}\b|${name}['"\`][^}]{0,80}?\bport['"]?:\s*['"]?(\d{4,5})\b`,
    'gi',
  );
  return new Set([
    ...Array.from(text.matchAll(ports), ([, port = '']) => port),
    ...configurations.flatMap((each) => Array.from(each.matchAll(given), ([, before, behind = '']) => before ?? behind)),
  ]);
}

export const hasSeveralServers = (text: string): boolean => (text.match(/\blisten\(|\bserve\(\s*\{/g) ?? []).length > 1;

/** What WireMock and MockServer answer, by the paths that they are asked for. */
const answering = /"url(?:Path(?:Pattern|Template)?|Pattern)"\s*:|"http(?:Response|Forward|Error|OverrideForwardedRequest)\w*"\s*:/;
/** What WireMock answers with, beside its mappings. */
const inBodies = /(?:^|\/)__files\/(?:[^/]+\/)*[^/]+\.json$/;
const inMappings = /(?:^|\/)mappings\/(?:[^/]+\/)*[^/]+\.json$/;

/** Whether a file says what a server of another's make answers in the place of a service. */
export const isOfMockServer = (file: string, text: string): boolean =>
  file.endsWith('.json') && (inBodies.test(file) || (inMappings.test(file) ? /"response"\s*:/ : answering).test(text));

const set = /\b([A-Z][A-Z0-9_]+)['"]?\s*[:=]\s*['"`]?https?:\/\/(?:\d+(?:\.\d+){3}|[\w-]+):(?:(\d{4,5})\b|\$\{(\w+)\})/g;
/** `const STUB_PORT = 4010` */
const portOf = (constant: string, text: string): string | undefined =>
  new RegExp(`\\b${constant}\\s*=[^\\n;]{0,60}?\\b(\\d{4,5})\\b`).exec(text)?.[1];

/** What runs tests or prepares them, and sets variables for what they test. */
const runners = new RegExp(
  String.raw`(?:^|\/)(?:${configuredRunners})[\w.-]*\.config\.[cm]?[jt]s$|(?:^|[/._-])setup[\w.-]*\.[cm]?[jt]s$`,
  'i',
);
/** `API_URL: 'https://api.test/v1'`, `stubEnv('API_URL', 'http://localhost:4010')` */
const setToNobody = new RegExp(
  String.raw`\b([A-Z][A-Z\d_]+)['"\]]*\s*[:=,]\s*['"\`](https?://(?:127(?:\.\d+){3}(?::\d+)?|${madeUpHost}))(?=['"\`/])`,
  'g',
);
/** Whether a file sets a variable to the machine itself or to what nobody has: tests read that without a name of the file. */
export const setsStandIn = (text: string): boolean => text.search(setToNobody) !== -1;
/** Mocks in a file of their own, which tests share. */
const mocking = new RegExp(quoted(networkMocks));
const isTestItself = /(?:[.-](?:test|spec|cy|e2e)\.[cm]?[jt]|_test\.m?t)sx?$/;

/**
 * @param scripts files that speak of v1
 * @param all every file of the run
 * @returns for each such server, and each configuration of tests, the variables that are set to it, and the files that have their base from one of them; for
 *   tests of a browser whatever a page may run
 */
export function standInsIn(
  scripts: readonly string[],
  all: readonly string[],
  read: (file: string) => string,
): ReadonlyMap<string, StandIn> {
  const standing = scripts.filter((file) => standsInByName.test(file) && isStandIn(file, read(file)));
  const configurations = standing.length === 0 ? [] : all.filter(isConfiguring);
  const isNear = nestedIn(all.map((path) => ({ path })));
  const servers = standing.map((file) => ({
    file,
    ports: portsOf(file, read(file), configurations.filter((by) => isNear(by, file)).map(read)),
  }));
  const settingsIn = (file: string): Setting[] => {
    const text = read(file);
    return Array.from(text.matchAll(set), ([, name = '', port, constant = '']) => ({ name, port: port ?? portOf(constant, text) }));
  };
  const settings = configurations.flatMap((file) => settingsIn(file).map((setting) => ({ ...setting, file })));
  const prepared = scripts
    .filter((file) => runners.test(file))
    .map((file) => ({ file, hosts: Array.from(read(file).matchAll(setToNobody), ([, name = '', host = '']) => ({ name, host })) }));
  const preset = prepared.flatMap(({ hosts }) => hosts);
  const shared =
    preset.length === 0 ? [] : scripts.filter((file) => standsInByName.test(file) && !isTestItself.test(file) && mocking.test(read(file)));
  const namesFor = [
    ...shared.map((file) => ({ file, names: preset.flatMap(({ name, host }) => (read(file).includes(host) ? [name] : [])) })),
    ...servers.map(({ file, ports: own }) => ({
      file,
      names: settings.flatMap(({ name, port, file: by }) => (port !== undefined && own.has(port) && isNear(by, file) ? [name] : [])),
    })),
    ...prepared.map(({ file, hosts }) => ({ file, names: [...settingsIn(file), ...hosts].map(({ name }) => name) })),
  ];
  const ofOthers = pagesOfOthers(all, read);
  const watchers = scripts.filter((file) => isOfBrowser(file, read(file)) && ofOthers(file) === undefined);
  const pages =
    watchers.length === 0
      ? []
      : scripts.filter((file) => !standsInByName.test(file) && !runners.test(file) && !ofBrowser.test(file) && !runsByItself(read(file)));
  return new Map<string, StandIn>([
    ...watchers.flatMap((file) => (pages.length === 0 || pages.length > maxPages ? [] : [[file, { clients: pages, names: [] }] as const])),
    ...namesFor.flatMap(({ file, names }) => {
      const reading = names.length === 0 ? undefined : new RegExp(`\\b(?:${names.join('|')})\\b`);
      const isClient = (each: string): boolean => !standsInByName.test(each) && !runners.test(each) && reading?.test(read(each)) === true;
      const clients = reading === undefined ? [] : scripts.filter(isClient);
      return clients.length === 0 ? [] : [[file, { clients, names }] as const];
    }),
  ]);
}

/** In larger projects the tests of a browser stay by themselves. */
const maxPages = 200;

export interface StandIn {
  readonly clients: readonly string[];
  readonly names: readonly string[];
}

interface Setting {
  readonly name: string;
  readonly port: string | undefined;
}
