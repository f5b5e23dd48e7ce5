/** What is read of the inside of files is asked for while what was made of the whole file is at hand: nothing is parsed for it once more. */
import { expect, it, vi } from 'vitest';
import { outlineOf } from '../../../codemods/component/relevance/outline.ts';
import { slice } from '../../../codemods/component/relevance/relevance-slice.ts';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { parse } from '../../../codemods/engines/typescript/source.ts';
import { parsedFile } from '../../../codemods/evaluate/module.ts';

vi.mock(import('../../../codemods/engines/typescript/source.ts'), { spy: true });

const files = new Map([
  ['base.js', "export const base = 'https://api.example.com';\nexport function other() { return 1; }"],
  ...Array.from({ length: 5 }, (_, index): [string, string] => [
    `call-${index}.js`,
    "import { base } from './base.js';\nexport const ask = () => fetch(base + '/v1/messages');\nfunction beside() { return REPORTED; }",
  ]),
]);
const textOf = (file: string): string => files.get(file) ?? '';
const candidate = (text: string): boolean => /example|v1/.test(text);

it('each file of a component is parsed once', async () => {
  const engines = await loadEngines();
  const { modules } = slice(
    Array.from(files.keys(), (file) => ({
      file,
      isCandidate: true,
      importers: file === 'base.js' ? [...files.keys()].slice(1) : [],
      ambient: [],
    })),
    {
      load: (file) => outlineOf(parsedFile(file, textOf(file), engines.parse(file, textOf(file)).tree)),
      text: textOf,
      resolve: (_, specifier) => specifier.slice('./'.length),
      named: (_, specifiers) => specifiers,
      insteadOf: () => [],
      isSuspicious: candidate,
      isNear: (text) => text.includes('example'),
      holdsPart: () => false,
      mayBeReported: (text) => text.includes('REPORTED'),
      mayBeReportedIn: () => true,
      isReportable: () => false,
      isAdvisable: () => false,
      speaksHttp: (text) => text.includes('fetch'),
      namesPutIn: () => new Set(),
    },
  );
  expect(modules.map(({ calls }) => calls.length)).toEqual([0, 1, 1, 1, 1, 1]);
  expect(modules.map(({ tree }) => tree.program.body.length)).toEqual([1, 3, 3, 3, 3, 3]);
  expect(vi.mocked(parse).mock.calls.map(([file]) => file)).toEqual([...files.keys()]);
});
