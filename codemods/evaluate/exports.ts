/** What a module exports, through re-exports and in both module systems. */
import { variantsOf } from '../find/variants.ts';
import type { At, Evaluation } from './evaluation.ts';
import type { Export, SourceModule } from './module.ts';
import { writtenFromOutside } from './external-writes.ts';
import { after, choiceOf, type Trail, type Value } from './values.ts';

const none: ReadonlySet<SourceModule> = new Set();

/**
 * @param name `default`, `*` for all exports together, or the name
 * @param seen modules asked before, as re-exports may go in circles
 */
export function exportedValue(ev: Evaluation, module: SourceModule, name: string, seen = none): Value | undefined {
  if (seen.has(module)) return undefined;
  const visited = new Set(seen).add(module);
  const at: At = { module, frame: undefined };
  if (name === '*') return { type: 'namespace', module };
  const own = module.exports.get(name);
  if (own !== undefined) {
    const value = valueOf(ev, own, at, visited);
    // Whoever has all exports in hand may write one: `require('./config').base = …`.
    const isModule = (target: Value): boolean => target.type === 'namespace' && target.module === module;
    return value && 'node' in own ? choiceOf([value, ...writtenFromOutside(ev, name, isModule)]) : value;
  }
  if (module.whole !== undefined) {
    const whole = ev.evaluate(module.whole, at);
    return name === 'default' ? whole : ev.member(whole, name, module.whole, at);
  }
  for (const specifier of module.stars) {
    const from = name === 'default' ? undefined : ev.world.resolve(module, specifier);
    const found = from === undefined ? undefined : exportedValue(ev, from, name, visited);
    if (found !== undefined) return found;
  }
  return undefined;
}

function valueOf(ev: Evaluation, target: Export, at: At, seen: ReadonlySet<SourceModule>): Value | undefined {
  if ('node' in target) return ev.evaluate(target.node, at);
  if ('reference' in target) return ev.evaluate(target.reference, at);
  if ('declared' in target) {
    const binding = at.module.scopes.declaredBy(target.declared);
    return binding === undefined ? undefined : ev.binding(binding, at);
  }
  return importedValue(ev, at.module, target.specifier, target.name, seen);
}

/** What `import { name } from specifier` gives: a value of the project, or something of a package. */
export function importedValue(
  ev: Evaluation,
  from: SourceModule,
  specifier: string,
  name: string,
  seen?: ReadonlySet<SourceModule>,
): Value | undefined {
  const module = ev.world.resolve(from, specifier);
  if (module === undefined) {
    if (/^[./#]/.test(specifier)) return undefined;
    return { type: 'external', source: specifier.replace(/^node:/, ''), path: name === 'default' || name === '*' ? [] : [name] };
  }
  const own = exportedValue(ev, module, name, seen);
  const variants = own === undefined ? [] : variantsOf(module.file, ev.world.modules.keys());
  const others = variants.flatMap((file) => {
    const variant = ev.world.modules.get(file);
    return (variant && exportedValue(ev, variant, name, seen)) ?? [];
  });
  return own === undefined || others.length === 0 ? own : choiceOf([own, ...others]);
}

/** What `require(specifier)` gives. */
export function requiredValue(ev: Evaluation, from: SourceModule, specifier: string, node: Value['trail'] & object): Value | undefined {
  const module = ev.world.resolve(from, specifier);
  if (module === undefined) return importedValue(ev, from, specifier, '*');
  const whole = module.whole === undefined ? undefined : exportedValue(ev, module, 'default');
  return whole === undefined ? { type: 'namespace', module } : after(whole, node satisfies Trail);
}
