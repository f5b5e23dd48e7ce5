/**
 * What code that is run for each request of a client asks of it by a path of v1, or by its key: `if (req.url.startsWith('/v1/contacts'))`. A request whose path is
 * written without a host comes there as it is written, and is another's once it has moved.
 */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { optionsOf } from '../../evaluate/values/values.ts';
import type { Edit, Finding, FindingCode } from '../../model.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import { guardsIn } from './moving-guards.ts';

/** Whether a module acts on all requests of a client: no other's code is given one that it may ask of. */
const actsOnAll = /intercept/i;

/** @param edits what is changed */
export function askedOfRequests(ev: Evaluation, edits: readonly Edit[]): Finding[] {
  const { modules } = ev.world;
  const isWithoutHost = ({ file, start, end }: Edit): boolean => {
    const text = modules.get(file)?.text ?? '';
    return text.slice(start, end) === 'v1' && /['"`]\/?$/.test(text.slice(Math.max(start - 2, 0), start));
  };
  const ofProgram = edits.filter((edit) => !isTestFile(modules, edit));
  const isPathMoved = ofProgram.some(isWithoutHost);
  if (!isPathMoved && !ofProgram.some(({ what }) => what === 'header name')) return [];
  const isEdited = ({ start, end }: Node, { file }: SourceModule): boolean =>
    edits.some((edit) => edit.file === file && start <= edit.start && edit.end <= end);
  return [...modules.values()].flatMap((module) => {
    if (isTest(module) || !actsOnAll.test(module.text)) return [];
    const finding = (code: FindingCode, node: Node): Finding[] => {
      const { start, end } = node;
      return isEdited(node, module) ? [] : [{ code, file: module.file, start, end, ...module.position(start), detail: {} }];
    };
    return [
      ...(isPathMoved ? guardsIn(module) : []).flatMap(({ literal, subjects }) =>
        subjects.some((subject) => isOfRequest(ev, subject, module, /^url(?:WithParams)?$/)) ? finding('repeats-path', literal) : [],
      ),
      ...nodesOfKind(module.tree.program, 'call').flatMap(({ callee, args: [name] }) =>
        callee.kind === 'member' &&
        /^(?:has|get)$/.test(callee.property ?? '') &&
        name?.kind === 'string' &&
        isKeyHeader(name.value) &&
        isOfRequest(ev, callee.object, module, /^headers$/)
          ? finding('reads-header', name)
          : [],
      ),
    ];
  });
}

const isTestFile = (modules: ReadonlyMap<string, SourceModule>, { file }: Edit): boolean => {
  const module = modules.get(file);
  return module !== undefined && isTest(module);
};

/** Whether it is read of a request of a client. */
const isOfRequest = (ev: Evaluation, node: Node, module: SourceModule, property: RegExp): boolean =>
  optionsOf(ev.budget.question({ node, module }, () => ev.evaluate(node, { module, frame: undefined })).value).some(
    (each) => each.type === 'method' && each.receiver.type === 'http' && property.test(each.path.join('.')),
  );
