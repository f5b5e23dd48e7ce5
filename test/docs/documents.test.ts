import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findingCodes } from '../../codemods/model.ts';
import { anchorOf } from '../../codemods/report/wording.ts';
import { projectRoot } from '../helpers/build.ts';
import { blocks, documents, regenerate } from './blocks.ts';

const texts = documents.map((name) => [name, readFileSync(join(projectRoot, name), 'utf8')] as const);

/** The names that GitHub gives to the headings of a document. */
const anchors = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the documents', () => {
  it.each(texts)('%s has its generated parts as the code says (npm run docs)', (_name, text) => {
    expect(regenerate(text)).toBe(text);
  });

  it('show every generated part somewhere', () => {
    const shown = texts.flatMap(([, text]) => [...text.matchAll(/<!-- generated: ([^>]+) -->/g)].map(([, name]) => name));
    expect(new Set(shown)).toEqual(new Set(Object.keys(blocks)));
  });

  it.each(texts)('%s links only to files that are there', (_name, text) => {
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g))
      expect(existsSync(join(projectRoot, target)), target).toBe(true);
  });

  it.each(texts)('%s links only to headings that are there', (name, text) => {
    for (const [, target = '', anchor = ''] of text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)) {
      const path = join(projectRoot, target || name);
      const linked = readFileSync(path.endsWith('.md') ? path : join(path, 'README.md'), 'utf8');
      expect(anchors(linked), `${target}#${anchor}`).toContain(anchor);
    }
  });

  it('has the sections of README.md that other files name', () => {
    const named = readdirSync(join(projectRoot, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:ya?ml|md|[jt]s)$/.test(path) && !path.includes('node_modules'))
      .flatMap((path) => [...readFileSync(join(projectRoot, 'examples', path), 'utf8').matchAll(/README(?:\.md)?, "([^"]+)"/g)])
      .map(([, heading = '']) => heading);
    const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
    const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
    expect(named).not.toEqual([]);
    expect(headings).toEqual(expect.arrayContaining(named));
  });

  it.each(findingCodes)('explain %s once, where reports link to', (code) => {
    const [name = '', anchor = ''] = anchorOf(code).split('#');
    expect(anchors(readFileSync(join(projectRoot, name), 'utf8')).filter((one) => one === anchor)).toHaveLength(1);
  });
});
