import { expect, test } from 'vitest';
import { isMdx, pageCode } from '../../../codemods/find/modules/document-pages.ts';

const imported = "import { list } from '../src/api.js'";

test.each([
  ['behind its front matter', `---\ntitle: a\n---\n${imported}\n`, true],
  ['by the folder of the site', `# A\n\nimport Try from '@site/src/try';\n`, true],
  ['in a block of code', `# A\n\n\`\`\`js\n${imported}\n\`\`\`\n`, false],
  ['within a paragraph', `Write\n${imported}\n`, false],
  ['of a package', `# A\n\nimport { list } from 'crm'\n`, false],
])('a document is MDX where it imports code of the program: %s', (_where, text, expected) => {
  expect(isMdx('docs/a.md', text)).toBe(expected);
});

test('scripts that nothing ends are looked for once', () => {
  expect(pageCode('a.md', '<script>\n'.repeat(40_000))).toBeUndefined();
  expect(pageCode('a.md', `<script>\nfirst\n</script>\n${'<script>\n'.repeat(40_000)}`)).toBe('\nfirst\n');
});
