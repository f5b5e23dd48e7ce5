/** Effect's services: https://effect.website/docs/requirements-management/services. What a tag stands for, a layer says; `yield*` asks for it. */
import type { ClientRule } from '../../evaluate/client-rule.ts';
import type { Ask, AskNode, Put, PutNode } from '../../evaluate/provided.ts';
import { unknown } from '../../evaluate/values.ts';
import { isCallOf } from '../names.ts';

const space = 'effect services';
/** With the tag before what it stands for. */
const providing = [
  { on: /^Layer$/, method: /^(?:succeed|sync|effect|scoped)$/ },
  { on: /^Effect$/, method: /^provideService(?:Effect)?$/ },
  { on: /^Context$/, method: /^make$/ },
];

/** What it stands for is what a program of Effect gives, which is not followed. */
const byProgram = { on: /^(?:Layer|Effect)$/, method: /^(?:effect|scoped|provideServiceEffect)$/ };

/** `Layer.succeed(Settings, { url })`, `Layer.sync(Settings, () => ({ url }))`, `Effect.provideService(program, Settings, { url })` */
function puts(node: PutNode): readonly Put[] {
  if (node.kind !== 'call' || !providing.some((each) => isCallOf(node, each))) return [];
  const [key, value] = node.args.slice(-2);
  if (key === undefined || value === undefined || key.kind === 'spread' || value.kind === 'spread') return [];
  return [
    {
      space,
      key,
      node: value,
      value: (ev, at) => {
        const made = isCallOf(node, byProgram) ? unknown(value, at.module) : ev.evaluate(value, at);
        return made.type === 'function' ? ev.apply(made, [], node, at) : made;
      },
    },
  ];
}

function asks(node: AskNode): Ask | undefined {
  const [tag] = node.kind === 'other' && node.what === 'YieldExpression' ? node.children : [];
  return tag?.kind === 'name' ? { space, key: tag } : undefined;
}

export const effectLibrary: ClientRule = {
  name: 'effect',
  carries: [{ where: /['"]effect(?:\/\w+)?['"]/, puts, asks }],
};
