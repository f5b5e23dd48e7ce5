/** What v2 does differently and only a person can decide: reported, never edited. By the kind of node. */
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import { namesAngular } from '../clients/http/frameworks/angular.ts';
import { lastName } from '../clients/names.ts';
import { clientRules } from '../clients/registry.ts';
import { publicVariables } from '../clients/settings/page-variables.ts';
import { combined } from '../evaluate/libraries/combined.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { importedBy } from '../evaluate/names/specifiers.ts';
import type { World } from '../evaluate/program.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';
import { optionsOf, partsOf, type Value } from '../evaluate/values/values.ts';
import { type Finding, type FindingCode, ofLimits } from '../model.ts';
import { nodesOfKind } from '../syntax/link.ts';
import type { BinaryNode, CallNode, Expression, MemberNode, Node, PatternProperty, PropertyNode, StringNode } from '../syntax/tree.ts';
import { fieldRead } from './answers/error-fields.ts';
import { errorSchemas, mayDescribeAnswers } from './answers/answer-schemas.ts';
import { codeOfEntry, isDocumented, limitCodeIn, mayReadAnswers, readOfAnswer } from './answers/answer-texts-and-headers.ts';
import { isBackoff, isFallback, isNearLimit, isPaceOfMinute, isQuietTime, isTooMany, mayWaitForLimit } from './limits/waits-by-name.ts';
import { isOwnWindow, mayCountMinutes, mayWait, minuteGivenBack, speaksOfLimit, waitsAMinute } from './limits/waits-by-code.ts';
import { isMinuteLimit, minuteLimitIn } from './limits/minute-names.ts';
import { minuteWindowOf } from './limits/limiter-options.ts';
import { isOfRetries, mayGiveWait } from './limits/retry-options.ts';
import { decidingFields } from './answers/deciding-fields.ts';
import { deniedElsewhere } from './headers/tests/denied-keys.ts';
import { isExpectedOfService } from './answers/expected-answers.ts';
import { takenInTurn } from './limits/keys-in-turn.ts';
import { pollersOf } from './limits/polling.ts';
import type { CallGraph } from '../requests/call-graph.ts';
import { headerReads } from './headers/reads/reads.ts';
import { mayNameVersion } from './paths/sdk-versions.ts';
import { listedIn } from './ledger/page-texts.ts';
import { slashTaken } from '../verdict/asked-otherwise.ts';
import { pathGiven } from '../verdict/named-places.ts';
import { succeededBy } from '../verdict/verdicts.ts';
import { linkOf } from '../verdict/next-page-links.ts';
import { isOpenProxy, placesOf, type RequestSite } from '../verdict/request-sites.ts';
import { ruleNamed } from '../evaluate/libraries/rules.ts';

/** Packages that hold calls back, and those that wait between tries. */
const { throttles, retries } = combined(clientRules);
const minuteWindow = minuteWindowOf({ throttles, retries });

/** Whether a file without anything suspicious may still hold what is advised on. */
export const isAdvisable = (text: string): boolean =>
  /per_?min|rpm\b|minute_?limit|\bexisted\b|\bresetAt\b|\bupgradeUrl\b|rate-?limit-/i.test(text) ||
  mayGiveWait(text) ||
  speaksOfLimit(text) ||
  mayCountMinutes(text) ||
  mayWaitForLimit(text) ||
  mayNameVersion(text) ||
  throttles(text) ||
  retries(text) ||
  mayDescribeAnswers(text);

/** Whether a text may hold what is advised on, by words that none of it is without; what is escaped may be any of them. */
export const mayHoldAdvice = (text: string): boolean => text.includes('\\') || isAdvisable(text) || mayReadAnswers(text);

/** Whether a statement may hold what is advised on by what stands elsewhere in its file. */
export const mayBeAdvised = (text: string): boolean => mayHoldAdvice(text) || mayWait(text);

interface Advice {
  readonly code: FindingCode;
  readonly node: Pick<Node, 'start' | 'end'>;
  readonly module: SourceText;
  readonly detail?: Readonly<Record<string, string>>;
}

/** At the node that is looked at, if not at a part of it. */
type Advised = (Omit<Advice, 'node' | 'module'> & Partial<Pick<Advice, 'node'>>) | undefined;
const answerShape = (what: string | undefined): Advised => (what === undefined ? undefined : dependingOn(what));
const dependingOn = (what: string) => ({ code: 'answer-shape', detail: { what } }) as const;

/** By the kind of node first, as most nodes of every file come by here. */
function adviceAt(ev: Evaluation, node: Node, module: SourceModule): readonly Advised[] {
  switch (node.kind) {
    case 'string':
      return [limitCode(node), answerShape(readOfAnswer(node, module)), expectedAnswer(ev, node, module)];
    case 'literal':
      return [answerShape(readOfAnswer(node, module))];
    case 'member':
      return [answerShape(fieldRead(ev, node, module)), minuteVariable(node)];
    case 'patternProperty':
      return [answerShape(fieldRead(ev, node, module)), waitIf(isFallback(node, module))];
    case 'property':
      return [
        minuteLimit(minuteLimitIn(node)),
        minuteWindow(node, module),
        waitOf(node, module),
        waitIf(isBackoff(node, module)),
        codeAsName(node),
      ];
    case 'patternName':
      return [minuteLimit(minuteLimitIn(node))];
    case 'call':
      return [waitOf(node, module), waitIf(isTooMany(node, module)), isPaceOfMinute(node, module) ? asLimit(node, module) : undefined];
    case 'param':
    case 'logical':
    case 'conditional':
      return [waitIf(isFallback(node, module))];
    case 'concat':
      return [waitIf(isQuietTime(node, module))];
    case 'binary':
      return [waitOf(node, module), ownWindow(node, module)];
    case 'function': {
      const minute = minuteGivenBack(node, module);
      return minute === undefined ? nothing : [{ code: 'retry-per-minute', node: minute }];
    }
    default:
      return nothing;
  }
}

/** The kinds of nodes that advice hangs on. */
const kinds = [
  'string',
  'literal',
  'member',
  'patternProperty',
  'property',
  'patternName',
  'param',
  'call',
  'binary',
  'logical',
  'conditional',
  'concat',
  'function',
] as const;
const nothing: readonly Advised[] = [];

const waitIf = (isWaiting: boolean): Advised => (isWaiting ? { code: 'retry-per-minute' } : undefined);
const waitOf = (node: CallNode | PropertyNode | BinaryNode, module: SourceModule): Advised =>
  waitIf(waitsAMinute(node, module) && (isOfRetries(node) || speaksOfLimit(module.text) || isNearLimit(node, module)));

const expectedAnswer = ({ world }: Evaluation, node: StringNode, module: SourceModule): Advised =>
  isDocumented(node) && isExpectedOfService(node, module, world) ? answerShape(`"${node.value}"`) : undefined;

function limitCode(node: StringNode): Advised {
  const code = limitCodeIn(node);
  return code === undefined ? undefined : { code: 'limit-code', detail: { code } };
}

function codeAsName(node: PropertyNode): Advised {
  const entry = codeOfEntry(node);
  if (entry === undefined) return undefined;
  return entry.isOfLimit ? { code: 'limit-code', detail: { code: entry.code } } : answerShape(`"${entry.code}"`);
}

const minuteLimit = (name: string | undefined): Advised => (name === undefined ? undefined : { code: 'minute-limit', detail: { name } });

/** `process.env.MAX_PER_MINUTE`, which is set where nobody looks for it. */
const minuteVariable = ({ property = '' }: MemberNode): Advised =>
  /^[A-Z\d_]+$/.test(property) && isMinuteLimit(property) ? minuteLimit(property) : undefined;

const ownWindow = (node: BinaryNode, module: SourceModule): Advised => (isOwnWindow(node, module) ? asLimit(node, module) : undefined);

const asLimit = ({ start, end }: Node, { text }: SourceModule): Advised => ({
  code: 'minute-limit',
  detail: { name: text.slice(start, end) },
});

/**
 * @param callers who calls which function
 * @param isCandidate whether a file holds suspicious literals
 * @param isAdvised whether it may hold what is advised on
 * @param isMoving whether a request is moved
 */
export function advise(
  ev: Evaluation,
  callers: CallGraph['callers'],
  sites: readonly RequestSite[],
  isCandidate: (file: string) => boolean,
  isAdvised: (file: string) => boolean,
  isMoving: (site: RequestSite) => boolean,
): Finding[] {
  // Where nothing of ours is called there is nothing to advise on: others have limits and answers too.
  // What was moved keeps its advice, until a comment says that it was taken.
  const ours = sites.filter(({ verdict, request }) => verdict.kind === 'ours' || (verdict.kind === 'v2' && !request.isMock));
  const alike = sites.filter(isLikeOurs);
  const isOfUs = ours.length > 0 || sites.some(isOpenProxy);
  if (!isOfUs && alike.length === 0) return [];
  const isAnyMoved = isOfUs && (ours.length === 0 || ours.some((site) => site.verdict.kind === 'v2' || isMoving(site)));
  const modules = [...(isAnyMoved ? ev.world.modules.values() : modulesAround(ev.world, [...ours, ...alike]))];
  const found: Advice[] = pollersOf(ev, callers, [...ours, ...alike]);
  // A pause is told as one.
  const pauses = new Set(found.flatMap(({ code, node }) => (code === 'minute-limit' ? node : [])));
  const isPause = ({ code, node }: Advice): boolean => code === 'retry-per-minute' && pauses.has(node);
  for (const module of modules)
    if (isAdvised(module.file)) found.push(...adviceIn(ev, module, isCandidate).filter((advice) => !isPause(advice)));
  if (!isOfUs) return distinct(found.filter(({ code }) => ofLimits.has(code)));
  // What mocks and expectations read is followed.
  const settled = sites.filter(({ verdict }) => verdict.kind === 'ours' || verdict.kind === 'foreign');
  const known = new Set(settled.flatMap(({ keys }) => keys.flatMap(({ key, nameNode }) => nameNode ?? key?.source?.node ?? [])));
  // What only asks whether it is there changes along, behind its quote.
  const changed = new Set(settled.flatMap(({ changes }) => changes.map(({ module, start }) => `${module.file} ${start - 1}`)));
  // … or with the constant that it asks by.
  const isChanged = (node: Expression | PatternProperty, module: SourceModule): boolean =>
    changed.has(`${module.file} ${node.start}`) ||
    (node.kind !== 'patternProperty' &&
      node.parent?.kind === 'call' &&
      lastName(node.parent.callee) === 'has' &&
      optionsOf(ev.evaluate(node, { module, frame: undefined }))
        .flatMap(partsOf)
        .some(
          (part) => 'text' in part && part.source !== undefined && changed.has(`${part.source.module.file} ${part.source.node.start}`),
        ));
  for (const module of modules)
    for (const { node, isServer } of isCandidate(module.file) ? headerReads(ev, module) : [])
      if (!isServer && !known.has(node) && !isChanged(node, module)) found.push({ code: 'reads-header', node, module });
  for (const { node, module } of deniedElsewhere(sites)) found.push({ code: 'reads-header', node, module, detail: { how: 'elsewhere' } });
  for (const schema of errorSchemas(modules, ours)) found.push({ ...schema, ...dependingOn('success, error or code') });
  // A text that such a field is compared with says more.
  const deciding = decidingFields(ev, ours).map(({ name, ...place }): Advice => ({ ...place, ...dependingOn(name) }));
  return distinct([
    ...deciding,
    ...ours.flatMap((site) => browserKeys(site, ev)),
    ...ours.flatMap(followedLink),
    ...ours.flatMap(keysInTurn),
    ...ours.flatMap(slashAtEnd),
    ...found,
  ]);
}

/** A path of v1 and its key, to a base that proves nothing. */
const isLikeOurs = ({ verdict, request, keys }: RequestSite): boolean =>
  verdict.kind === 'unproven' && verdict.route !== undefined && keys.length > 0 && !request.isMock && !isTest(request.module);

/**
 * The files of some requests, and those beside: what these import, and what imports them. Where all requests stay they keep their limits and answers until a person
 * has moved them, and a program that has one among a thousand files has others' there.
 */
function modulesAround(world: World, sites: readonly RequestSite[]): ReadonlySet<SourceModule> {
  const own = new Set(
    sites.flatMap((site) => [site.request, ...site.request.callers, ...placesOf(site)].map(({ module }) => module)).filter(isScript),
  );
  const importsOf = (module: SourceModule): SourceModule[] =>
    importedBy(module).flatMap((specifier) => world.resolve(module, specifier) ?? []);
  const importers = [...world.modules.values()].filter((module) => importsOf(module).some((each) => own.has(each)));
  return new Set([...own, ...[...own].flatMap(importsOf), ...importers]);
}

function adviceIn(ev: Evaluation, module: SourceModule, isCandidate: (file: string) => boolean): Advice[] {
  const found: Advice[] = [];
  for (const kind of kinds)
    for (const node of nodesOfKind(module.tree.program, kind))
      for (const advice of adviceAt(ev, node, module)) if (advice !== undefined) found.push({ node, module, ...advice });
  const listed = isCandidate(module.file) ? listedIn(module) : undefined;
  if (listed !== undefined) found.push({ code: 'limit-code', node: listed, module, detail: { code: listed.found } });
  return found;
}

function distinct(advices: readonly Advice[]): Finding[] {
  const findings = new Map<string, Finding>();
  for (const { code, node, module, detail = {} } of advices) {
    const { line, column } = module.position(node.start);
    findings.set(`${code} ${module.file} ${line}`, { code, file: module.file, start: node.start, end: node.end, line, column, detail });
  }
  return [...findings.values()];
}

/** Keys that a bundler puts into pages, or that a component or a client of the browser sends. */
function browserKeys({ keys, authorizations, request }: RequestSite, { rules }: Evaluation): Advice[] {
  const isSentByPage = !request.isMock && ruleNamed(rules, request.client)?.isOfPages === true;
  const isOfAngular = !request.isMock && namesAngular(request.module.text);
  return [...keys, ...authorizations].flatMap(({ value, valueNode, node, module }): Advice[] => {
    const variable = optionsOf(value())
      .flatMap(sidesOf)
      .find((option) => option.type === 'env' && publicVariables.test(option.name));
    const given =
      valueNode?.kind === 'template'
        ? valueNode.expressions
        : valueNode?.kind === 'concat'
          ? [valueNode.left, valueNode.right]
          : [valueNode];
    // What another file gives to all requests is not read again once they are moved: it would be told once alone.
    const isOfPage =
      ((isSentByPage || (isOfAngular && optionsOf(value()).some(isBuiltIn))) && module === request.module && !isTest(module)) ||
      module.file.endsWith('.html') ||
      given.some((each) => each?.kind === 'member' && isWindow(each.object));
    if (variable?.type !== 'env' && !isOfPage && !(isScript(module) && isClientComponent(module))) return [];
    return [{ code: 'browser-key', node: valueNode ?? node, module, detail: variable?.type === 'env' ? { name: variable.name } : {} }];
  });
}

/** A text of a file that Angular builds into its pages: `environment.apiKey`. */
const isBuiltIn = (value: Value): boolean =>
  value.type === 'text' &&
  value.parts.some((part) => 'text' in part && /(?:^|\/)environment(?:\.\w+)*\.ts$/.test(part.source?.module.file ?? ''));

/** Also of what is moved, until somebody has looked at it. */
function slashAtEnd({ verdict, request }: RequestSite): Advice[] {
  const url = request.isMock ? undefined : slashTaken(request.url);
  const endpoint = url && (verdict.kind === 'ours' ? verdict.endpoint : succeededBy({ ...request, url }));
  if (endpoint === undefined) return [];
  const { method, path } = v1Endpoints[endpoint];
  return [{ code: 'slash-at-end', ...pathGiven(request), detail: { route: `${method} ${path}` } }];
}

const keysInTurn = ({ keys, authorizations }: RequestSite): Advice[] =>
  [...keys, ...authorizations].flatMap((entry): Advice[] => {
    const place = takenInTurn(entry);
    return place === undefined ? [] : [{ code: 'minute-limit', ...place, detail: { how: 'keys' } }];
  });

/** What a text is made of, the scheme before a key apart. */
const sidesOf = (value: Value): readonly Value[] =>
  value.type === 'text' ? value.parts.flatMap((part) => ('unknownPart' in part ? [part.unknownPart] : [])) : [value];

/** The next page, by what an answer of v1 calls it. */
function followedLink(site: RequestSite): Advice[] {
  const link = linkOf(site);
  return link === undefined ? [] : [{ code: 'answer-shape', ...link.place, detail: { what: link.name } }];
}

/** `window`, and what hangs on it: `window.__env`. */
const isWindow = (node: Expression): boolean =>
  node.kind === 'member' ? isWindow(node.object) : node.kind === 'name' && node.name === 'window';

/** React's directive stands first in the file. */
function isClientComponent({ tree }: SourceModule): boolean {
  const [first] = tree.program.body;
  const statement = first?.kind === 'other' ? first.children[0] : first;
  return statement?.kind === 'string' && statement.value === 'use client';
}
