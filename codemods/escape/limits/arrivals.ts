/** Load tests of k6 that say how many calls begin in what time: https://grafana.com/docs/k6/latest/using-k6/scenarios/executors/. */
import { hourInMs, minuteInMs, secondInMs } from '../../../src/contract/times.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Expression, Node, ObjectNode, PropertyNode } from '../../syntax/tree.ts';
import { defaultOf } from './numbers.ts';

interface Arrivals {
  /** What a scenario runs. */
  readonly around: Node;
  /** The most that begin within one hour. */
  readonly timesPerHour: number;
}

/** What `executor: 'constant-arrival-rate'` makes of the numbers beside it; undefined for a property that is none. */
export function arrivalsOf({ name, value, parent }: PropertyNode, module: SourceModule): Arrivals | undefined {
  if (name !== 'executor' || value.kind !== 'string' || parent?.kind !== 'object') return undefined;
  const unit = lengthOf(entryOf(parent, 'timeUnit')) ?? secondInMs;
  const stages = stagesOf(parent);
  const rates = [parent, ...stages].flatMap((each) => ['rate', 'startRate', 'target'].flatMap((key) => numberAt(each, key, module) ?? []));
  const lengths = [parent, ...stages].flatMap((each) => lengthOf(entryOf(each, 'duration')) ?? []);
  const length = lengths.length === 0 ? hourInMs : lengths.reduce((sum, each) => sum + each, 0);
  const exec = entryOf(parent, 'exec');
  return value.value.endsWith('-arrival-rate') && rates.length > 0
    ? { around: functionNamed(exec, module) ?? module.tree.program, timesPerHour: (Math.max(...rates) / unit) * Math.min(length, hourInMs) }
    : undefined;
}

function entryOf({ properties }: ObjectNode, name: string): Expression | undefined {
  const found = properties.find((each) => each.kind === 'property' && each.name === name);
  return found?.kind === 'property' ? found.value : undefined;
}

/** `stages: [{ target: 50, duration: '2m' }]` */
function stagesOf(scenario: ObjectNode): ObjectNode[] {
  const stages = entryOf(scenario, 'stages');
  return stages?.kind === 'array' ? stages.elements.flatMap((each) => (each?.kind === 'object' ? [each] : [])) : [];
}

function numberAt(object: ObjectNode, name: string, module: SourceModule): number | undefined {
  const value = entryOf(object, name);
  return value === undefined ? undefined : defaultOf(value, module);
}

const units: Readonly<Record<string, number>> = { ms: 1, s: secondInMs, m: minuteInMs, h: hourInMs };

/** `'1m30s'` */
function lengthOf(node: Expression | undefined): number | undefined {
  if (node?.kind !== 'string') return undefined;
  const parts = [...node.value.matchAll(/([\d.]+)(ms|[smh])/g)];
  return parts.length === 0 ? undefined : parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0), 0);
}

/** `exec: 'send'` of a scenario, where the file has such a function. */
function functionNamed(exec: Expression | undefined, { tree }: SourceModule): Node | undefined {
  if (exec?.kind !== 'string') return undefined;
  const isNamed = (name: string | undefined): boolean => name === exec.value;
  return (
    nodesOfKind(tree.program, 'function').find((fn) => isNamed(fn.name?.name)) ??
    nodesOfKind(tree.program, 'variable').find(({ target }) => target.kind === 'patternName' && isNamed(target.name))
  );
}
