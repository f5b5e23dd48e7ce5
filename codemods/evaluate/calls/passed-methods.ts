/** Methods that a framework hands to code by name: `this.helpers.httpRequest`. */
import type { ClientRule } from '../libraries/client-rule.ts';
import type { HttpValue, MethodValue } from '../values/values.ts';
import { rulesWith } from '../libraries/rules.ts';

/** A rule that knows what is called, with the client whose method it is and the names that lead to it. */
export interface Known {
  readonly rule: ClientRule;
  readonly on: HttpValue | undefined;
  readonly path: readonly string[];
}

/** The rule that knows a method by its name and the one before, where nothing else says what it is. */
export function passedMethod(rules: readonly ClientRule[], { receiver, path }: MethodValue): Known | undefined {
  const owner = receiver.type === 'unknown' ? receiver.node : undefined;
  const [holder] = owner?.kind === 'member' ? [owner.property] : owner?.kind === 'patternName' ? [owner.name] : [];
  const names = [holder, ...path].filter((name) => name !== undefined && !['call', 'apply', 'bind'].includes(name)).slice(-2);
  const rule = rulesWith(rules, 'methods').find(({ methods }) => methods?.includes(names.join('.')));
  return rule && { rule, on: undefined, path: names.slice(-1).filter((name) => name !== undefined) };
}
