/**
 * Mocha's context, https://mochajs.org/#shared-behaviours, which Jasmine, Jest and QUnit have as well: in hooks and tests that are no arrow functions `this` has what
 * these put there, `this.api = nock(…)`, and what those of the suites around them do.
 */
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import { runsTests } from '../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { ownerOfThis, thisIn as selfIn } from '../../evaluate/names/this-by-name.ts';
import { choiceOf, type Entry, optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import { asAssigned } from '../../evaluate/writes/external-writes.ts';
import { memoOf } from '../../once.ts';
import type { AssignNode, CallNode, Expression, FunctionNode, Node } from '../../syntax/tree.ts';

const suites = /^(?:[xf]?(?:describe|context|suite)|module)$/;
const ahead = /^(?:before(?:Each|All)?|setup|suiteSetup)$/;
const others = /^(?:[xf]?(?:it|test|specify)|after(?:Each|All)?|teardown|suiteTeardown)$/;

/** What a hook or a test puts into the context of its suite. */
interface Write {
  readonly name: string;
  readonly node: AssignNode;
  /** Undefined where it stands in no suite, for all of the file. */
  readonly suite: CallNode | undefined;
  /** Whether it is there when tests run, in the place of what suites further out have. */
  readonly isAhead: boolean;
}

function thisIn(ev: Evaluation, fn: FunctionNode, { module }: At): Value | undefined {
  const all = runnerOf(fn) === undefined ? [] : writesIn(module);
  if (all.length === 0) return undefined;
  const entries = [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, writes]): Entry[] => {
    const seen = seenFrom(fn, writes);
    const [last] = seen;
    const value = (): Value =>
      choiceOf(seen.flatMap((each) => optionsOf(ev.evaluate(each.node.value, { module, frame: undefined })).map(asAssigned)));
    return last === undefined ? [] : [{ name, key: undefined, node: last.node, module, valueNode: undefined, value }];
  });
  return { type: 'object', node: fn, module, entries, unknown: [unknown(fn, module)] };
}

/** Of the suites around a function, from the inside out, up to one that has it whenever a test runs. */
function seenFrom(fn: FunctionNode, writes: readonly Write[]): readonly Write[] {
  const seen: Write[] = [];
  for (let suite = suiteAround(fn); ; suite = suiteAround(suite)) {
    const own = writes.filter((each) => each.suite === suite);
    seen.push(...own);
    if (suite === undefined || own.some(({ isAhead }) => isAhead)) return seen;
  }
}

const writesIn = memoOf((module: SourceModule): readonly Write[] =>
  !runsTests(module.text) || isPutOtherwise.test(module.text)
    ? []
    : module.writes.flatMap((node): Write[] => {
        const { target } = node;
        const self = target.kind === 'member' && target.property !== undefined ? selfIn(target.object, module) : undefined;
        const fn = self && ownerOfThis(self, module);
        const runner = fn?.kind === 'function' ? runnerOf(fn) : undefined;
        if (fn === undefined || runner === undefined || target.kind !== 'member' || target.property === undefined) return [];
        return [{ name: target.property, node, suite: suiteAround(fn), isAhead: ahead.test(runner) }];
      }),
);

/** A hook that goes by a name, examples that suites share, and `this` under another name, whole, or by a name that is computed: what these put into a context is not seen. */
const isPutOtherwise = new RegExp(
  [
    String.raw`\b(?:before|after)(?:Each|All)?\(\s*(?!async\b|function\b)[\w$.]+\s*[,)(]`,
    String.raw`[(,]\s*this\s*[,)]|\bthis\s*\[|(?<![=!])=\s*this\s*[;,\n]|\.\.\.this\b|[:[]\s*this\.[\w$]+\s*[,}\]][^;]*\]?\}?\s*\)?\s*=(?!=)`,
    String.raw`\b(?:shared\w*|itBehavesLike|behavesLike|shouldBehaveLike)\(`,
  ].join('|'),
);

/** What runs a function as a hook or a test: `beforeEach`, `it.only`, `hooks.beforeEach`. */
function runnerOf({ isArrow, parent: call }: FunctionNode): string | undefined {
  if (isArrow || call?.kind !== 'call' || call.isNew) return undefined;
  const { callee } = call;
  const names = [callee.kind === 'member' ? (callee.property ?? '') : '', rootOf(callee)];
  return names.find((name) => ahead.test(name) || others.test(name));
}

function suiteAround(node: Node): CallNode | undefined {
  let at = node.parent;
  while (at !== undefined && !(at.kind === 'call' && suites.test(rootOf(at.callee)))) at = at.parent;
  return at;
}

function rootOf(callee: Expression): string {
  let at = callee;
  while (at.kind === 'member' || at.kind === 'call') at = at.kind === 'member' ? at.object : at.callee;
  return at.kind === 'name' ? at.name : '';
}

export const testContexts: ClientRule = { name: 'contexts of tests', isForTests: true, thisIn };
