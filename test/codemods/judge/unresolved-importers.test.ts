/** Which files stay as an import that leads nowhere may mean them. */
import { expect, it } from 'vitest';
import type { ComponentFile } from '../../../codemods/component/component-file.ts';
import { usedUnresolved } from '../../../codemods/judge/constraints/unresolved-importers.ts';

const about = { kind: 'script', isCandidate: true, isUnread: false, ambient: [], implied: [], standsFor: [] } as const;

it('each file is read once, however many imports lead nowhere', async () => {
  const files = Array.from({ length: 20 }, (_, index) => `client-${index}.ts`);
  const component = files.map((file): ComponentFile => ({ file, importers: [], ...about }));
  const edit = { start: 0, end: 1, text: '', what: 'path', group: 'g' } as const;
  const programs = Array.from({ length: 50 }, (_, index) => ({
    file: `app-${index}.ts`,
    text: `import { make${index} } from '@/clients';`,
  }));
  const imports = programs.map(({ file, text }, index) => ({
    file,
    start: 0,
    end: text.length - 1,
    line: 1,
    names: new Set([`make${index}`]),
    from: undefined,
  }));
  const read: string[] = [];
  const left = await usedUnresolved(
    [component],
    [{ isCode: true, edits: files.map((file) => ({ file, ...edit })) }],
    () => imports,
    (file) => {
      read.push(file);
      return programs.find((each) => each.file === file)?.text ?? `export const make${files.indexOf(file) * 4} = 1;`;
    },
  );
  expect(left.map(({ file, by }) => [file, by])).toEqual(files.slice(0, 13).map((file, index) => [file, `app-${index * 4}.ts:1`]));
  // Of programs, those alone whose import counts.
  expect(read).toEqual([...files, ...left.map(({ by }) => by?.replace(/:1$/, ''))]);
});
