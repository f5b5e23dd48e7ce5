import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findingCodes } from '../../codemods/model.ts';
import { anchorOf } from '../../codemods/report/wording.ts';
import { projectRoot } from '../helpers/build.ts';
import { blocks, regenerate } from './blocks.ts';
import { documents } from './document.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
const texts = documents.map((name) => [name, read(name)] as const);

const others = /^(?:(?:.*\/)?node_modules|dist|tour|bench\/\.work|test\/codemods\/(?:fixtures|decoys)\/.*\/.*)(?:\/|$)/;
/** Every file of the project that is Markdown; what fixtures and packages have is somebody else's. */
const markdown = globSync('**/*.md', { cwd: projectRoot, exclude: (path) => others.test(path) }).toSorted();

/** A document without its code, which may look like a link or a heading. */
const prose = (path: string): string =>
  read(path)
    .replaceAll(/^(\s*)(```+)[^]*?^\1\2$/gm, '')
    .replaceAll(/`[^`\n]*`(?!\])/g, (text) => text.replaceAll(/[[\]()]/g, ''));

const anchorsOf = new Map<string, ReadonlySet<string>>();
/** The names that GitHub gives to the headings of a document. */
function anchors(path: string): ReadonlySet<string> {
  const known = anchorsOf.get(path);
  if (known !== undefined) return known;
  const seen = new Map<string, number>();
  const found = new Set<string>();
  for (const [, heading = ''] of read(path)
    .replaceAll(/^```[^]*?^```$/gm, '')
    .matchAll(/^#+ (.+)$/gm)) {
    const name = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    found.add(count === 0 ? name : `${name}-${count}`);
  }
  anchorsOf.set(path, found);
  return found;
}

/** What is wrong with the links of a document: of those that lead into the project. */
function brokenLinks(path: string): string[] {
  return [...prose(path).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([link, target = '', anchor]) => {
    const linked = target === '' ? join(projectRoot, path) : join(projectRoot, dirname(path), target);
    if (!existsSync(linked)) return [`${link} leads nowhere`];
    if (anchor === undefined) return [];
    const file = statSync(linked).isDirectory() ? join(linked, 'README.md') : linked;
    return existsSync(file) && anchors(relative(projectRoot, file)).has(anchor) ? [] : [`${link} leads to no heading`];
  });
}

describe('the documents', () => {
  it.each(texts)('%s has its generated parts as the code says (npm run docs)', (_name, text) => {
    expect(regenerate(text)).toBe(text);
  });

  it('show every generated part somewhere', () => {
    const shown = texts.flatMap(([, text]) => [...text.matchAll(/<!-- generated: ([^>]+) -->/g)].map(([, name]) => name));
    expect(new Set(shown)).toEqual(new Set(Object.keys(blocks)));
  });

  it('link only to files and headings that are there, in every document of the project', () => {
    expect(markdown).toEqual(expect.arrayContaining([...documents, 'CONTRIBUTING.md', 'bench/README.md', 'examples/grafana/README.md']));
    expect(Object.fromEntries(markdown.map((path) => [path, brokenLinks(path)]).filter(([, broken]) => broken?.length !== 0))).toEqual({});
  });

  it('are there under the names that the code, its messages and the examples give them', () => {
    const files = globSync('{src,proxy,codemods,examples}/**/*.{ts,yaml}', { cwd: projectRoot, exclude: (path) => others.test(path) });
    const named = files.flatMap((path) => [...read(path).matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)]);
    expect(named.length).toBeGreaterThan(3);
    const gone = named.filter(
      ([, path = '', anchor]) => !existsSync(join(projectRoot, path)) || (anchor !== undefined && !anchors(path).has(anchor)),
    );
    expect(gone.map(([text]) => text)).toEqual([]);
  });

  it('begin with what one does there, and end with what can go wrong', () => {
    for (const name of documents.filter((path) => /^docs\/[^/]+$/.test(path))) {
      expect(read(name), name).toMatch(/^# .+\n\n\S/);
      expect(
        read(name)
          .match(/^## .+$/gm)
          ?.at(-1),
        name,
      ).toBe('## What can go wrong');
    }
  });

  it('have their commands run: a test opens each that shows some', () => {
    const tests = globSync('test/**/*.ts', { cwd: projectRoot, exclude: (path) => others.test(path) }).map(read);
    const opened = tests.flatMap((text) => [...text.matchAll(/openDocument\('([^']+)'\)/g)].map(([, name]) => name));
    const shown = markdown.filter((path) => /^```console$/m.test(read(path)));
    expect(opened).toEqual(expect.arrayContaining(shown));
  });

  it('leave commands unrun only for programs that no machine of the tests has', () => {
    const unrun = texts.flatMap(([, text]) =>
      [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').trim().split('\n')),
    );
    expect(unrun.length).toBeGreaterThan(0);
    expect(unrun.filter((command) => !/^(?:docker|kubectl|pg_dump|cd|printf) /.test(command))).toEqual([]);
  });

  it.each(findingCodes)('explain %s, where reports link to', (code) => {
    const [name = '', anchor = ''] = anchorOf(code).split('#');
    expect(anchors(name)).toContain(anchor);
    expect(anchors(name)).not.toContain(`${anchor}-1`);
  });
});
