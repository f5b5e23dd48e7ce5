/** What Next.js' middleware adds to requests that rewrites pass on: https://nextjs.org/docs/app/api-reference/file-conventions/proxy#setting-headers */
import type { ClientRule } from '../evaluate/client-rule.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { flat, sliceParts } from '../evaluate/text.ts';
import { choiceOf, type Entry, type HttpValue, optionsOf, partsOf, type Value } from '../evaluate/values.ts';
import { setBy } from '../evaluate/writes.ts';
import type { CallNode, NameNode, Node, PropertyNode } from '../syntax/tree.ts';

const name = 'next-middleware';
/** All that is below a path, `/texts/:path*` or `/texts/(.*)`; not `/api`, below which are the application's own routes. */
const below = /^(?!\/api\/[:(])(?<path>(?:\/[\w.-]+)+)\/(?::\w+\*|\(\.\*\))$/;

/** `matcher` of the file's `config`, with what each `NextResponse.next({ request: { headers } })` of the file goes on with. */
function declared(property: PropertyNode, { module, frame }: At, ev: Evaluation): Value | undefined {
  const at: At = { module, frame };
  const given = module.calls.filter(isNext).flatMap(({ args: [options] }) => valueOf(valueOf(options, 'request'), 'headers') ?? []);
  const headers = given.flatMap((node): Value[] => {
    const entries = node.kind === 'name' ? setOn(node, at, ev) : undefined;
    return [entries === undefined ? ev.evaluate(node, at) : { type: 'object', node, module, entries, unknown: [] }];
  });
  const paths = optionsOf(ev.evaluate(property.value, at)).flatMap((each) => (each.type === 'list' ? each.items : each));
  const found = paths.flatMap((each): HttpValue[] => {
    const parts = each.type === 'text' ? partsOf(each) : [];
    const length = below.exec(flat(parts))?.groups?.['path']?.length;
    if (length === undefined) return [];
    const path: Value = { type: 'text', parts: sliceParts(parts, 0, length) };
    const proxy = { mount: path, isCut: false, isOnTheWay: true };
    return [{ type: 'http', client: name, stage: 'request', node: property, module, origins: [], url: path, headers, proxy }];
  });
  return headers.length === 0 || found.length < paths.length ? undefined : choiceOf(found);
}

const isNext = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' && callee.property === 'next' && callee.object.kind === 'name' && callee.object.name === 'NextResponse';

function valueOf(node: Node | undefined, key: string): Node | undefined {
  const found = node?.kind === 'object' ? node.properties.find((each) => each.kind === 'property' && each.name === key) : undefined;
  return found?.kind === 'property' ? found.value : undefined;
}

/** What is set on the headers that came in, `new Headers(request.headers)`; undefined where something else is done with them. */
function setOn(headers: NameNode, at: At, ev: Evaluation): Entry[] | undefined {
  const entries: Entry[] = [];
  for (const { parent } of at.module.scopes.bindingOf(headers)?.references ?? []) {
    const call = parent?.kind === 'member' ? parent.parent : undefined;
    if (call?.kind === 'call' && parent?.kind === 'member' && parent.property === 'set') entries.push(...setBy(ev, call, at).entries);
    else if (parent?.kind !== 'property' || parent.name !== 'headers') return undefined;
  }
  return entries;
}

export const nextMiddlewareRule: ClientRule = {
  name,
  title: 'middleware of Next.js',
  declares: { names: ['matcher'], where: /\bNextResponse\.next\(/ },
  declared,
};
