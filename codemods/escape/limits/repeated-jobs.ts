/** Jobs that a queue begins again and again, and what works on them: of BullMQ, Bull and Nest. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import { optionsOf, plainText } from '../../evaluate/values/values.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, Expression, Node, ObjectNode, PropertyNode } from '../../syntax/tree.ts';
import { numberOf } from './numbers.ts';

const mark = /\b(?:Worker|Processor|process)\b/;

export interface Work {
  readonly node: Node;
  readonly module: SourceModule;
  /** Functions that it runs, by their names. */
  readonly given: readonly Expression[];
}

/** `{ repeat: { every: 10_000 } }`, and the second argument of `upsertJobScheduler`. */
export function isRepeat({ name = '', parent: object }: PropertyNode): boolean {
  if (!/^(?:every|pattern|cron)$/.test(name) || object?.parent === undefined) return false;
  const { parent } = object;
  return parent.kind === 'property'
    ? parent.name === 'repeat'
    : parent.kind === 'call' && parent.callee.kind === 'member' && parent.callee.property === 'upsertJobScheduler';
}

/** Fewer tries than this are for what fails now and then. */
const minTries = 10;

/** `{ attempts: 20, backoff: { type: 'fixed', delay: 10_000 } }`: how long a job waits before each of many tries. */
export function waitOfRetries({ name, value, parent: object }: PropertyNode, module: SourceModule): Expression | undefined {
  if (name !== 'backoff' || object?.kind !== 'object') return undefined;
  const attempts = valueOf(object, 'attempts');
  if (attempts === undefined || (numberOf(attempts, module) ?? 0) < minTries) return undefined;
  if (value.kind !== 'object') return value;
  const type = valueOf(value, 'type');
  return type?.kind === 'string' && type.value === 'fixed' ? valueOf(value, 'delay') : undefined;
}

/** `queue.add('check', data, { delay: 10_000 })`: whether what works on a queue puts a job there for later. */
export function isPutBack({ name, parent: object, ...node }: PropertyNode, work: Work, module: SourceModule): boolean {
  const call = object?.parent;
  const isAdded = name === 'delay' && call?.kind === 'call' && call.callee.kind === 'member' && call.callee.property === 'add';
  return isAdded && work.module === module && work.node.start <= node.start && node.end <= work.node.end;
}

const valueOf = (object: ObjectNode, name: string): Expression | undefined =>
  object.properties.flatMap((each) => (each.kind === 'property' && each.name === name ? each.value : []))[0];

/** What works on the queues that a file names, or on any where it names none. */
export function workOn(ev: Evaluation, module: SourceModule): Work[] {
  const asked = new Set(callsTo(module, /^(?:Queue|InjectQueue)$/).flatMap(({ args: [first] }) => namesOf(ev, first, module)));
  const all = workers.get(ev.world) ?? workersIn(ev.world);
  workers.set(ev.world, all);
  return all.filter(({ queue, module: of }) => {
    const names = asked.size === 0 ? [] : namesOf(ev, queue, of);
    return names.length === 0 || names.some((name) => asked.has(name));
  });
}

interface Worker extends Work {
  /** What names its queue. */
  readonly queue: CallNode['args'][number] | undefined;
}

/** All that works on queues: every job that is tried again asks for it. */
const workers = new WeakMap<World, readonly Worker[]>();

const workersIn = ({ modules }: World): readonly Worker[] =>
  [...modules.values()].flatMap((module): Worker[] => {
    if (!mark.test(module.text)) return [];
    const called = callsTo(module, /^(?:Worker|process)$/).map((node): Worker => {
      const given = node.args.flatMap((arg) => (arg.kind === 'name' || arg.kind === 'member' ? arg : []));
      return { node, module, given, queue: node.args[0] };
    });
    const processors = nodesOfKind(module.tree.program, 'class').flatMap((node): Worker[] => {
      const of = node.decorators.find((by) => by.kind === 'call' && by.callee.kind === 'name' && by.callee.name === 'Processor');
      return of?.kind === 'call' ? [{ node, module, given: [], queue: of.args[0] }] : [];
    });
    return [...called, ...processors];
  });

const callsTo = (module: SourceModule, name: RegExp): CallNode[] =>
  nodesOfKind(module.tree.program, 'call').filter(({ callee }) =>
    name.test((callee.kind === 'name' ? callee.name : callee.kind === 'member' ? callee.property : '') ?? ''),
  );

const namesOf = (ev: Evaluation, node: CallNode['args'][number] | undefined, module: SourceModule): string[] =>
  node === undefined || node.kind === 'spread'
    ? []
    : optionsOf(ev.evaluate(node, { module, frame: undefined })).flatMap((value) => plainText(value) ?? []);
