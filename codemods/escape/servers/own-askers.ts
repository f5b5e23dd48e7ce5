/** Servers that tests ask themselves, as a user's own are tested: `request(app).get('/v1/…')`, `app.inject(…)`. They stand for no service. */
import { requiredBy } from '../../syntax/required.ts';
import { returnsOf } from '../../evaluate/calls/returns.ts';
import type { World } from '../../evaluate/program.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { extendedByAsker, ownServerAskers } from '../../clients/testing/libraries.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';

const askers: ReadonlySet<string> = new Set(ownServerAskers);

/** @returns whether a place is of a server that a test asks itself */
export function askedByTests(world: World, modules: readonly SourceModule[]): (node: Node, module: SourceModule) => boolean {
  const servers = new Set<Binding>();
  const files = new Set<SourceModule>();
  for (const module of modules) {
    for (const call of module.calls) {
      const asked = namedIn(askedIn(call, module), module);
      const binding = asked?.kind === 'name' ? module.scopes.bindingOf(asked) : undefined;
      const source = asked?.kind === 'name' ? sourceOf(asked, module) : requiredBy(asked)?.value;
      const given = source === undefined ? undefined : world.resolve(module, source);
      if (binding !== undefined) servers.add(binding);
      // What is made in the call itself may be any of the file.
      else if (asked !== undefined && source === undefined) files.add(module);
      if (given !== undefined) files.add(given);
    }
  }
  return (node, module) => {
    if (files.has(module)) return true;
    for (let at: Node | undefined = node; at !== undefined; at = at.parent) {
      const root = at.kind === 'call' ? rootOf(at.callee) : undefined;
      const binding = root?.kind === 'name' ? module.scopes.bindingOf(root) : undefined;
      if (binding !== undefined && (servers.has(binding) || givesAsker(binding, module))) return true;
      if (root !== undefined && askers.has(sourceOf(root, module))) return true;
    }
    return false;
  };
}

/** Whether a call makes what asks such a server: `supertest(app)`. */
export const isAsker = (call: Node, module: SourceModule): boolean => askers.has(sourceOf(rootOf(call), module));

/** `const api = supertest(app)`, `agent = supertest(app)`, `const api = () => supertest(app)` */
function givesAsker({ owner, references }: Binding, module: SourceModule): boolean {
  const declared = owner.kind === 'variable' ? owner.init : owner;
  const given = [declared, ...references.map(({ parent }) => (parent?.kind === 'assign' ? parent.value : undefined))];
  return given.some((each) => {
    const made = each?.kind === 'function' ? returnsOf(each) : [each];
    return made.some((call) => call?.kind === 'call' && isAsker(call, module));
  });
}

/** What a call asks, if it is one of these. */
function askedIn({ callee, args: [first] }: CallNode, module: SourceModule): Node | undefined {
  const root = rootOf(callee);
  const isDirect = callee.kind === 'name' || (callee.kind === 'member' && callee.object.kind === 'name');
  if (isDirect && askers.has(sourceOf(root, module))) return appOf(first);
  if (callee.kind !== 'member') return undefined;
  const { property = '', object } = callee;
  if (property === 'inject') return object;
  if (property === 'request') {
    if (root.kind === 'name' && root.name === extendedByAsker) return first;
    return first?.kind === 'string' || first?.kind === 'template' ? object : undefined;
  }
  return /^(?:fetch|handle)$/.test(property) && first?.kind === 'call' && first.isNew ? object : undefined;
}

/** `setup().app`: what a function of the test calls so itself. */
function namedIn(asked: Node | undefined, { scopes }: SourceModule): Node | undefined {
  if (asked?.kind !== 'member' || asked.object.kind !== 'call' || asked.object.callee.kind !== 'name') return asked;
  const maker = scopes.bindingOf(asked.object.callee)?.owner;
  const fn = maker?.kind === 'variable' ? maker.init : maker;
  if (fn?.kind !== 'function') return asked;
  const [given, more] = returnsOf(fn);
  const field =
    given?.kind === 'object' ? given.properties.find((each) => each.kind === 'property' && each.name === asked.property) : undefined;
  return more === undefined && field?.kind === 'property' && field.value?.kind === 'name' ? field.value : asked;
}

/** `request(app.getHttpServer())` of Nest asks the app, whose routes stand in its modules. */
const appOf = (asked: Node | undefined): Node | undefined =>
  asked?.kind === 'call' && asked.callee.kind === 'member' && asked.callee.property === 'getHttpServer' ? asked.callee.object : asked;

/** The package that a name is imported from, or required. */
function sourceOf(name: Node, module: SourceModule): string {
  const owner = name.kind === 'name' ? module.scopes.bindingOf(name)?.owner : undefined;
  if (owner?.kind === 'import') return owner.source.value;
  const [specifier] = owner?.kind === 'variable' && owner.init?.kind === 'call' ? owner.init.args : [];
  return specifier?.kind === 'string' ? specifier.value : '';
}

function rootOf(node: Node): Node {
  let at = node;
  while (at.kind === 'member' || at.kind === 'call') at = at.kind === 'member' ? at.object : at.callee;
  return at;
}
