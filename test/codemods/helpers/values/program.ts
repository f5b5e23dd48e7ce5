/** Small programs for tests of the evaluator: what is given to the calls of `ask` in them is what a test asks for. */
import { posix } from 'node:path';
import { clientRules } from '../../../../codemods/clients/registry.ts';
import { made } from '../../../../codemods/clients/shapes.ts';
import { loadEngines } from '../../../../codemods/engines/choose.ts';
import { createEvaluation } from '../../../../codemods/evaluate/evaluate.ts';
import type { ClientRule } from '../../../../codemods/evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../../../codemods/evaluate/evaluation.ts';
import { sourceModule, type SourceModule } from '../../../../codemods/evaluate/module.ts';
import { choiceOf, type Part, type Value } from '../../../../codemods/evaluate/values/values.ts';
import { callGraphOf } from '../../../../codemods/requests/call-graph.ts';
import { requestsOf } from '../../../../codemods/requests/requests.ts';
import type { CallNode } from '../../../../codemods/syntax/tree.ts';

const engines = await loadEngines();

/** A client whose requests have for their URL whatever is asked about. */
const askRule: ClientRule = { name: 'ask', globals: ['ask'], call: (call) => made('ask', 'request', call, { url: call.args[0] }) };
const rules = [...clientRules, askRule];

/** The text of `main.ts`, or texts by the names of their files; `main.ts` runs first, or else the last of them. */
export type Program = string | Readonly<Record<string, string>>;

export const filesOf = (program: Program): Readonly<Record<string, string>> =>
  typeof program === 'string' ? { 'main.ts': program } : program;

export interface Asked {
  /** Unique among a program's questions. */
  readonly place: string;
  readonly call: CallNode;
  readonly module: SourceModule;
  /** What the argument can be, on all call paths to it. */
  readonly value: Value;
}

export interface Answers {
  readonly ev: Evaluation;
  /** In the order of the files, and of the calls in them. */
  readonly asked: readonly Asked[];
}

/** The file of a program that a relative specifier leads to. */
export function resolved(files: readonly string[], from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const path = posix.join(posix.dirname(from), specifier);
  return ['', '.ts', '.js', '.json', '/index.ts'].map((ending) => path + ending).find((file) => files.includes(file));
}

/** Evaluates the arguments of all calls of `ask`. */
export function answersIn(program: Program): Answers {
  const files = Object.entries(filesOf(program));
  const modules = new Map(files.map(([file, text]) => [file, sourceModule(file, text, engines.parse(file, text).tree)]));
  const names = [...modules.keys()];
  const world = {
    modules,
    resolve: (from: SourceModule, specifier: string): SourceModule | undefined => modules.get(resolved(names, from.file, specifier) ?? ''),
  };
  const ev = createEvaluation(world, rules);
  const found = callGraphOf(ev);
  const asked = [...modules.values()].flatMap((module) =>
    module.calls.filter(isAsk).map((call): Asked => {
      const [arg] = call.args;
      if (arg === undefined || arg.kind === 'spread') throw new Error('ask takes one expression');
      const values = requestsOf(ev, found, { call, module })
        .finish()
        .map(({ url }) => valueOf(url ?? []));
      const value = values.length === 0 ? ev.evaluate(arg, { module, frame: undefined }) : choiceOf(values);
      return { place: `${module.file}:${call.start}`, call, module, value };
    }),
  );
  return { ev, asked: asked.toSorted((a, b) => a.call.start - b.call.start) };
}

const isAsk = ({ callee }: CallNode): boolean => callee.kind === 'name' && callee.name === 'ask';

function valueOf(parts: readonly Part[]): Value {
  const [only, more] = parts;
  return only !== undefined && more === undefined && 'unknownPart' in only ? only.unknownPart : { type: 'text', parts };
}
