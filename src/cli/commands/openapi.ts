/** `migrate-v2 openapi`: the OpenAPI document of a version. */
import type { Settings } from '../../config/settings.ts';
import { assume } from '../../contract/assumptions.ts';
import { commandOf } from '../command.ts';
import { toFile, toStdout } from '../output.ts';

async function run({ api, out, assumptions, dialect, envelope }: Settings<'openapi'>): Promise<void> {
  // Loaded on demand: the other commands need none of it.
  const { openapiDocument } = await import('../../openapi/document.ts');
  const document = openapiDocument(api, { assumptions: assume(assumptions), dialect, envelope });
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (out === undefined) {
    await toStdout([text]);
    return;
  }
  await toFile(out, [text]);
  console.error(`Wrote the OpenAPI document of ${api} to ${out}`);
}

export const openapiCommand = commandOf({
  name: 'openapi',
  describe: 'Write the OpenAPI 3.1 document of v1 or v2',
  examples: [
    ['$0 openapi --out openapi.json', 'Describe v2'],
    ['$0 openapi --api v1 | jq .paths', 'Look at the paths of v1'],
    ['$0 openapi --dialect problem --envelope data', 'Describe v2 as a sandbox with these flags answers'],
  ],
  run,
});
