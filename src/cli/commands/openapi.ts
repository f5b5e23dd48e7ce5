/** `migrate-v2 openapi`: the OpenAPI document of a version. */
import { writeFile } from 'node:fs/promises';
import { ConfigError, firstLine } from '../../config/errors.ts';
import type { Settings } from '../../config/settings.ts';
import { assume } from '../../contract/assumptions.ts';
import { commandModule } from '../command.ts';

async function run({ api, out, assumptions, dialect, envelope }: Settings<'openapi'>): Promise<void> {
  // Loaded on demand: the other commands need none of it.
  const { openapiDocument } = await import('../../contract/openapi/document.ts');
  const document = openapiDocument(api, { assumptions: assume(assumptions), dialect, envelope });
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (out === undefined) {
    await toStdout(text);
    return;
  }
  await writeFile(out, text).catch((cause: unknown) => {
    throw new ConfigError({
      code: 'CONFIG_INVALID',
      key: '--out',
      problem: `cannot write ${out} (${firstLine(cause)}); choose another file`,
      cause,
    });
  });
  console.error(`Wrote the OpenAPI document of ${api} to ${out}`);
}

/** A reader that has seen enough, as `head` has, is no failure. */
function toStdout(text: string): Promise<void> {
  // The callback is told of an error too; without a listener it would end the process besides.
  process.stdout.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error: NodeJS.ErrnoException | null | undefined) =>
      error && error.code !== 'EPIPE' ? reject(error) : resolve(),
    );
  });
}

export const openapiCommand = commandModule({
  name: 'openapi',
  describe: 'Write the OpenAPI 3.1 document of v1 or v2',
  examples: [
    ['$0 openapi --out openapi.json', 'Describe v2'],
    ['$0 openapi --api v1 | jq .paths', 'Look at the paths of v1'],
    ['$0 openapi --dialect problem --envelope data', 'Describe v2 as a sandbox with these flags answers'],
  ],
  run,
});
