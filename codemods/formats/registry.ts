/** The kinds of files, and what reads of each what is no code. */
import { type FileKind, isTerraform } from '../find/kinds.ts';
import { readBruno } from './bruno.ts';
import { readCodeSettings } from './code-settings.ts';
import { isJustfile, readJustfile } from './justfile.ts';
import { readPipeline } from './jenkins.ts';
import { readMarkup } from './markup.ts';
import { readJson, readToml, readYaml } from './data/read.ts';
import { readCommandLines } from './crontabs.ts';
import { readEnv } from './env-file.ts';
import { readHttp } from './http-file.ts';
import { readHurl } from './hurl-file.ts';
import { readMarkdown } from './markdown.ts';
import { type Reading, type Stretch, emptyReading } from './reading.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import { readTerraform } from './terraform.ts';
import { readShell } from './shell/file.ts';
import { isUnit, readUnit } from './systemd.ts';

export type TextKind = FileKind;

export interface Format {
  /**
   * May throw a RangeError where nesting is too deep for any stack.
   * @param others files of the same kind, and of what machines are set up by scripts, too: those that may source it, or that it starts, requests and folders of a collection
   */
  read(stretch: Stretch, others: readonly Pick<SourceText, 'file' | 'text'>[]): Reading;
  /** Whether the name of v1's header can only be about a request, so that a person looks at one that no request was seen to send. */
  readonly namesHeaders: boolean;
  /** Whether what it sets is nobody's environment. */
  readonly isExample: boolean;
}

const format = (read: Format['read'], about: Partial<Format> = {}): Format => ({ read, namesHeaders: true, isExample: false, ...about });
/** Texts of data may be anything. */
const data = { namesHeaders: false };

/** Of what machines are set up by. */
function readOther(stretch: Stretch, others: Parameters<Format['read']>[1]): Reading {
  const { file } = stretch.source;
  if (isUnit(file)) return readUnit(stretch, others);
  return isTerraform(file) ? readTerraform(stretch, others) : emptyReading;
}

export const formats: Readonly<Record<TextKind, Format>> = {
  script: format(readCodeSettings, data),
  env: format(readEnv),
  http: format((stretch) => (stretch.source.file.endsWith('.hurl') ? readHurl(stretch) : readHttp(stretch))),
  bruno: format(readBruno),
  shell: format((stretch, others) => (isJustfile(stretch.source.file) ? readJustfile(stretch, others) : readShell(stretch, others))),
  commands: format(readCommandLines),
  pipeline: format(readPipeline, data),
  markup: format(readMarkup),
  json: format(readJson, data),
  yaml: format(readYaml, data),
  toml: format(readToml, data),
  // What else speaks of v1 there is for a person.
  other: format(readOther, data),
  // It is read with the code that asks through it.
  nginx: format(() => emptyReading, data),
  plain: format(() => emptyReading, { namesHeaders: false, isExample: true }),
  markdown: format(readMarkdown, { namesHeaders: false, isExample: true }),
};
