/** class-transformer: https://github.com/typestack/class-transformer. Classes whose fields say what settings there are, with defaults. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { instanceOf } from '../../evaluate/calls/apply.ts';
import { parsedBy } from '../../evaluate/settings/settings.ts';
import type { Entry } from '../../evaluate/values/values.ts';

/** `plainToInstance(Settings, process.env)`: what is given comes before what a field is by itself. */
const filled: LibraryFunction = (ev, [of, given], node, at) => {
  if (of?.type !== 'class') return undefined;
  const { module } = of;
  const fields = of.node.members.filter(({ role, isStatic }) => role === 'field' && !isStatic);
  const entries = fields.map((field): Entry => ({
    name: field.name,
    key: undefined,
    node: field,
    module,
    valueNode: field.value,
    value: () => ev.member(instanceOf(of, []), field.name ?? '', node, at),
  }));
  return parsedBy(ev, { type: 'object', node, module, entries, unknown: [] }, given);
};

export const classTransformerLibrary: ClientRule = {
  name: 'class-transformer',
  plugIns: /^class-(?:transformer|validator)$/,
  functions: Object.fromEntries(['plainToInstance', 'plainToClass'].map((name) => [`class-transformer:${name}`, filled])),
};
