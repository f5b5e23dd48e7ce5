/**
 * What only asks whether the key is among headers, or takes it out of them: `if (!headers.has('x-api-key')) headers.set('x-api-key', key)`. It is about the
 * same header as what puts the key there, and moves with that.
 */
import { v1Auth, v2Auth } from '../../../src/contract/auth.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { isOfArrived } from '../../requests/forwarded-headers.ts';
import type { FunctionNode, Node } from '../../syntax/tree.ts';
import { isValueTest } from './empty-keys.ts';
import { holderOf, type Mention, mentionsIn, receiverOf } from '../key-mentions.ts';
import type { RequestSite } from '../request-sites.ts';
import type { Change } from './spans.ts';

/**
 * @param isHook whether a client calls a function with its own requests
 * @returns the sites, with what asks their headers among what they change; what is asked of headers that arrived at a server is about the key of
 * whoever sent them
 */
export function withPresenceTests(ev: Evaluation, sites: readonly RequestSite[], isHook: IsHook): readonly RequestSite[] {
  const named = sites.flatMap(({ changes }) => changes.filter(({ what }) => what === 'header name'));
  const more = new Map<string, readonly Change[]>();
  for (const [module, changes] of Map.groupBy(named, (change) => change.module)) {
    if (!isScript(module) || !tests.test(module.text)) continue;
    const mentions = mentionsIn(module);
    const isChanged = ({ start, end }: Mention): boolean => changes.some((change) => start <= change.start && change.end <= end);
    const [moving, staying] = [
      mentions.filter(isChanged),
      mentions.filter(
        (mention) =>
          !isChanged(mention) && isPresenceTest(mention.node) && (isOfHook(mention, module, isHook) || !asksArrived(ev, mention, module)),
      ),
    ];
    for (const mention of moving) {
      const holder = holderOf(mention.node, module);
      const own =
        holder === undefined ? [] : staying.filter((each) => holderOf(each.node, module) === holder && isSameName(each, mention, module));
      if (own.length > 0)
        more.set(
          `${module.file} ${mention.start}`,
          own.map(({ start, end }) => ({ module, start: start + 1, end: end - 1, text: v2Auth.fieldName, what: 'header name' })),
        );
    }
  }
  if (more.size === 0) return sites;
  return sites.map((site) => {
    const added = site.changes.flatMap(
      ({ module, start }) => more.get(`${module.file} ${start}`) ?? more.get(`${module.file} ${start - 1}`) ?? [],
    );
    return added.length === 0 ? site : { ...site, changes: [...site.changes, ...added] };
  });
}

type IsHook = (fn: FunctionNode, module: SourceModule) => boolean;

/** `request.headers` of what a hook is given, as a server's handlers may have it. */
function isOfHook({ node }: Mention, module: SourceModule, isHook: IsHook): boolean {
  let root = receiverOf(node);
  while (root?.kind === 'member') root = root.object;
  const owner = root?.kind === 'name' ? module.scopes.bindingOf(root)?.owner : undefined;
  return owner?.kind === 'param' && owner.parent?.kind === 'function' && isHook(owner.parent, module);
}

function asksArrived(ev: Evaluation, { node }: Mention, module: SourceModule): boolean {
  const receiver = receiverOf(node);
  return receiver !== undefined && isOfArrived(ev, { node: receiver, module });
}

/** Objects tell names by their letters; `Headers` do not. */
const isSameName = (asking: Mention, put: Mention, { text }: SourceModule): boolean =>
  asking.node.parent?.kind === 'call' || nameIn(asking, text) === nameIn(put, text);

const nameIn = ({ start, end }: Mention, text: string): string => text.slice(start, end).replace(/^['"`]|['"`]$/g, '');

/** Most files that give a header ask for none. */
const tests = new RegExp(
  String.raw`(?:has|delete|get)\(\s*['"\x60]${v1Auth.field}|\[['"\x60]${v1Auth.field}['"\x60]\]|['"\x60]${v1Auth.field}['"\x60]\s+in\b`,
  'i',
);

export function isPresenceTest(node: Node): boolean {
  const { parent } = node;
  if (node.kind !== 'string' || parent === undefined) return false;
  if (parent.kind === 'binary') return parent.operator === 'in';
  if (parent.kind === 'member' && parent.parent?.kind === 'unary' && parent.parent.operator === 'delete') return true;
  if (parent.kind === 'call' && parent.callee.kind === 'member' && /^(?:has|delete)$/.test(parent.callee.property ?? '')) return true;
  return isValueTest(node);
}
