/** Schemas that answers have to fit: an error's body as v1 documents it, which is not shown of v2. */
import { beginsSchema, makesSchema, namesSchemas } from '../../clients/schemas.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, ObjectNode } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';

/** The fields of v1's errors that each has. */
const fields = ['success', 'error'] as const;

/** Words without which no text has such a schema. */
export const mayDescribeAnswers = (text: string): boolean => fields.every((field) => text.includes(field)) && beginsSchema.test(text);

/** @returns the schemas of errors that code may check answers of ours by: its own, and those that it names */
export function errorSchemas(modules: Iterable<SourceModule>, ours: readonly RequestSite[]): { node: CallNode; module: SourceModule }[] {
  const near = new Set<string>(ours.flatMap(({ request }) => [request.module.text, ...request.callers.map(({ module }) => module.text)]));
  return [...modules]
    .filter(({ text }) => mayDescribeAnswers(text) && namesSchemas.test(text))
    .flatMap((module) =>
      nodesOfKind(module.tree.program, 'call')
        .filter((node) => describesError(node) && isNamedIn(node, module, near))
        .map((node) => ({ node, module })),
    );
}

function describesError({ callee, args: [shape] }: CallNode): boolean {
  const name = callee.kind === 'member' ? callee.property : callee.kind === 'name' ? callee.name : undefined;
  return makesSchema.test(name ?? '') && shape?.kind === 'object' && fields.every((field) => hasField(shape, field));
}

const hasField = ({ properties }: ObjectNode, field: string): boolean =>
  properties.some((each) => each.kind === 'property' && each.name === field);

/** Whether a file that asks us checks something by it: `Failure.parse(body)`, `parse(Failure, body)`. */
function isNamedIn(schema: CallNode, { text }: SourceModule, near: ReadonlySet<string>): boolean {
  const { parent } = schema;
  const name = parent?.kind === 'variable' && parent.target.kind === 'patternName' ? parent.target.name : undefined;
  if (name === undefined) return near.has(text);
  const checked = new RegExp(
    `\\b${name}\\b(?:\\.\\w+\\([^()]*\\))*\\.(?:safe)?(?:parse|validate|check|decode|assert|is|cast)\\w*\\(|\\(\\s*${name}\\s*,|,\\s*${name}\\s*\\)`,
    'i',
  );
  return [...near].some((each) => checked.test(each));
}
