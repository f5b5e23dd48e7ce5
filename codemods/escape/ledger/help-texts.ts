/** What a program tells those who run it of its commands and fields: it repeats nothing, and each line may be wrong once the calls are moved. */
import { lastName } from '../../clients/names.ts';
import type { World } from '../../evaluate/program.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import { importedBy } from '../../evaluate/names/specifiers.ts';
import { ending } from './version-endings.ts';

const methods =
  /^(?:meow|(?:add)?[hH]elp(?:Text|Option)?|usage|epilog(?:ue)?|examples?|desc(?:ription|ribe)?|summary|(?:required)?[oO]ption|argument|positional|command)$/;
const fields = /^(?:help(?:Text)?|usage|epilog(?:ue)?|examples?|desc(?:ription|ribe)?|summary)$/;

/** `.option('--key <key>', 'sent as x-api-key')`, `{ describe: '…' }`, `static description = '…'` of a command, `export const description = '…'` of a tool. */
export function isHelp({ parent }: Node): boolean {
  if (parent?.kind === 'array') return isHelp(parent);
  if (parent?.kind === 'call') return methods.test(lastName(parent.callee));
  if (parent?.kind === 'variable') return parent.target.kind === 'patternName' && fields.test(parent.target.name);
  return (parent?.kind === 'property' || parent?.kind === 'classMember') && fields.test(parent.name ?? '');
}

/** `console.log('POST /v1/contacts', row)`, `this.logger.error({ msg: 'POST /v1/contacts failed' })`: what a program says that it does, as data, too. */
export function isLogged({ parent }: Node): boolean {
  if (parent?.kind === 'property' || parent?.kind === 'object') return isLogged(parent);
  if (parent?.kind !== 'call' || parent.callee.kind !== 'member') return false;
  const { object, property } = parent.callee;
  const holder = lastName(object);
  return holder === 'JSON' && property === 'stringify' ? isLogged(parent) : /^(?:console|log(?:ger)?)$/.test(holder);
}

/**
 * `{ key: 'apiKey', helpText: '…' }`, `{ displayName: 'Key', description: '…' }`: of a field of a form that integrations describe, in a file of its own.
 * `server.tool('send', '…', …)`, `{ typeDefs: '…' }`: what models and people are told of tools and of a schema.
 */
export const isFieldHelp = ({ parent }: Node): boolean => {
  if (parent?.kind === 'call') return isOfTool(parent);
  if (parent?.kind === 'tagged') return lastName(parent.tag) === 'gql';
  if (parent?.kind !== 'property') return false;
  const name = parent.name ?? '';
  return (
    /^(?:help(?:er)?Text|hint|tooltip|typeDefs)$/.test(name) ||
    (fields.test(name) && (isOfField(parent.parent) || isOfTool(parent.parent?.parent)))
  );
};

const isOfTool = (node: Node | undefined): boolean => node?.kind === 'call' && /^(?:tool|registerTool)$/.test(lastName(node.callee));

const isOfField = (node: Node | undefined): boolean =>
  node?.kind === 'object' && node.properties.some((each) => each.kind === 'property' && /^(?:displayName|label)$/.test(each.name ?? ''));

/** `.option('--url <url>', 'another address, without /v1')`: help that says how an address ends, and no route. */
export const helpOfEndings = ({ tree, text }: SourceModule): readonly Node[] =>
  text.includes('/v1')
    ? nodesOfKind(tree.program, 'string').filter((node) => node.value.search(ending) !== -1 && (isHelp(node) || isFieldHelp(node)))
    : [];

/** @returns whether a file is imported along with one of some files, by a third or by that one */
export function besideIn(world: World, files: ReadonlySet<string>): (module: SourceModule) => boolean {
  const isLeading = leadingTo(world, files);
  let found: ReadonlySet<SourceModule> | undefined;
  return (module) => (found ??= reachedFrom([...world.modules.values()].filter(isLeading), importsIn(world))).has(module);
}

/** @returns whether a file imports one of some files, by way of any number of others */
export function leadingTo(world: World, files: ReadonlySet<string>): (module: SourceModule) => boolean {
  let found: ReadonlySet<SourceModule> | undefined;
  const find = (): ReadonlySet<SourceModule> => {
    const modules = [...world.modules.values()];
    const imports = modules.flatMap((by) => importsIn(world)(by).map((of) => ({ by, of })));
    const importers = Map.groupBy(imports, ({ of }) => of);
    const begin = modules.filter(({ file }) => files.has(file));
    return reachedFrom(begin, (module) => importers.get(module)?.map(({ by }) => by) ?? []);
  };
  return (module) => (found ??= find()).has(module);
}

const importsIn =
  (world: World) =>
  (module: SourceModule): readonly SourceModule[] =>
    importedBy(module).flatMap((specifier) => world.resolve(module, specifier) ?? []);

/** Some files, and what these lead to by way of any number of others. */
function reachedFrom(begin: readonly SourceModule[], next: (module: SourceModule) => readonly SourceModule[]): ReadonlySet<SourceModule> {
  const reached = new Set(begin);
  // A set that grows while it is walked.
  for (const each of reached) for (const other of next(each)) reached.add(other);
  return reached;
}
