/** Awilix: https://github.com/jeffijoe/awilix. What is registered under a name is a property of what each factory and constructor is given. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { Ask, AskNode, Put, PutNode } from '../../evaluate/libraries/provided.ts';
import type { Expression, ObjectNode } from '../../syntax/tree.ts';
import { madeBy } from './injection.ts';
import { askedBy, isCallOf, lastName, ownerOf } from '../names.ts';

const space = 'awilix';
const container = /container|scope|cradle|^(?:app|di|ioc)$/i;
const cradle = /^(?:cradle|deps|dependencies|opts|options|services|\(parameter\))$/;

function puts(node: PutNode): readonly Put[] {
  if (node.kind !== 'call' || !isCallOf(node, { method: /^register$/, on: container })) return [];
  const [first, second] = node.args;
  if (first?.kind === 'object') return registered(first);
  return first === undefined || first.kind === 'spread' || second === undefined || second.kind === 'spread' ? [] : resolver(first, second);
}

/** `container.register({ client: asClass(Client).singleton() })` */
const registered = ({ properties }: ObjectNode): readonly Put[] =>
  properties.flatMap((each) => {
    const key = each.kind === 'property' ? (each.name ?? each.computed) : undefined;
    return each.kind === 'spread' || key === undefined ? [] : resolver(key, each.value);
  });

/** How something comes out of what is registered. */
function resolver(key: string | Expression, value: Expression): readonly Put[] {
  let call = value;
  while (call.kind === 'call' && call.callee.kind === 'member' && call.callee.object.kind === 'call') call = call.callee.object;
  const [node] = call.kind === 'call' ? call.args : [];
  if (call.kind !== 'call' || node === undefined || node.kind === 'spread') return [];
  const by = lastName(call.callee);
  if (by === 'asValue') return [{ space, key, node }];
  return by === 'asClass' || by === 'asFunction'
    ? [{ space, key, node, value: (ev, at) => madeBy(ev, ev.evaluate(node, at), node, at) }]
    : [];
}

function asks(node: AskNode, name: string | undefined): Ask | undefined {
  if (node.kind === 'call') return askedBy(node, space, { method: /^resolve$/, on: container });
  return name !== undefined && cradle.test(ownerOf(node)) ? { space, key: name } : undefined;
}

export const awilixLibrary: ClientRule = { name: 'awilix', carries: [{ where: /['"]awilix(?:-\w+)?['"]/, puts, asks }] };
