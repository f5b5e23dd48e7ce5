/**
 * Versions that are put together: `/v${VERSION}/contacts`, where VERSION is 1. That number changes where it is the version of addresses and nothing else: it is a
 * constant that nobody writes to, and whoever reads it puts it behind `/v` into a text, or is a test that expects it. The texts are followed then as any other.
 */
import type { Place } from '../../evaluate/budget.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isRequire } from '../../evaluate/names/specifiers.ts';
import { isWithin } from '../../syntax/link.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { ClassNode, Node } from '../../syntax/tree.ts';
import type { Change, Obstacle } from '../../verdict/changes/spans.ts';
import { placesOf, type RequestSite } from '../../verdict/request-sites.ts';
import { once } from '../../once.ts';
import { propertyReads } from '../flow/property-reads.ts';
import { readersIn } from '../flow/readers.ts';
import { isKeptForOthers } from './kept-texts.ts';
import { isCodeFile } from '../../find/kinds.ts';

type Written = NonNullable<Obstacle['number']>;

/**
 * @param isSeenWhole whether all who may read what a file exports are seen
 * @returns the sites, of which those whose version is put together with such a number change that; for the others it stays an obstacle
 */
export function withVersionNumbers(
  ev: Evaluation,
  sites: readonly RequestSite[],
  isSeenWhole: (file: string) => boolean,
): readonly RequestSite[] {
  const known = new Map<Node, readonly Change[] | undefined>();
  const asked = once(() => new Set(sites.flatMap((site) => placesOf(site).map(({ node }) => node))));
  const isKept = (place: Place): boolean => isKeptForOthers(ev, place, (node) => asked().has(node));
  const changesOf = (number: Written): readonly Change[] | undefined => {
    if (!known.has(number.node)) {
      const isMoving = isSeenWhole(number.module.file) && !textsWith(ev, number).some(isKept);
      known.set(number.node, isMoving ? changesBy(ev, number) : undefined);
    }
    return known.get(number.node);
  };
  return sites.map((site) => {
    const moved = site.obstacles.map(({ number }) => number && changesOf(number));
    if (moved.every((each) => each === undefined)) return site;
    const obstacles = site.obstacles.filter((_, index) => moved[index] === undefined);
    return { ...site, obstacles, changes: [...site.changes, ...moved.flatMap((each) => each ?? [])] };
  });
}

/** The texts that are made of the number of a version that changes. */
export const textsWith = (ev: Evaluation, number: Written): readonly Place[] =>
  (readsOf(ev, number) ?? []).flatMap(({ node, module }) => (isInText(node) ? [{ node: node.parent ?? node, module }] : []));

/**
 * Whether nothing reads the names of a file but scripts that import them: no markup around it, and no other script of a page, which has what stands at the top
 * of a script that is no module.
 */
const isModule = (module: SourceModule): boolean =>
  isCodeFile.test(module.file) &&
  (module.exports.size > 0 ||
    module.whole !== undefined ||
    module.tree.program.body.some(({ kind }) => kind === 'import' || kind === 'export') ||
    module.calls.some((call) => isRequire(call, module)));

/** What changes with a number: itself, and the same in what tests expect; nothing where it is read for anything else. */
function changesBy(ev: Evaluation, number: Written): readonly Change[] | undefined {
  if (!isModule(number.module)) return undefined;
  const changes = [number, ...(readsOf(ev, number)?.flatMap(changedAt) ?? [undefined])].map((each) => each && changeOf(each));
  return changes.every((each) => each !== undefined) ? changes : undefined;
}

/** What has to change beside a place that reads it. */
function changedAt({ node, module }: Place): readonly (Place | undefined)[] {
  if (isInText(node)) return [];
  const expected = isTest(module) ? expectedAt(node) : undefined;
  return [expected && { node: expected, module }];
}

/** A number as it is written, or a text of nothing but that. */
function changeOf({ node, module }: Place): Change | undefined {
  const quoted = node.kind === 'string' ? node.quote.length : 0;
  const [start, end] = [node.start + quoted, node.end - quoted];
  return module.text.slice(start, end) === '1' ? { module, start, end, text: '2', what: 'path' } : undefined;
}

/** `/v${VERSION}/contacts`, `'/v' + VERSION` */
function isInText(node: Node): boolean {
  const { parent } = node;
  if (parent?.kind === 'template') {
    const index = parent.expressions.findIndex((each) => each === node);
    return index !== -1 && behindVersion.test(parent.texts[index]?.value ?? '');
  }
  if (parent?.kind !== 'concat' || parent.right !== node) return false;
  const before = parent.left.kind === 'concat' ? parent.left.right : parent.left;
  return behindVersion.test(before.kind === 'string' ? before.value : before.kind === 'template' ? (before.texts.at(-1)?.value ?? '') : '');
}

const behindVersion = /(?:^|\/)v$/;

/** `expect(Client.version).toBe(1)`, `assert.equal(VERSION, 1)` */
function expectedAt(node: Node): Node | undefined {
  const call = node.parent;
  if (call?.kind !== 'call' || call.args[0] !== node) return undefined;
  const { callee } = call;
  if (callee.kind === 'member') return callee.object.kind === 'name' && equals.test(callee.property ?? '') ? call.args[1] : undefined;
  const matcher = callee.kind === 'name' && callee.name === 'expect' && call.parent?.kind === 'member' ? call.parent : undefined;
  const matched = matcher?.parent;
  return matched?.kind === 'call' && matched.callee === matcher && equals.test(matcher?.property ?? '') ? matched.args[0] : undefined;
}

const equals = /^(?:to(?:Be|Equal|StrictEqual)|(?:deep)?(?:strict)?equals?)$/i;

/** All that read a constant; undefined where others may, or may write to it. */
function readsOf(ev: Evaluation, { node, module }: Written): readonly Place[] | undefined {
  const { parent } = node;
  if (parent?.kind === 'variable') return constantReads(ev, node, module);
  if (parent?.kind === 'classMember' && parent.role === 'field' && parent.isStatic && parent.name !== undefined)
    return parent.parent?.kind === 'class' ? staticReads(ev, parent.parent, parent.name, module) : undefined;
  if (parent?.kind !== 'property' || parent.value !== node || parent.name === undefined || parent.parent?.kind !== 'object')
    return undefined;
  const tables = constantReads(ev, parent.parent, module);
  return tables && membersOf(tables, parent.name, () => false);
}

/** Of `const VERSION = 1` */
function constantReads(ev: Evaluation, init: Node, module: SourceModule): readonly Place[] | undefined {
  const variable = init.parent;
  if (variable?.kind !== 'variable' || variable.declares !== 'const' || variable.each !== undefined) return undefined;
  const binding = variable.target.kind === 'patternName' ? module.scopes.declaredBy(variable.target) : undefined;
  return binding && boundReads(ev, binding, init, module);
}

/** Of `static version = 1`: by the name of its class, or by `this`, which may be an instance, and has nothing of that name then. */
function staticReads(ev: Evaluation, owner: ClassNode, name: string, module: SourceModule): readonly Place[] | undefined {
  const binding = owner.name && module.scopes.declaredBy(owner.name);
  const classes = binding && boundReads(ev, binding, owner, module);
  const named = classes && membersOf(classes, name, ({ parent }) => parent?.kind === 'call' && parent.isNew);
  const others = (propertyReads(ev).get(name) ?? []).filter(
    ({ node, module: by }) => by === module && isWithin(owner, node) && isOfThis(node),
  );
  const isOpen = (propertyReads(ev).get('constructor') ?? []).some(
    ({ node }) => node.parent?.kind === 'member' && node.parent.property === name,
  );
  return isOpen ? undefined : named && [...named, ...others];
}

const isOfThis = (node: Node): boolean => node.kind === 'member' && node.object.kind === 'this';

/** The places that have what a name was given first; undefined where something else is done with a file that has it. */
function boundReads(ev: Evaluation, binding: Binding, given: Node, module: SourceModule): readonly Place[] | undefined {
  if (binding.again.length > 0) return undefined;
  const found = readersIn(ev)
    .of(binding, module)
    .filter(({ node: { parent } }) => parent?.kind !== 'export' && parent?.kind !== 'exportDeclaration')
    .map((place) => {
      const { parent } = place.node;
      if (isGiven(ev, place, given)) return [place];
      if (parent?.kind !== 'member' || parent.object !== place.node || !isFile(ev, place)) return undefined;
      const member = { ...place, node: parent };
      return isGiven(ev, member, given) ? [member] : [];
    });
  return found.every((each) => each !== undefined) ? found.flat() : undefined;
}

/** `constants`, of `import * as constants from './constants'`. */
const isFile = (ev: Evaluation, { node, module }: Place): boolean => ev.evaluate(node, { module, frame: undefined }).type === 'namespace';

function isGiven(ev: Evaluation, { node, module }: Place, given: Node): boolean {
  const value = ev.evaluate(node, { module, frame: undefined });
  switch (value.type) {
    case 'literal':
      return value.at?.node === given;
    case 'text':
      return value.parts.every((part) => 'text' in part && part.source?.node === given);
    default:
      return (value.type === 'object' || value.type === 'class') && value.node === given;
  }
}

/** What is read under a name; undefined where something else is done with what has it. */
function membersOf(places: readonly Place[], name: string, isHarmless: (node: Node) => boolean): readonly Place[] | undefined {
  const found = places.map(({ node, module }) => {
    const { parent } = node;
    if (isHarmless(node)) return [];
    if (parent?.kind !== 'member' || parent.object !== node || parent.property === undefined) return undefined;
    return parent.property === name ? [{ node: parent, module }] : [];
  });
  return found.every((each) => each !== undefined) ? found.flat() : undefined;
}
