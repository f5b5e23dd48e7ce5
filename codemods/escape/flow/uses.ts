/** What becomes of a value at one place, as the syntax says: used there, part of more, passed on, or nothing at all. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { commonJsName, type SourceModule } from '../../evaluate/module.ts';
import type { MemberNode, Node, ObjectNode, PatternName } from '../../syntax/tree.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { isPattern, namesIn } from '../../syntax/scopes.ts';

export type Use =
  /** Something is done with it that the rules do not follow. */
  | { readonly kind: 'use' }
  /** It is shown, asked for or thrown away. */
  | { readonly kind: 'harmless' }
  /** It is part of the expression around it, or what that returns. */
  | { readonly kind: 'on'; readonly as: Node }
  /** It goes on under these names … */
  | { readonly kind: 'named'; readonly names: readonly PatternName[] }
  /** … as a property of whatever has it … */
  | { readonly kind: 'field'; readonly name: string | undefined }
  /** … or to those that take the whole file. */
  | { readonly kind: 'exported' }
  /** What it is decides, and what is done with it. */
  | { readonly kind: 'member' | 'callee' | 'argument' | 'written' | 'compared' | 'keys' | 'thrown' };

const use: Use = { kind: 'use' };
const harmless: Use = { kind: 'harmless' };
const named = (target: Node): Use => (isPattern(target) ? { kind: 'named', names: namesIn(target) } : harmless);

/** What Sentry, Datadog and OpenTelemetry compare the addresses of requests with, before they send the headers of a trace along: a base goes on beginning those that it began. */
const propagating = /^(?:tracePropagationTargets|allowedTracingUrls|propagateTraceHeaderCorsUrls)$/;

/** Of an app, Pipedream takes there how people are asked for a property: what that asks is the app's own. */
const defining = 'propDefinition';

/** @param at what has the value, or is made of it */
export function useOf(at: Node): Use {
  const around = at.parent;
  switch (around?.kind) {
    case 'concat':
    case 'template':
    case 'await':
    case 'object':
    case 'array':
      return { kind: 'on', as: around };
    case 'spread':
      return around.parent?.kind === 'call' ? { kind: 'argument' } : { kind: 'on', as: around };
    case 'conditional':
      return around.test === at ? harmless : { kind: 'on', as: around };
    case 'property':
      if (around.value === at && (around.name === defining || propagating.test(around.name ?? ''))) return harmless;
      // A name that is computed from it stands in an object that goes elsewhere.
      return around.computed === at ? use : { kind: 'on', as: around };
    case 'logical':
      // `base && …` asks whether it is there.
      return around.operator === '&&' && around.left === at ? harmless : { kind: 'on', as: around };
    case 'member':
      return around.object === at ? { kind: 'member' } : use;
    case 'assign':
      return around.target === at ? harmless : assigned(around.target);
    case 'variable':
      if (around.each === 'key') return { kind: 'keys' };
      return takesHeader(around.target) ? use : named(around.target);
    case 'patternProperty':
      return around.computed === at ? use : named(around.target);
    case 'param':
      return named(around.target);
    case 'classMember':
      return { kind: 'field', name: around.name };
    case 'enum':
      return { kind: 'named', names: [around.name] };
    case 'exportDeclaration':
      return around.isDefault || around.isAssignment ? { kind: 'exported' } : harmless;
    case 'return':
      return functionAround(around);
    case 'function':
      return around.body === at ? { kind: 'on', as: around } : harmless;
    case 'call':
      return { kind: around.callee === at ? 'callee' : 'argument' };
    case 'binary':
      if (around.operator === ',') return around.right === at ? { kind: 'on', as: around } : harmless;
      return { kind: 'compared' };
    case 'block':
      return around.body.some((clause) => clause !== at && clause.kind === 'other' && clause.what === 'CaseClause')
        ? { kind: 'compared' }
        : declared(at);
    case 'other':
      return otherUse(around.what, at);
    case 'tagged':
      return use;
    case 'program':
      // What stands in no statement is what a JSON file holds.
      return at.kind === 'function' || at.kind === 'class' ? declared(at) : { kind: 'exported' };
    default:
      return declared(at);
  }
}

/** A statement of its own, or a condition, does nothing with it; a case compares it. */
function otherUse(what: string, at: Node): Use {
  if (what === 'ThrowStatement') return { kind: 'thrown' };
  return what.startsWith('Jsx') || what === 'CaseClause' || what === 'YieldExpression' ? use : declared(at);
}

/** A declared function or class is used through its name. */
const declared = (at: Node): Use =>
  (at.kind === 'function' || at.kind === 'class') && at.name !== undefined ? { kind: 'named', names: [at.name] } : harmless;

function functionAround(node: Node): Use {
  let at = node.parent;
  while (at !== undefined && at.kind !== 'function') at = at.parent;
  return at === undefined ? harmless : { kind: 'on', as: at };
}

/** `const { 'x-api-key': key, ...others } = headers` names the header, so that others go on without it. */
export const takesHeader = (pattern: Node): boolean =>
  pattern.kind === 'objectPattern' && pattern.properties.some(({ name, computed }) => computed !== undefined || isKeyHeader(name));

function assigned(target: Node): Use {
  if (target.kind === 'name' || target.kind !== 'member') return { kind: 'written' };
  // What is put into an export is not followed from there.
  if (isExports(target)) return { kind: commonJsName(target) === undefined ? 'written' : 'exported' };
  return target.object.kind === 'this' ? { kind: 'field', name: target.property } : { kind: 'written' };
}

/** `module.exports`, `exports.a`, `module.exports.a`. */
export const isExports = (node: Node): boolean =>
  node.kind === 'member' &&
  ((node.object.kind === 'name' && ((node.object.name === 'module' && node.property === 'exports') || node.object.name === 'exports')) ||
    isExports(node.object));

/** The names of an object's properties, as far as they stand there. */
export const namesOf = ({ properties }: ObjectNode): string[] =>
  properties.flatMap((property) => (property.kind === 'property' && property.name !== undefined ? [property.name] : []));

/**
 * `module.exports = { base, headers }`: these are exports themselves.
 * @param isLoaded whether others may have the whole object, which holds no function then, as settings do
 */
export const isCommonJs = (object: ObjectNode, module: SourceModule, isLoaded = false): boolean =>
  object.parent?.kind === 'assign' && isExports(object.parent.target) && (!isLoaded || holdsFunctions(object, module));

const holdsFunctions = ({ properties }: ObjectNode, { scopes }: SourceModule): boolean =>
  properties.some((each) => {
    const value = each.kind === 'property' ? each.value : undefined;
    const owner = value?.kind === 'name' ? scopes.bindingOf(value)?.owner : value;
    return owner?.kind === 'function' || (owner?.kind === 'variable' && owner.init?.kind === 'function');
  });

/** `headers.get('x-api-key')`, `headers[name]`: what is read so would be missing. */
export function readsHeader({ parent, property, computed }: MemberNode): boolean {
  const [name] = parent?.kind === 'call' ? parent.args : [];
  const asked = computed ?? (property === 'get' ? name : undefined);
  return asked?.kind === 'string' && isKeyHeader(asked.value);
}

/** `<Api.Provider value={api}>`: calls of what a consumer takes out of it are found by unresolved-calls.ts. */
export function isGivenByContext(at: Node): boolean {
  let around: Node | undefined = at.parent;
  while (around?.kind === 'other' && !/^Jsx\w*Element$/.test(around.what)) around = around.parent;
  const [tag] = around?.kind === 'other' ? around.children : [];
  return tag?.kind === 'member' && tag.property === 'Provider';
}

/** Whether what is edited stands in the name of a property: of a header, or of the path that a table has something for. */
export const isOfName = ({ what, module, end }: Change): boolean =>
  what === 'header name' || (what === 'path' && /^[^'"\n]*['"]\s*:/.test(module.text.slice(end, end + longestPath)));

const longestPath = 200;
