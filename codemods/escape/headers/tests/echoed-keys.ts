/** What tests expect of a key that a mock answers with, once the program has handed that on: it begins with the scheme from now on, and stays as it is. */
import { isCaptured } from '../../../clients/testing/expected/captured.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { flat } from '../../../evaluate/values/text.ts';
import { type Entry, optionsOf, plainText, type Value } from '../../../evaluate/values/values.ts';
import { variablesSetIn } from '../../../evaluate/settings/variables-set.ts';
import type { Edit, Finding } from '../../../model.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import type { Reach } from '../../../verdict/expected/reached.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import { isExpectedToBe } from '../../paths/repeats.ts';
import { expectedOf } from '../../servers/stand-in-expectations.ts';

/** @param isMoved whether what a request changes is */
export function echoedKeys(
  ev: Evaluation,
  sites: readonly RequestSite[],
  isMoved: (site: RequestSite) => boolean,
  edits: readonly Edit[],
  reach: Reach,
): Finding[] {
  const mocks = sites.filter((site) => isPassedOn(site) && [site, ...(site.follows ?? [])].some(isMoved));
  if (mocks.length === 0) return [];
  const tests = [...ev.world.modules.values()].filter(reach.isOfTests);
  const keys = keysOf(
    ev,
    sites.filter((site) => !site.request.isMock && isMoved(site)),
    tests,
  );
  const running = tests.filter((module) => mocks.some(({ request }) => reach.byFile(module).has(request.module)));
  return running.flatMap((module) => {
    const own = edits.filter(({ file }) => file === module.file);
    return module.texts.flatMap((node): Finding[] => {
      const { start, end } = node;
      if (node.kind !== 'string' || !keys.has(node.value) || !isExpectedToBe(node, module)) return [];
      const [actual] = own.some((edit) => start <= edit.start && edit.end <= end) ? [] : expectedOf(node);
      // What a test kept of a request is followed from there.
      if (actual === undefined || isCaptured(actual, { ev, module, frame: undefined })) return [];
      return [{ code: 'reads-header', file: module.file, start, end, ...module.position(start), detail: { how: 'echoed' } }];
    });
  });
}

/** Whether it is a mock that hands the key on which it reads, to where nobody can tell. */
const isPassedOn = ({ request, obstacles }: RequestSite): boolean =>
  request.isMock && obstacles.some(({ code, isRead }) => isRead === true || code === 'key-not-text');

/** What the keys are, by default and in tests. */
function keysOf(ev: Evaluation, sites: readonly RequestSite[], tests: readonly SourceModule[]): ReadonlySet<string> {
  const entries = sites.flatMap(({ keys }) => keys);
  const given = givenAs(ev, new Set(entries.flatMap(nameOf)));
  const values = [...entries.map(({ value }) => value()), ...given].flatMap(optionsOf);
  const names = new Set(
    values.flatMap((each) => (each.type === 'env' ? each.name : each.type === 'method' ? (each.path.at(-1) ?? []) : [])),
  );
  const said = values.flatMap((each) => (each.type === 'env' ? (each.otherwise ?? []) : each)).flatMap((each) => plainText(each) ?? []);
  return new Set([...said, ...tests.flatMap((module) => variablesSetIn(ev, module, names).map(({ value }) => flat(value.parts)))]);
}

/** What a client has its key by: `apiKey` of `this.options.apiKey`. */
const nameOf = ({ valueNode, module }: Entry): string[] =>
  valueNode === undefined ? [] : [...(/[\w$]+(?=\W*$)/.exec(module.text.slice(valueNode.start, valueNode.end)) ?? [])];

/** What is given under some names: `new Client({ apiKey: process.env.KEY ?? 'none' })`. */
const givenAs = (ev: Evaluation, names: ReadonlySet<string>): Value[] =>
  [...ev.world.modules.values()].flatMap((module) =>
    nodesOfKind(module.tree.program, 'property').flatMap(({ name, value }) =>
      name !== undefined && names.has(name) ? [ev.evaluate(value, { module, frame: undefined })] : [],
    ),
  );
