/** Texts and codes of v1's errors that tests expect of the service itself: `expect(body.code).toBe('API_KEY_PERMISSION')`. */
import { anyOf, cases, titled } from '../../clients/testing/declared-tests.ts';
import { assertions } from '../../clients/testing/libraries.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node, StringNode } from '../../syntax/tree.ts';
import { isAskedOfAnswer } from './answer-texts-and-headers.ts';

/** What a test is called, and the tables that it runs with. */
const ofTitled = new RegExp(String.raw`^${anyOf(titled)}\b`);

/** Whether a text is expected by a test, and nobody here says it himself: an own error, or what a fake answers, is as it is written. */
export const isExpectedOfService = (node: StringNode, module: SourceModule, { modules }: World): boolean =>
  isIn(assertions, node, module) &&
  ![...modules.values()].some((each) => (each === module || !hasTests.test(each.text)) && says(each, node.value));

/** What another file of tests answers itself, it answers its own. */
const hasTests = new RegExp(String.raw`\b${anyOf(cases)}(?:\.\w+)*\s*\(`);

const says = (module: SourceModule, text: string): boolean =>
  module.text.includes(text) &&
  nodesOfKind(module.tree.program, 'string').some(
    (node) =>
      (node.value === text || (node.value.startsWith('{') && node.value.includes(text))) &&
      !isAskedOfAnswer(node) &&
      !isIn(assertions, node, module) &&
      !isIn(ofTitled, node, module),
  );

/** Whether a call is given a text, by itself, in an object or list, or by a constant. */
function isIn(called: RegExp, node: Node, module: SourceModule): boolean {
  const { parent } = node;
  switch (parent?.kind) {
    case 'property':
    case 'object':
    case 'array':
      return isIn(called, parent, module);
    case 'variable':
      return (
        parent.target.kind === 'patternName' &&
        (module.scopes.declaredBy(parent.target)?.references.some((reference) => isIn(called, reference, module)) ?? false)
      );
    case 'call':
      return called.test(module.text.slice(parent.callee.start, parent.callee.end)) || isIn(called, parent, module);
    default:
      return false;
  }
}
