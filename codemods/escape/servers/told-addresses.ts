/** Where a program that a test starts is told to ask, at a server of the test: `spawn('node', ['cli.js', '--api-url', `http://127.0.0.1:${port}/v1`])`. */
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node, TemplateNode } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';

export interface ToldAddress {
  readonly node: TemplateNode;
  /** Where its version begins, with the slash. */
  readonly start: number;
  /** The option that it is given for, without dashes; undefined where something else has it, too. */
  readonly option: string | undefined;
}

const local = /^`(?:--?(?<option>[\w-]+)=)?https?:\/\/(?:localhost|127\.0\.0\.1):\$\{[^{}]*\}(?=\/v1[/`])/;

export const toldAddresses = (module: SourceModule): ToldAddress[] =>
  nodesOfKind(module.tree.program, 'template').flatMap((node) => {
    const { 0: before, groups } = local.exec(module.text.slice(node.start, node.end)) ?? {};
    if (before === undefined) return [];
    const [option, ...others] = new Set(placesOf(node, module).map((place) => groups?.['option'] ?? optionBefore(place)));
    const isTold = option !== undefined || others.length > 0;
    return isTold ? [{ node, start: node.start + before.length, option: others.length > 0 ? undefined : option }] : [];
  });

/** Whether a text is nothing else than such an address. */
export const isTold = (text: Node, module: SourceModule): boolean =>
  text.kind === 'template' && toldAddresses(module).some(({ node, option }) => node === text && option !== undefined);

/** The text itself, or all that reads the constant that it is, or the variable that is set to nothing else: `let url; before(() => { url = … })`. */
function placesOf(node: Node, { scopes }: SourceModule): readonly Node[] {
  const { parent } = node;
  if (parent?.kind === 'variable')
    return parent.declares === 'const' && parent.target.kind === 'patternName' ? (scopes.declaredBy(parent.target)?.references ?? []) : [];
  if (parent?.kind !== 'assign' || parent.target.kind !== 'name') return [node];
  const { target } = parent;
  // What else it is set to stands in no list.
  return scopes.bindingOf(target)?.references.filter((each) => each !== target) ?? [node];
}

/** `['--api-url', url]` */
function optionBefore(place: Node): string | undefined {
  const { parent: list } = place;
  const option = list?.kind === 'array' ? list.elements[list.elements.findIndex((each) => each === place) - 1] : undefined;
  return option?.kind === 'string' ? /^--?([\w-]+)$/.exec(option.value)?.[1] : undefined;
}

/** Tells whether the base of a request is the default of that option. */
export const isOfOption =
  ({ option }: ToldAddress) =>
  ({ changes }: RequestSite): boolean =>
    changes.some(
      ({ module, start }) =>
        isScript(module) && module.texts.some((text) => text.start <= start && start < text.end && isDefaultOf(text, option)),
    );

/** `{ url: { type: 'string', default: '…' } }`, `.option('api-url', { default: '…' })`, `.option('--api-url <url>', 'where to ask', env.URL ?? '…')` */
function isDefaultOf(text: Node, option: string | undefined): boolean {
  const isNamed = (name: string | undefined): boolean =>
    name !== undefined && option !== undefined && plainName(name) === plainName(option);
  const isOtherwise = text.parent?.kind === 'logical' && text.parent.operator !== '&&' && text.parent.right === text;
  const value = isOtherwise && text.parent !== undefined ? text.parent : text;
  const { parent } = value;
  const isDefault = parent?.kind === 'property' && parent.name === 'default';
  const holder = isDefault ? parent.parent : value;
  const around = holder?.parent;
  if (around?.kind === 'property' && isDefault) return isNamed(around.name);
  const [first] = around?.kind === 'call' && around.callee.kind === 'member' ? around.args : [];
  return first?.kind === 'string' && first.value.split(/[\s,=]+/).some(isNamed);
}

const plainName = (name: string): string => name.replaceAll('-', '').toLowerCase();
