/** The browser that comes with the packages, unpacked: without what drives it, which takes longest to load of all that a run begins with. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** Unpacks it into a folder. */
export async function unpack(folder: string): Promise<void> {
  const packed = join(dirname(require.resolve('@sparticuz/chromium')), '../bin');
  const files = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) => join(packed, name));
  const { inflate } = await import('@sparticuz/chromium');
  // It asks for the temporary folder as it begins.
  await inFolder(folder, () => Promise.all(files.map((file) => inflate(file))));
  writeFileSync(fontsIn(folder), `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`);
}

/** The file that says where its fonts are. */
export const fontsIn = (folder: string): string => join(folder, 'fonts.conf');

/** Does what asks for the temporary folder before it waits. */
function inFolder<T>(folder: string, begin: () => T): T {
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = folder;
  try {
    return begin();
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  }
}
