/** Jobs that a queue begins again and again, and what works on them: of BullMQ, Bull and Nest. */
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { optionsOf, plainText } from '../evaluate/values.ts';
import { nodesOfKind } from '../syntax/link.ts';
import type { CallNode, Expression, Node, PropertyNode } from '../syntax/tree.ts';

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

/** What works on the queues that a file names, or on any where it names none. */
export function workOn(ev: Evaluation, module: SourceModule): Work[] {
  const asked = new Set(callsTo(module, /^(?:Queue|InjectQueue)$/).flatMap(({ args: [first] }) => namesOf(ev, first, module)));
  const isAsked = (names: readonly string[]): boolean => asked.size === 0 || names.length === 0 || names.some((name) => asked.has(name));
  return [...ev.world.modules.values()].flatMap((each): Work[] => {
    if (!mark.test(each.text)) return [];
    const workers = callsTo(each, /^(?:Worker|process)$/).flatMap((node): Work[] =>
      isAsked(namesOf(ev, node.args[0], each))
        ? [{ node, module: each, given: node.args.flatMap((arg) => (arg.kind === 'name' || arg.kind === 'member' ? arg : [])) }]
        : [],
    );
    const processors = nodesOfKind(each.tree.program, 'class').flatMap((node): Work[] => {
      const of = node.decorators.find((by) => by.kind === 'call' && by.callee.kind === 'name' && by.callee.name === 'Processor');
      return of?.kind === 'call' && isAsked(namesOf(ev, of.args[0], each)) ? [{ node, module: each, given: [] }] : [];
    });
    return [...workers, ...processors];
  });
}

const callsTo = (module: SourceModule, name: RegExp): CallNode[] =>
  nodesOfKind(module.tree.program, 'call').filter(({ callee }) =>
    name.test((callee.kind === 'name' ? callee.name : callee.kind === 'member' ? callee.property : '') ?? ''),
  );

const namesOf = (ev: Evaluation, node: CallNode['args'][number] | undefined, module: SourceModule): string[] =>
  node === undefined || node.kind === 'spread'
    ? []
    : optionsOf(ev.evaluate(node, { module, frame: undefined })).flatMap((value) => plainText(value) ?? []);
