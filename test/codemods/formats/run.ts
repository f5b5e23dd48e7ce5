/** Looks at files beside the code without the rest of the pipeline. */
import { splice } from '../../../codemods/edit/splice.ts';
import { type TextPlan, analyseText } from '../../../codemods/component/analyse-text.ts';
import { type TextFile, readFile } from '../../../codemods/formats/reader.ts';

export interface Ran extends TextPlan {
  readonly output: string;
  /** `code line`, sorted. */
  readonly said: readonly string[];
}

export interface Facts {
  readonly v1?: readonly string[];
  readonly v2?: string | undefined;
  readonly env?: readonly string[];
}

/** @param scripts that may source it */
export function run(
  file: TextFile,
  { v1 = ['https://api.example.com'], v2, env = [] }: Facts = {},
  scripts: readonly TextFile[] = [],
): Ran {
  const read = readFile(file, scripts);
  // Whether a script is among the files, a whole run says.
  const passedOn = read.reading.passedOn.filter((each) => each.scripts === undefined);
  const result = analyseText({ ...read, reading: { ...read.reading, passedOn } }, { v1, v2, env: new Set(env) });
  const said = result.findings.map(({ code, line }) => `${code} ${line}`).toSorted();
  return { ...result, output: splice(file.text, result.edits), said };
}

const names = {
  script: 'a.config.js',
  env: '.env',
  json: 'a.json',
  yaml: 'a.yml',
  toml: 'a.toml',
  http: 'a.http',
  bruno: 'a.bru',
  shell: 'a.sh',
  commands: 'crontab',
  pipeline: 'Jenkinsfile',
  markdown: 'a.md',
  markup: 'a.vue',
  nginx: 'a.nginx',
  other: 'a.py',
  plain: 'a.txt',
};

export function runText(kind: TextFile['kind'], text: string, facts: Facts = {}): Ran {
  return run({ file: names[kind], kind, text }, facts);
}
