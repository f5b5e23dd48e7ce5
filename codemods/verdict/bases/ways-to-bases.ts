/** The way by which the program comes to its base: where it begins to read it, and what it reads of that. */
import { paramOf, writesToField } from '../../evaluate/classes/class-index.ts';
import { isObjectAssign } from '../../evaluate/writes/copies.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { CallNode, FunctionNode, Node, ParamNode, Pattern, PatternName } from '../../syntax/tree.ts';

/** Where the program begins to read its base: at what another file exports, or what a constructor or function is given. */
export type Root = { readonly file: SourceModule } | { readonly param: ParamNode; readonly of: FunctionNode };

/** A property that is read, or a call. */
export type Step = string | CallNode;

export interface Way {
  readonly root: Root;
  readonly steps: readonly Step[];
  readonly module: SourceModule;
}

/** The same is read in many places. */
export function keyOf({ root, steps, module }: Way): string {
  const shown = steps.map((step) =>
    typeof step === 'string' ? step : step.args.map(({ start, end }) => module.text.slice(start, end)).join(),
  );
  return ['file' in root ? root.file.file : `${module.file} ${root.param.start}`, ...shown].join(' ');
}

/** What an expression begins with, and what is read of that. */
export function wayTo(ev: Evaluation, node: Node, module: SourceModule): Way | undefined {
  const begin = beginOf(ev, node, module, 0);
  return begin && { ...begin, module };
}

type Begin = Pick<Way, 'root' | 'steps'>;

/** Names, fields and calls around one another that are followed. */
const maxDepth = 12;

function beginOf(ev: Evaluation, at: Node, module: SourceModule, depth: number): Begin | undefined {
  const read = (of: Node, ...steps: readonly Step[]): Begin | undefined => {
    const begin = beginOf(ev, of, module, depth + 1);
    return begin && { root: begin.root, steps: [...begin.steps, ...steps] };
  };
  if (depth > maxDepth) return undefined;
  switch (at.kind) {
    case 'member':
      if (at.property === undefined) return undefined;
      return at.object.kind === 'this' ? ofField(ev, at, at.property, module, depth) : read(at.object, at.property);
    case 'call': {
      const last = isObjectAssign(at) ? at.args.at(-1) : undefined;
      return last === undefined || last.kind === 'spread' ? read(at.callee, at) : read(last);
    }
    // `{ ...defaults, ...options }`: what is given last.
    case 'object': {
      const last = at.properties.at(-1);
      return last?.kind === 'spread' ? read(last.argument) : undefined;
    }
    case 'name': {
      const binding = module.scopes.bindingOf(at);
      return binding && ofName(ev, binding, module, read);
    }
    default:
      return undefined;
  }
}

/** What a name was declared with: `const { baseUrl } = this.settings`, `function create({ baseUrl })`. */
function ofName(
  ev: Evaluation,
  { owner, declaration }: Binding,
  module: SourceModule,
  read: (of: Node, ...steps: readonly Step[]) => Begin | undefined,
): Begin | undefined {
  if (owner.kind === 'import') {
    const file = ev.world.resolve(module, owner.source.value);
    const imported = owner.specifiers.find(({ local }) => local === declaration)?.imported ?? '*';
    return file && { root: { file }, steps: imported === '*' ? [] : [imported] };
  }
  if (owner.kind !== 'param' && owner.kind !== 'variable') return undefined;
  const steps = namesTo(owner.target, declaration);
  if (steps === undefined) return undefined;
  if (owner.kind === 'variable') return owner.init && read(owner.init, ...steps);
  const root = ofParam(owner);
  return root && { root, steps };
}

/** By which names a pattern takes something out; what `...rest` leaves, or stands at a place of a list, has none. */
function namesTo(pattern: Pattern, declaration: PatternName): string[] | undefined {
  const names: string[] = [];
  for (let at: Node = declaration; at !== pattern;) {
    const taken: Node | undefined = at.parent;
    if (taken?.kind !== 'patternProperty' || taken.name === undefined || taken.parent === undefined) return undefined;
    names.unshift(taken.name);
    at = taken.parent;
  }
  return names;
}

/** `constructor(private readonly config: ConfigService)`, or the one place where the class puts something there. */
function ofField(ev: Evaluation, member: Node, name: string, module: SourceModule, depth: number): Begin | undefined {
  let of = member.parent;
  while (of !== undefined && of.kind !== 'class') of = of.parent;
  const param = of && paramOf(of, name);
  const root = param && ofParam(param);
  if (root !== undefined) return { root, steps: [] };
  const [write, ...more] = of === undefined ? [] : writesToField(of, module, name);
  return write?.node.kind === 'assign' && more.length === 0 ? beginOf(ev, write.node.value, module, depth + 1) : undefined;
}

function ofParam(param: ParamNode): Root | undefined {
  const of = param.parent;
  return of?.kind === 'function' && !param.isRest ? { param, of } : undefined;
}
