/** Why an edit was proven: the chain from the call to the base. */
import { v1Auth } from '../../../src/contract/auth.ts';
import { isScript } from '../../evaluate/module.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { nodesOf } from '../../evaluate/values/provenance.ts';
import { type Entry, optionsOf, partsOf, type TextPart } from '../../evaluate/values/values.ts';
import type { Step } from '../../model.ts';
import type { Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../request-sites.ts';

/** @returns steps in the order in which a reader follows them: the call, its callers, the base, the key */
export function proofOf({ request, keys }: RequestSite): Step[] {
  const { call, module: source, client } = request;
  // What stands in other files may be a key without quotes.
  const steps: Step[] = [{ ...stepAt('call', call, source), ...(!isScript(source) && { text: client }) }];
  for (const { node, module } of request.callers) steps.push(stepAt('argument', node, module));
  for (const part of request.url ?? []) {
    for (const { node, module } of nodesOf(part.provenance)) {
      const step = stepOf(node);
      if (step !== undefined) steps.push(stepAt(step, node, module));
    }
    if ('text' in part && part.source !== undefined) {
      const { module, start } = part.source;
      steps.push({
        step: /^[a-z]+:\/\//i.test(part.text) ? 'base' : 'path',
        file: module.file,
        start,
        end: start + part.text.length,
        text: part.text,
      });
    } else if ('unknownPart' in part && part.unknownPart.type === 'env')
      steps.push(stepAt('environment', part.unknownPart.node, part.unknownPart.module));
  }
  return distinct([...steps, ...keys.flatMap(keySteps)]);
}

/** What any request is given as a key or another credential. */
export const keysOf = (sites: readonly RequestSite[]): Step[] =>
  distinct(sites.flatMap(({ keys, authorizations }) => [...keys, ...authorizations].flatMap(keySteps)));

/** A header, and the literals that its value is, wherever they stand: for outputs, which show none of them. */
const keySteps = ({ name = v1Auth.field, node, module, key, value }: Entry): Step[] => [
  { step: 'header', file: module.file, ...placeIn(module, givenIn(node), key), text: name.toLowerCase() },
  ...optionsOf(value()).flatMap((option) =>
    partsOf(option).flatMap((part): Step[] => {
      if ('unknownPart' in part || part.source === undefined) return [];
      return [{ step: 'key', file: part.source.module.file, ...placeIn(part.source.module, part.source.node, part), text: '…' }];
    }),
  ),
];

/** Where a call is given the header: what it is called on is the request, `nock(host).get(path).matchHeader(name, key)`. */
const givenIn = (node: Node): Pick<Node, 'start' | 'end'> => ({
  start: (node.kind === 'call' ? node.args[0]?.start : undefined) ?? node.start,
  end: node.end,
});

/** In a script a literal's place, with its quotes; elsewhere the text's own. */
function placeIn(module: SourceText, { start, end }: Pick<Node, 'start' | 'end'>, part: TextPart | undefined): Pick<Step, 'start' | 'end'> {
  if (isScript(module) || part?.source === undefined) return { start, end };
  return { start: part.source.start, end: part.source.start + part.text.length };
}

function stepOf(node: Node): Step['step'] | undefined {
  if (node.kind === 'name') return 'reference';
  if (node.kind === 'member') return 'member';
  return node.kind === 'call' ? 'return' : undefined;
}

/** The first line of what stands there, without any text in quotes but the step's own: a key may be among them. */
function stepAt(step: Step['step'], node: Node, { file, text }: SourceText): Step {
  const [line = ''] = text.slice(node.start, Math.min(node.end, node.start + 80)).split(/\r?\n/);
  const shown = step === 'reference' || step === 'member' ? line : line.replaceAll(/(['"`]).*?(?:\1|$)/g, '…');
  return { step, file, start: node.start, end: node.end, text: shown };
}

function distinct(steps: readonly Step[]): Step[] {
  const seen = new Set<string>();
  return steps.filter(({ step, file, start, end }) => {
    const key = `${step} ${file} ${start} ${end}`;
    return seen.size !== seen.add(key).size;
  });
}
