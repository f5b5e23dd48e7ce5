/** Conditions on a request's URL in code that is run for every request: `if (!req.url.startsWith(BASE)) return next(req);`. */
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { flat, unknownPart, isAbsolute } from '../../evaluate/text.ts';
import { isTest } from '../../evaluate/test-files.ts';
import type { World } from '../../evaluate/program.ts';
import { optionsOf, partsOf, type TextPart, type Value } from '../../evaluate/values.ts';
import { walk } from '../../syntax/link.ts';
import { namesIn } from '../../syntax/scopes.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';

export interface Guard {
  /** Whether a request with such a URL certainly does not come past it. */
  excludes(url: Value | undefined): boolean;
  /** What URLs have to begin with to come past it. */
  readonly prefixes: readonly Value[];
}

/** The condition under which a call in such code is reached; undefined where it is none on the beginning of the URL. */
export function guardOf(ev: Evaluation, { node, ...at }: At & { readonly node: Node }): Guard | undefined {
  const fn = functionAround(node);
  const test = fn === undefined ? undefined : testIn(fn);
  const prefix = test?.args[0];
  if (test === undefined || prefix === undefined) return undefined;
  const condition = conditionOf(test, at.module);
  if (condition === undefined || !decides(condition.node, isInside(condition.node, node))) return undefined;
  const value = ev.evaluate(prefix, at);
  const texts = optionsOf(value).map((option) => flat(partsOf(option)));
  if (texts.some((text) => text === '' || text.includes(unknownPart))) return undefined;
  const versioned = optionsOf(value).filter(isPathWithVersion);
  const isAllowed = isInside(condition.node, node) !== condition.isNegated;
  const isAnywhere = test.callee.kind === 'member' && test.callee.property === 'includes';
  const holds = (url: string): boolean => texts.some((text) => (isAnywhere ? url.includes(text) : url.startsWith(text)));
  const isLeft = (option: Value): boolean => holds(flat(partsOf(option))) !== isAllowed;
  if (versioned.length > 0) {
    // A path with the version would have to move too, and has no base of its own: what has another text for it counts as let past by nothing.
    const ownTexts = new Set(optionsOf(value).flatMap((option) => textWithVersion(option)?.node ?? []));
    const isAlone =
      !isAnywhere &&
      isAllowed &&
      texts.some((text) => isAbsolute(text)) &&
      versioned.every((path) => isOnlyIn(ownTexts, flat(partsOf(path)), ev.world));
    return {
      excludes: (url) => !isAlone || url === undefined || !versioned.every((path) => isBeginning(path, url)) || optionsOf(url).some(isLeft),
      prefixes: optionsOf(value).filter((option) => !versioned.includes(option)),
    };
  }
  return {
    excludes: (url) => url !== undefined && optionsOf(url).every(isLeft),
    prefixes: isAllowed ? [value] : [],
  };
}

const version = /\/v\d/;

const isPathWithVersion = (value: Value): boolean => !isAbsolute(flat(partsOf(value))) && version.test(flat(partsOf(value)));

/** Where the version of an address or a path is written. */
function textWithVersion(value: Value): TextPart['source'] {
  const found = partsOf(value).find((part) => 'text' in part && version.test(part.text));
  return found !== undefined && 'text' in found ? found.source : undefined;
}

/** Whether a URL has its version from the same text as a path: what is written there says both. */
function isBeginning(path: Value, url: Value): boolean {
  const source = textWithVersion(path);
  return source !== undefined && optionsOf(url).some((option) => textWithVersion(option)?.node === source.node);
}

/** Whether no other text of the program begins with a path: what it asks there would not come past the guard when that has moved. */
function isOnlyIn(nodes: ReadonlySet<Node>, path: string, world: World): boolean {
  const all = pathsWithVersion.get(world) ?? pathsIn(world);
  pathsWithVersion.set(world, all);
  return beginningWith(all, path).every((node) => nodes.has(node));
}

/** The texts of a program that begin with a path, which is asked for with every request. */
function beginningWith({ paths, known }: PathsWithVersion, path: string): readonly Node[] {
  const found = known.get(path) ?? paths.flatMap(({ node, text }) => (text.startsWith(path) ? node : []));
  known.set(path, found);
  return found;
}

interface PathsWithVersion {
  readonly paths: readonly { readonly node: Node; readonly text: string }[];
  readonly known: Map<string, readonly Node[]>;
}

const pathsWithVersion = new WeakMap<World, PathsWithVersion>();

const pathsIn = ({ modules }: World): PathsWithVersion => ({
  paths: [...modules.values()].flatMap((module) =>
    isTest(module)
      ? []
      : module.texts
          .map((node) => ({ node, text: node.kind === 'string' ? node.value : (node.texts[0]?.value ?? '') }))
          .filter(({ text }) => text.startsWith('/') && version.test(text)),
  ),
  known: new Map(),
});

function functionAround(node: Node): Node | undefined {
  let at = node.parent;
  while (
    at !== undefined &&
    !(at.kind === 'function' && (at.parent?.kind === 'classMember' || at.parent?.kind === 'variable' || at.isDeclaration))
  )
    at = at.parent;
  return at;
}

/** Whether code hangs on the URL in a way that is not followed: `if (new URL(req.url).hostname === 'billing.example.net')`. */
export function hangsOnUrl(node: Node): boolean {
  const fn = functionAround(node);
  const derived = new Set<string>();
  const isDerived = (part: Node): boolean =>
    part.kind === 'member' ? part.property?.startsWith('url') === true : part.kind === 'name' && derived.has(part.name);
  const holds = (whole: Node): boolean => {
    let isHeld = false;
    walk(whole, (part) => {
      isHeld ||= isDerived(part);
    });
    return isHeld;
  };
  let hangs = false;
  if (fn !== undefined)
    walk(fn, (part) => {
      if (part.kind === 'variable' && part.init !== undefined && holds(part.init))
        for (const { name } of namesIn(part.target)) derived.add(name);
      const test =
        part.kind === 'conditional' ? part.test : part.kind === 'other' && deciding.test(part.what) ? part.children[0] : undefined;
      hangs ||= test !== undefined && holds(test);
    });
  return hangs;
}

const deciding = /^(?:If|Switch)Statement$/;

/** The only question about what a URL holds in a function. */
function testIn(fn: Node): CallNode | undefined {
  const found: CallNode[] = [];
  walk(fn, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member' || !['startsWith', 'includes'].includes(node.callee.property ?? '')) return;
    if (node.callee.object.kind === 'member' && node.callee.object.property?.startsWith('url') === true) found.push(node);
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Where it is asked how a test came out: there, or by the one name that it is given, `const isOurs = req.url.startsWith(BASE)`. */
function conditionOf(test: CallNode, { scopes }: SourceModule): { readonly node: Node; readonly isNegated: boolean } | undefined {
  const whole = isNegated(test) ? test.parent : test;
  const { parent } = whole ?? {};
  if (parent?.kind !== 'variable') return { node: test, isNegated: isNegated(test) };
  const binding = parent.declares === 'const' && parent.target.kind === 'patternName' ? scopes.declaredBy(parent.target) : undefined;
  const [only, ...others] = binding?.references ?? [];
  return only === undefined || others.length > 0 ? undefined : { node: only, isNegated: isNegated(test) !== isNegated(only) };
}

/** Whether a condition hangs on the test alone: with `test || other` more comes past it, and with `if (!test && other) return` as well. */
function decides(test: Node, isInside: boolean): boolean {
  const start = isNegated(test) ? test.parent : test;
  for (let at = start?.parent; at !== undefined; at = at.parent) {
    if (at.kind === 'unary') return false;
    if (at.kind !== 'logical') return true;
    if (at.operator !== (isInside ? '&&' : '||')) return false;
  }
  return true;
}

const isNegated = ({ parent }: Node): boolean => parent?.kind === 'unary' && parent.operator === '!';

/** Whether a node is reached where the test of a condition holds, and not after it. */
function isInside(test: Node, node: Node): boolean {
  let around = test.parent;
  let at: Node = test;
  while (around !== undefined && around.kind !== 'conditional' && !(around.kind === 'other' && around.what === 'IfStatement')) {
    if (around.kind === 'function') return false;
    [at, around] = [around, around.parent];
  }
  const whenTrue =
    around?.kind === 'conditional'
      ? around.whenTrue
      : around?.kind === 'other'
        ? around.children[around.children.indexOf(at) + 1]
        : undefined;
  return whenTrue !== undefined && whenTrue.start <= node.start && node.end <= whenTrue.end;
}
