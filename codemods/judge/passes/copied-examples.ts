/** Examples of files that are in no repository: what moves there has to be changed in every copy, too, as that is what the program reads. */
import type { ComponentFile } from '../../component/component-file.ts';
import { copyOf } from '../../find/packages/examples.ts';
import type { Edit, Finding, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import { byPlace } from '../merge.ts';

export function withCopiedExamples<P extends Pick<Plan, 'edits' | 'findings'>>(
  plan: P,
  components: readonly (readonly Pick<ComponentFile, 'file' | 'isExample' | 'importers'>[])[],
  textIn: (file: string) => string,
): P {
  const read = new Set(
    components.flat().flatMap(({ file, isExample, importers }) => (isExample === true && importers.length > 0 ? file : [])),
  );
  const found = plan.edits.flatMap((edit) => (read.has(edit.file) ? toldAt(edit, textIn(edit.file)) : []));
  return found.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...found].toSorted(byPlace) };
}

function toldAt({ file, start, end }: Edit, text: string): Finding[] {
  const position = positionsOf(text);
  const detail = { name: copyOf(file) ?? file, how: 'example' };
  return [{ code: 'env-elsewhere', file, start, end, ...position(start), detail }];
}
