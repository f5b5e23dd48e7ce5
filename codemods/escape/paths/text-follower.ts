/** From a text to the places at which what is made of it is used: under the names of variables, properties and functions. */
import type { Place } from '../../evaluate/budget.ts';
import { givesDescribed } from '../../clients/schemas.ts';
import { combined } from '../../evaluate/libraries/combined.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { commonJsName, type SourceModule } from '../../evaluate/module.ts';
import { optionsOf } from '../../evaluate/values/values.ts';
import { memo, memoOf } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import { type Binding, namesIn, type PatternStep, stepsTo } from '../../syntax/scopes.ts';
import type { CallNode, Node, VariableNode } from '../../syntax/tree.ts';
import { namedBy } from '../flow/functions/hooks.ts';
import { propertyReads } from '../flow/property-reads.ts';
import { readersIn } from '../flow/readers.ts';
import { isDefinition } from '../servers/own-routes.ts';
import { rulesWith } from '../../evaluate/libraries/rules.ts';

/** Whether a call asks for what it is given, or by the client that it is called on, and gives the answer to that: nothing of it is made of the text. */
export type IsAnswer = (call: CallNode, from: Node, module: SourceModule) => boolean;

/** Places that one text is followed to: a list of paths that is read everywhere decides about nothing. */
export const maxPlaces = 300;

/** Something that has the text, or what is made of it. */
interface Holder extends Place {
  /** The names by which the text is taken out of it; none where it is that itself, or nobody knows. */
  readonly within: readonly string[];
}

/**
 * @param isWord whether the text is a word that many have, as a version: of what is read by the name of something around it, only what is taken by its own name is meant,
 * `job.payload.apiVersion` and not `job.payload.id`
 */
export type Follow = (from: Place, isWord?: boolean) => Followed;

interface Followed {
  readonly places: readonly Place[];
  /** Whether there were more than are followed. */
  readonly isCut: boolean;
}

export function followerOf(ev: Evaluation, isAnswer: IsAnswer): Follow {
  const readers = readersIn(ev);
  const fields = propertyReads(ev);
  const ownReads = memo((field: string): readonly Place[] => (fields.get(field) ?? []).filter((read) => !isOfClients(ev, read)));
  return (from, isWord = false) => {
    let isCut = false;
    const holders: Holder[] = [{ ...from, within: [] }];
    const seen = new Map<Binding | string, Set<string>>();
    const add = (key: Binding | string, more: readonly Place[], within: readonly string[] = []): void => {
      const known = seen.get(key) ?? new Set();
      seen.set(key, known);
      if (known.has('') || known.has(within.join('.'))) return;
      known.add(within.join('.'));
      const taking = more.filter(({ node }) => mayTake(node, within));
      if (holders.length + taking.length <= maxPlaces) holders.push(...taking.map((each) => ({ ...each, within })));
      else isCut = true;
    };
    // A list that grows while it is walked.
    for (const { node, module, ...holder } of holders) {
      let { within } = holder;
      for (let at = node; at.parent !== undefined; at = at.parent) {
        const { parent } = at;
        if (parent.kind === 'call' && (isAnswer(parent, at, module) || isKeyOfCache(ev, parent, at, within, module))) break;
        if (parent.kind === 'call' && isRouteAlone(ev, parent, at, module)) break;
        const names = namesOf(node, at, within, module);
        for (const { binding, within: left } of names) add(binding, readers.of(binding, module), left);
        if (isWholeExport(parent))
          add(`export of ${module.file}`, [...readers.ofWhole({ node: at, module }), ...readers.ofItself(module)], within);
        const field = nameOfField(parent);
        const isPatch = parent.kind === 'assign' && isOfClients(ev, { node: parent.target, module });
        // A name that all have is read in thousands of places.
        if (field !== undefined && (isWord || !seen.has(`.${field}`)))
          add(`.${field}`, isPatch ? (fields.get(field) ?? []) : ownReads(field), isWord ? within : []);
        if (names.length > 0 || parent.kind === 'classMember') break;
        within = withinAround(ev, parent, at, within);
      }
    }
    return { places: holders, isCut };
  };
}

interface Named {
  readonly binding: Binding;
  readonly within: readonly string[];
}

/** What may have the text, of what `at` gives its value: a function's own name, or those of a variable. */
function namesOf(from: Node, at: Node, within: readonly string[], module: SourceModule): Named[] {
  if (at.kind === 'function') return namedBy(at, module).map((binding) => ({ binding, within }));
  if (at.parent?.kind !== 'variable') return [];
  return declaredBy(at.parent, at, within, module).filter(({ binding }) => from.kind !== 'patternName' || binding.declaration === from);
}

/** Functions that give back what they are given, beside those of libraries. */
const keeping = /^(?:freeze|seal|defineConfig)$/;

/**
 * `useQuery({ queryKey: ['/v1/messages'], queryFn })`: nothing that a cache answers is made of the name that it keeps an answer under. What its functions make
 * of that name, they read by `queryKey`, where it is followed as any field is.
 */
function isKeyOfCache(ev: Evaluation, call: CallNode, at: Node, within: readonly string[], module: SourceModule): boolean {
  const { callee, args } = call;
  const isKey =
    within[0] === 'queryKey' || (at === args[0] && (at.kind === 'array' || (at.kind === 'member' && at.property === 'queryKey')));
  if (!isKey || at === callee) return false;
  const rule = rulesWith(ev.rules, 'isKeyed').find(({ isKeyed }) => isKeyed?.(lastName(callee)) === true);
  if (rule?.modules?.some((name) => importedBy(module).has(name)) !== true) return false;
  const { value } = ev.budget.question({ node: callee, module }, () => ev.evaluate(callee, { module, frame: undefined }));
  return optionsOf(value).every(({ type }) => type !== 'function' && type !== 'class');
}

/** `app.get('/v1/messages/:id', (req, res) => …);`: a statement that gives a server a route gives the text, and what is made of it, to nothing else around it. */
const isRouteAlone = (ev: Evaluation, call: CallNode, at: Node, module: SourceModule): boolean =>
  call.args[0] === at &&
  call.args.length > 1 &&
  call.parent?.kind === 'other' &&
  call.parent.what === 'ExpressionStatement' &&
  isDefinition(ev, call, module);

const importedBy = memoOf(
  ({ tree: { program } }: SourceModule): ReadonlySet<string> => new Set(nodesOfKind(program, 'import').map(({ source }) => source.value)),
);

/** The names by which the text is taken out of what stands around something that has it. */
function withinAround(ev: Evaluation, around: Node, at: Node, within: readonly string[]): readonly string[] {
  switch (around.kind) {
    case 'property':
      return around.value === at && around.name !== undefined ? [around.name, ...within] : [];
    case 'object':
    case 'return':
    case 'block':
    case 'await':
    case 'function':
    case 'spread':
      return within;
    case 'member':
      if (around.object !== at) return [];
      return around.property === within[0] ? within.slice(1) : givesDescribed.test(around.property ?? '') ? within : [];
    case 'call': {
      const name = lastName(around.callee);
      return around.callee === at || keeping.test(name) || combined(ev.rules).givingBack.has(name) ? within : [];
    }
    default:
      return [];
  }
}

const lastName = (node: Node): string => (node.kind === 'name' ? node.name : node.kind === 'member' ? (node.property ?? '') : '');

/** Whether a text that lies within something may be taken there: `config.prefix`, `config[name]` or `use(config)`, and not `config.port`, beside reads of its own name. */
function mayTake(holder: Node, within: readonly string[]): boolean {
  let at = holder;
  for (const name of within) {
    const { parent } = at;
    if (parent?.kind === 'variable' && parent.target.kind === 'objectPattern') {
      const { properties, rest } = parent.target;
      return rest !== undefined || properties.some((each) => each.name === undefined || each.name === name);
    }
    if (parent?.kind !== 'member' || parent.object !== at || parent.property === undefined) return true;
    // A method may give any of it: `config.get('prefix')`, `schema.parse(process.env)`.
    if (parent.property !== name) return parent.parent?.kind === 'call' && parent.parent.callee === parent;
    at = parent;
  }
  return true;
}

/** The names that may have the text: of `const { app, headers } = setup()` the one under which it lies within what is given. */
function declaredBy({ target, init }: VariableNode, at: Node, within: readonly string[], { scopes }: SourceModule): Named[] {
  if (target.kind !== 'patternName' && target.kind !== 'objectPattern' && target.kind !== 'arrayPattern') return [];
  return namesIn(target).flatMap((name): Named[] => {
    const binding = scopes.declaredBy(name);
    const left = at === init ? withinTaken(stepsTo(target, name)?.steps ?? [], within) : within;
    return binding === undefined || left === undefined ? [] : [{ binding, within: left }];
  });
}

/** What is left of the names that a text lies within after some are taken; undefined where something else is taken. */
function withinTaken(steps: readonly PatternStep[], within: readonly string[]): readonly string[] | undefined {
  let left = within;
  for (const step of steps) {
    if ('rest' in step) continue;
    if ('element' in step || step.property === undefined || left.length === 0) return [];
    if (step.property !== left[0]) return undefined;
    left = left.slice(1);
  }
  return left;
}

/** `module.exports = …`, `export default …`: whoever takes the file has it, and it is no field that is called `exports`. */
const isWholeExport = (node: Node): boolean =>
  (node.kind === 'assign' && commonJsName(node.target) === '*') ||
  (node.kind === 'exportDeclaration' && (node.isDefault || node.isAssignment));

function nameOfField(node: Node): string | undefined {
  if (isWholeExport(node)) return undefined;
  if (node.kind === 'classMember' || node.kind === 'property') return node.name;
  return node.kind === 'assign' && node.target.kind === 'member' ? node.target.property : undefined;
}

/** `axios.create(…)` is no function of the project that is called `create`. */
function isOfClients(ev: Evaluation, { node, module }: Place): boolean {
  const name = node.kind === 'member' && node.object.kind === 'name' ? node.object : undefined;
  const specifier = name && specifierOf(module.scopes.bindingOf(name)?.owner);
  return specifier !== undefined && combined(ev.rules).modules.has(specifier) && ev.world.resolve(module, specifier) === undefined;
}

function specifierOf(owner: Node | undefined): string | undefined {
  if (owner?.kind === 'import') return owner.source?.value;
  const call = owner?.kind === 'variable' && owner.init?.kind === 'call' ? owner.init : undefined;
  const [specifier] = call?.callee.kind === 'name' && call.callee.name === 'require' ? call.args : [];
  return specifier?.kind === 'string' ? specifier.value : undefined;
}
