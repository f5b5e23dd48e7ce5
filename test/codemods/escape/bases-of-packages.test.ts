/** Which texts are where a client of somebody's package asks, and decide about nothing else. */
import { expect, test } from 'vitest';
import { loadEngines } from '../../../codemods/engines/choose.ts';
import { isBaseOfPackage } from '../../../codemods/escape/paths/bases-of-packages.ts';
import { sourceModule } from '../../../codemods/evaluate/module.ts';
import { nodesOfKind } from '../../../codemods/syntax/link.ts';

const engines = await loadEngines();
const world = { resolve: () => undefined };

test.each([
  ['of a provider', `import { createProvider } from 'models'; createProvider({ baseURL: \`\${endpoint}/v1\` });`, true],
  ['of a class', `import { Exporter } from '@otel/exporter'; new Exporter({ url: \`\${options.baseUrl}/v1\`, metadata });`, true],
  ['of a member of a package', `import * as sdk from 'sdk'; sdk.createClient({ baseUrl: \`\${host}/v1\` });`, true],
  ['of a function of the project', `import { createClient } from './client'; createClient({ baseUrl: \`\${host}/v1\` });`, false],
  ['of what keeps settings', `import { createConfig } from 'settings'; createConfig({ baseUrl: \`\${host}/v1\` });`, false],
  ['under another name', `import { createServer } from 'guards'; createServer({ protect: \`\${prefix}/v1\` });`, false],
  ['a path by itself', `import { createClient } from 'sdk'; createClient({ prefix: \`/v1/\${name}\` });`, false],
])('%s', (_title, text, expected) => {
  const module = sourceModule('main.js', text, engines.parse('main.js', text).tree);
  const [template] = nodesOfKind(module.tree.program, 'template');
  expect(template !== undefined && isBaseOfPackage(template, module, world)).toBe(expected);
});
