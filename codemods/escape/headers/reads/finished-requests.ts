/** Code that hides the key of a request that is over: `error.config.headers['x-api-key'] = '[redacted]'`. Nothing is asked for with what it writes. */
import type { SourceModule } from '../../../evaluate/module.ts';
import type { CallNode, Expression, FunctionNode, Node, VariableNode } from '../../../syntax/tree.ts';
import { redactedBy } from '../hiding/hiding.ts';
import { isMask, nameOf } from '../hiding/masks.ts';

/** What an error is told by, or handed on. */
const telling =
  /^(?:reject|isAxiosError|isCancel|log|error|warn|info|debug|trace|fatal|notify|next|addBreadcrumb|(?:capture|report|log|track)[A-Z]\w*)$/;
/** What clients keep a request under, once it has been answered or has failed. */
const requests = new Set(['config', 'options', 'request']);
/** What headers are asked, or lose one, by. */
const ofHeaders = new Set(['get', 'has', 'delete']);

/** Whether the name of the key's header stands where one is hidden, in a function that gets what became of a request and asks for nothing with it. */
export const hidesOfFinished = (node: Node, module: SourceModule): boolean => hidingAtEnd(node, module) !== undefined;

/** … that function. */
export function hidingAtEnd(node: Node, module: SourceModule): FunctionNode | undefined {
  const headers = headersAt(node);
  if (headers === undefined || redactedBy(node, module) === undefined) return undefined;
  let root: Node = headers;
  while (root.kind === 'member') root = root.object;
  for (let at: Node | undefined = node.parent; at !== undefined; at = at.parent) {
    if (at.kind !== 'function' || !isOfEnd(at)) continue;
    const target = at.params[0]?.target;
    const binding = target?.kind === 'patternName' ? module.scopes.declaredBy(target) : undefined;
    if (binding === undefined) return undefined;
    const found = usesOf(binding.references, [], module);
    const isHidden = found.every(({ isIdle }) => isIdle) && found.some(({ place, names }) => place === headers && isHeaders(names));
    return isHidden ? at : undefined;
  }
  return undefined;
}

/** What the header is written in, or what a copy that has it hidden is made of. */
function headersAt(node: Node): Expression | undefined {
  const { parent } = node;
  if (parent?.kind === 'member') return parent.object;
  if (node.kind !== 'property' || parent?.kind !== 'object' || !isMask(node.value)) return undefined;
  const [copied, another] = parent.properties.flatMap((each) => (each.kind === 'spread' ? [each.argument] : []));
  return another === undefined ? copied : undefined;
}

/** Whether a function is run when a request has failed, or with its answer. */
function isOfEnd(fn: Node): boolean {
  const { parent } = fn;
  if (parent?.kind === 'property') return parent.name === 'beforeError';
  if (parent?.kind === 'array') return parent.parent?.kind === 'property' && parent.parent.name === 'beforeError';
  if (parent?.kind !== 'call' || parent.callee.kind !== 'member') return false;
  const { property, object } = parent.callee;
  if (property === 'catch') return parent.args[0] === fn;
  if (property === 'then') return parent.args[1] === fn;
  return property === 'use' && object.kind === 'member' && object.property === 'response';
}

const isHeaders = (names: readonly string[]): boolean => names.at(-1) === 'headers' && requests.has(names.at(-2) ?? '');

interface Use {
  readonly place: Node;
  /** By which properties it is taken. */
  readonly names: readonly string[];
  /** Whether no request can be made with it. */
  readonly isIdle: boolean;
}

/** What is done with an error or an answer, by its own name and by those that parts of it are given. */
function usesOf(references: readonly Node[], before: readonly string[], module: SourceModule): Use[] {
  return references.flatMap((reference): Use[] => {
    const names = [...before];
    const within: Use[] = [];
    let at = reference;
    for (; at.parent?.kind === 'member' && at.parent.object === at; at = at.parent) {
      within.push({ place: at, names: [...names], isIdle: true });
      names.push(at.parent.property ?? '');
    }
    within.push({ place: at, names, isIdle: true });
    if (isPart(at, names)) return within;
    const variable = at.parent?.kind === 'variable' && at.parent.init === at ? at.parent : undefined;
    if (variable === undefined) return [...within, { place: at, names, isIdle: isIdle(at, names, module) }];
    return [...within, ...namedIn(variable, names, module)];
  });
}

/** Whether it is a text, or something else of it that no request can be made with. */
function isPart(at: Node, names: readonly string[]): boolean {
  const last = names.at(-1) ?? '';
  const isCalled = at.parent?.kind === 'call' && at.parent.callee === at;
  if (isHeaders(names.slice(0, -1))) return !isCalled || ofHeaders.has(last);
  const holder = names.findLastIndex((name) => requests.has(name));
  if (holder !== -1) return holder < names.length - 1 && names[holder + 1] !== 'headers' && !isCalled;
  // `error.toJSON()` has the request, too.
  return names.length > 0 && last !== 'response' && last !== 'toJSON';
}

/** `const { config } = error`, `const request = error.config` */
function namedIn({ target }: VariableNode, names: readonly string[], module: SourceModule): Use[] {
  const named =
    target.kind === 'objectPattern'
      ? [...target.properties.map((each) => ({ target: each.target, more: [each.name ?? ''] })), ...(target.rest ? [undefined] : [])]
      : [{ target, more: [] }];
  return named.flatMap((each): Use[] => {
    const binding = each?.target.kind === 'patternName' ? module.scopes.declaredBy(each.target) : undefined;
    return binding === undefined || each === undefined
      ? [{ place: target, names, isIdle: false }]
      : usesOf(binding.references, [...names, ...each.more], module);
  });
}

/** Whether what has a request is only asked about, told, or handed on as the error that it is. */
function isIdle(place: Node, names: readonly string[], module: SourceModule): boolean {
  let at = place;
  while (at.parent !== undefined && holders.has(at.parent.kind)) at = at.parent;
  const { parent } = at;
  if (parent === undefined) return false;
  if (parent.kind === 'call') return parent.callee !== at && (parent.isNew ? names.length === 0 : isTelling(parent));
  if (parent.kind === 'assign') return parent.target === at || isOfParam(parent.target, module);
  if (parent.kind === 'variable') return namedIn(parent, names, module).every((use) => use.isIdle);
  if (parent.kind === 'return' || parent.kind === 'function') return names.length === 0;
  return asking.has(parent.kind) || (parent.kind === 'other' && /^(?:If|Throw|Expression)Statement$/.test(parent.what));
}

const holders: ReadonlySet<Node['kind']> = new Set(['spread', 'property', 'object', 'array', 'logical']);
const asking: ReadonlySet<Node['kind']> = new Set(['unary', 'binary']);

const isTelling = (call: CallNode): boolean => telling.test(nameOf(call));

/** `error.config.headers = { ...error.config.headers, 'x-api-key': '[redacted]' }` */
function isOfParam(target: Node, module: SourceModule): boolean {
  let root = target;
  while (root.kind === 'member') root = root.object;
  return root !== target && root.kind === 'name' && module.scopes.bindingOf(root)?.owner.kind === 'param';
}
